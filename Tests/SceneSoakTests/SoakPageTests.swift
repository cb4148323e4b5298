import Foundation
import Histogram
import SceneHistory
import Testing

@testable import SceneSoak

@Suite("The page of a soak")
struct SoakPageTests {
    private func page(_ run: SoakRun) -> String { SoakReport.html(of: run, verdict: SoakVerdict(of: run)) }

    @Test("says the verdict first, then the figures of the run")
    func figures() throws {
        let html = page(ExampleRun.make())
        let body = try #require(html.range(of: "<body>")).upperBound
        let headline = try #require(html.range(of: "<h1><b>Clean:</b> in 32 min and 900")).lowerBound
        let table = try #require(html.range(of: "<table>")).lowerBound
        #expect(body < headline && headline < table)
        for part in [
            "<title>Soak of shop 3: clean</title>", "2023-11-14 22:13:20 UTC", "✔ met", "one in 100 was slower",
            "<td class=\"n\">622 µs</td>", "killed on purpose", "a new daemon answered after 2.3 s",
            "seed 18446744073709551615",
            "scened 1.4.0 on Linux 6.1.0, 2 cores, 8 GiB", ">10 ms</span>", ">100 ms</span>",
        ] {
            #expect(html.contains(part), "no '\(part)'")
        }
    }

    @Test("shows a violation with its records, a link to them and how to play the events again")
    func violation() {
        var run = ExampleRun.make()
        run.hosts[1].report = ExampleRun.whole("h2", but: .ticketOrder)
        run.hosts[1].evidence = [
            SoakHost.Evidence(
                invariant: .ticketOrder,
                records: "evidence/a b.jsonl",
                page: "evidence/a b.html",
                replay: "javascript:alert(1)",
                places: [815: 42]
            )
        ]
        let html = page(run)
        #expect(html.contains("Invariant 1, host h2: tickets are contiguous"))
        #expect(
            html.contains(
                "<a href=\"./evidence/a%20b.html#42\">scene C ran ticket 7 while ticket 6 was running</a>"
            )
        )
        #expect(html.contains("(records 812, 815)") && html.contains("and 2 more"))
        #expect(html.contains("href=\"./evidence/a%20b.jsonl\"") && html.contains("href=\"./evidence/a%20b.html\""))
        #expect(html.contains("href=\"./javascript%3Aalert%281%29\""), "only addresses of files")
    }

    @Test("few intervals are points, and the chart says that they are few", arguments: [1, 2, 4, 6])
    func few(count: Int) {
        var run = ExampleRun.make()
        run.intervals = Array(run.intervals.filter { !$0.isWarmUp }.prefix(count))
        #expect(run.intervals.count == count)
        let html = page(run)
        let says = "\(count == 1 ? "1 interval" : "\(count) intervals"): too few to show how it goes."
        #expect(html.contains(says) == (count < LineChart.fewest))
        #expect(html.contains("class=\"line points ") == (count < LineChart.fewest))
        // Nothing is drawn between them: each line is a point, and each area a column.
        let lines = html.matches(of: /class="line points [^"]*" d="([^"]*)"/).map(\.1)
        #expect(lines.allSatisfy { $0.matches(of: /M/).count == $0.matches(of: /L/).count })
    }

    @Test("links the first fault of a kind to the page that shows the records around it, at the place where it began")
    func fault() {
        var run = ExampleRun.make()
        #expect(page(run).contains("<td>stall</td>") && !page(run).contains("fault-stall.html"))
        run.faults[0].page = SoakFault.Page(file: "fault-stall.html", place: 1000)
        #expect(page(run).contains("<td><a href=\"./fault-stall.html#1000\">stall</a></td>"))
    }

    @Test("needs no network or scripts, and escapes every text")
    func safety() {
        var run = ExampleRun.make()
        let hostile = "\"><script>alert('x')</script>&\u{7}\u{202E}"
        run.place.app = hostile
        run.faults[0].note = hostile
        run.hosts[0].id = hostile
        run.hosts[0].ending = .vanished(hostile)
        run.scenes[0].scene = hostile
        run.scenes[1].state = hostile
        run.plan?.objectives.append(hostile)
        for index in run.intervals.indices {
            run.intervals[index].outcomes[hostile] = 1
            run.intervals[index].errors[hostile] = 1
        }
        run.latencyByKind[hostile] = run.latency
        let html = page(run)
        #expect(!html.contains("<script"))
        #expect(!html.contains("\u{7}") && !html.contains("\u{202E}"))
        #expect(html.contains("default-src 'none'; style-src 'unsafe-inline'"))
        for part in ["http:", "https:", "src=", "url(", "@import", "<link", "<img", "onload", "onclick"] {
            #expect(!html.contains(part), "'\(part)' stands in it")
        }
    }

    @Test("stays small after three days of ten-second intervals, and still shows the slowest moment")
    func threeDays() throws {
        var run = ExampleRun.make(rounds: 200)
        let day = run.intervals
        run.intervals = (0..<130).flatMap { round in
            day.enumerated().map { index, interval in
                var interval = interval
                interval.start = .seconds(10 * (round * 200 + index))
                interval.isWarmUp = false
                return interval
            }
        }
        run.length = .seconds(260_000)
        run.intervals[13_001].percentiles[100] = 9_900_000_000
        let html = page(run)
        #expect(html.utf8.count < 2_000_000, "\(html.utf8.count) bytes")
        #expect(html.contains(">10 s</span>"), "the scale of the latency includes the slowest moment")
        #expect(html.contains("Each point stands for 73 intervals"))
        #expect(html.contains("9.9 s"), "and the table shows it")
    }

    @Test("can be made from an empty run and from each incomplete one")
    func sparse() {
        let place = ExampleRun.make().place
        var runs = [
            SoakRun(plan: nil, place: place, began: .max), SoakRun(plan: ExampleRun.plan(), place: place, began: 0),
        ]
        var blind = ExampleRun.make()
        for index in blind.intervals.indices { blind.intervals[index].sample = nil }
        blind.hosts = []
        blind.scenes = []
        runs.append(blind)
        var silent = ExampleRun.make()
        for index in silent.intervals.indices {
            silent.intervals[index].percentiles = [:]
            silent.intervals[index].length = .zero
        }
        silent.latency.reset()
        silent.length = .zero
        runs.append(silent)
        var one = ExampleRun.make(rounds: 1)
        one.intervals[0].isWarmUp = false
        runs.append(one)
        for run in runs {
            let html = page(run)
            #expect(html.contains("<h1><b>") && html.hasSuffix("</html>\n"))
            #expect(!html.contains("nan") && !html.contains("inf,"))
        }
    }

    @Test("keeps the lowest and highest values of the points that it merges")
    func thinning() {
        let line = ChartLine(
            name: "x",
            colour: "c1",
            points: (0..<1000).map { index in
                (Duration.seconds(index), (400..<500).contains(index) ? nil : index == 777 ? 1e9 : Double(index % 7))
            }
        )
        let runs = line.runs(ChartTime(.seconds(1000)), atMost: 100)
        #expect(runs.count == 2, "the line is interrupted where nothing was measured")
        #expect(runs.flatMap(\.self).count == 90)
        #expect(runs.flatMap(\.self).map(\.high).max() == 1e9)
        #expect(runs.flatMap(\.self).map(\.low).min() == 0)
        #expect(runs.flatMap(\.self).allSatisfy { $0.low <= $0.middle && $0.middle <= $0.high })
    }

    @Test("has scales with round, ascending ticks that span every value", arguments: [1, 7.0, 99, 1234, 5e7, 3.6e12])
    func scales(most: Double) {
        for scale in [
            ChartScale.linear(upTo: most), .logarithmic([most / 900, most]), .around([most * 0.9, most]),
            .around([0, most]),
        ] {
            #expect((2...12).contains(scale.ticks.count), "\(scale.ticks)")
            #expect(zip(scale.ticks, scale.ticks.dropFirst()).allSatisfy { $0 < $1 })
            #expect(scale.low <= most && most <= scale.high * 1.0001)
            #expect(scale.place(most) > 0.5 && scale.place(scale.low) == 0)
        }
    }

    @Test(
        "labels no two places of an axis alike, however small its values are",
        arguments: [0, 1e-6, 0.004, 0.02, 0.3, 9]
    )
    func labels(most: Double) {
        let scale = ChartScale.linear(upTo: most)
        let words = scale.ticks.map(Wording.short)
        #expect(words.count >= 2 && Set(words).count == words.count, "\(words)")
        #expect(scale.low == 0 && scale.high >= most && scale.place(0) == 0)
    }

    @Test("shows the command that runs the soak again, quoted for a shell")
    func commandLine() {
        var plan = ExampleRun.plan()
        plan.catchesUp = false
        #expect(
            plan.commandLine
                == "scenectl soak --rate 500 --arrival poisson --duration 30m --warm-up 2m --clients 20 --scenes 8 --seed 18446744073709551615 --every 10s --percentiles 50,90,99,99.9 --mix gesture=2,openurl=4,push=3.5 --slo 'p99<20ms,lost=0,errors<1%,rss.growth<4MiB/h' --faults stall@5m+30s,kill@15m --nocatchup --in-flight 16 --events 'our links.jsonl' --private --app apps/login-first.yaml --reset --no-records"
        )
    }
}
