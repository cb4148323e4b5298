import Histogram
import Basics
import SceneHistory

@testable import SceneSoak

/// A plausible soak from a seed: two minutes of warm-up and half an hour, with faults.
enum ExampleRun {
    static let mebibyte = 1_048_576

    static func plan(objectives: [String] = ["p99<20ms", "lost=0", "errors<1%", "rss.growth<4MiB/h"]) -> SoakPlan {
        SoakPlan(
            rate: 500,
            arrival: .poisson,
            duration: .seconds(1800),
            warmUp: .seconds(120),
            clients: 20,
            scenes: 8,
            mix: ["openurl": 4, "push": 3.5, "gesture": 2],
            seed: 18_446_744_073_709_551_615,
            percentiles: [50, 90, 99, 99.9],
            objectives: objectives,
            every: .seconds(10),
            catchesUp: true,
            faults: ["stall@5m+30s", "kill@15m"],
            inFlight: 16,
            script: "our links.jsonl",
            isPrivate: true,
            app: "apps/login-first.yaml",
            resets: true,
            followsRecords: false
        )
    }

    static func whole(
        _ id: String,
        records: Int = 1000,
        but violated: Invariant? = nil,
        unknown: String? = nil,
        unjudged: Int = 0
    ) -> HostReport {
        HostReport(
            host: id,
            records: records,
            unjudged: unjudged,
            verdicts: Invariant.allCases.map { invariant in
                if invariant == violated {
                    let violation = Violation([812, 815], "scene C ran ticket 7 while ticket 6 was running")
                    return InvariantReport(invariant: invariant, verdict: .violated([violation], count: 3))
                }
                return InvariantReport(invariant: invariant, verdict: unknown.map(Verdict.unknown) ?? .holds)
            }
        )
    }

    /// A soak.
    /// - Parameters:
    ///   - leak: In MiB per hour.
    ///   - kills: Whether the daemon is killed in the middle.
    static func make(seed: UInt64 = 1, leak: Double = 0, kills: Bool = true, rounds: Int = 192) -> SoakRun {
        var random = SplitMix(seed: seed)
        let place = SoakRun.Place(
            system: "Linux 6.1.0",
            cores: 2,
            memory: 8 << 30,
            daemon: "1.4.0",
            app: "shop 3"
        )
        var run = SoakRun(plan: plan(), place: place, began: 1_700_000_000_000_000)
        run.length = .seconds(10 * rounds)
        let end = run.length
        let killed = Duration.seconds(10 * rounds / 2)
        for index in 0..<rounds {
            let start = Duration.seconds(10 * index)
            var interval = SoakInterval(start: start, length: .seconds(10), isWarmUp: index < 12)
            let isFault = kills && (start == killed || start == killed + .seconds(10))
            interval.due = 4900 + random.below(200)
            interval.sent = interval.due
            interval.cutOff = isFault ? 17 : 0
            interval.errors = index.isMultiple(of: 9) ? ["QueueFull": 1 + random.below(3)] : [:]
            interval.answered = interval.sent - interval.cutOff
            let gated = 300 + random.below(50)
            let ignored = 200 + random.below(40)
            interval.outcomes = [
                "applied": interval.receipts - gated - ignored, "gated": gated, "ignored": ignored,
            ]
            let slow = kills && start == killed ? 40.0 : 1
            var latencies: [UInt64] = []
            for _ in 0..<400 {
                let tail = -Double.random(in: 1e-6...1, using: &random).squareRoot() + 1
                let nanoseconds = UInt64((0.6 + 3 * tail * tail * tail * tail) * slow * 1e6)
                latencies.append(nanoseconds)
                guard !interval.isWarmUp else { continue }
                let count: UInt64 = 12
                run.latency.record(nanoseconds, count: count)
                run.serviceTime.record(nanoseconds * 9 / 10, count: count)
                run.generatorLag.record(nanoseconds / 50, count: count)
                let kind = ["openurl", "push", "gesture"][random.below(3)]
                run.latencyByKind[kind, default: SoakRun.histogram()].record(nanoseconds, count: count)
            }
            latencies.sort()
            for rank in [50.0, 90, 99, 99.9, 100] {
                interval.percentiles[rank] = latencies[min(399, Int(rank / 100 * 400))]
            }
            if !isFault {
                let isFirst = !kills || start < killed
                var sample = SoakSample(host: isFirst ? "h1" : "h2")
                let hours = (isFirst ? start : start - killed).seconds / 3600
                sample.resident = 38 * mebibyte + Int(leak * hours * Double(mebibyte)) + random.below(400_000)
                sample.descriptors = 48 + random.below(4)
                sample.threads = 6
                sample.processorTime = start / 5
                sample.pending = random.below(6)
                sample.parked = 4 + random.below(5)
                sample.coordinators = 14 + random.below(6)
                sample.scenes = 8
                sample.connections = 22
                interval.sample = sample
            }
            run.intervals.append(interval)
        }
        var first = SoakHost(id: "h1", start: .zero)
        first.end = kills ? killed : end
        first.ending = kills ? .killed : .stopped
        first.report = whole("h1", records: 812_345)
        run.hosts = [first]
        run.faults = [
            SoakFault(kind: .stall, start: .seconds(420), end: .seconds(450), note: "a subscriber read nothing")
        ]
        if kills {
            var second = SoakHost(id: "h2", start: killed + .seconds(3))
            second.end = end
            second.ending = .stopped
            second.report = whole("h2", records: 801_111)
            run.hosts.append(second)
            run.faults.append(
                SoakFault(
                    kind: .kill,
                    start: killed,
                    end: killed + .seconds(3),
                    note: "a new daemon answered after 2.3 s"
                )
            )
        }
        for scene in ["A", "B", "C", "D"] {
            var time = Duration.zero
            var state = "foregroundActive"
            while time < end {
                let next = min(end, time + .seconds(20 + random.below(200)))
                run.scenes.append(SoakSceneSpan(scene: scene, state: state, start: time, end: next))
                time = next
                state = random.pick(["foregroundActive", "foregroundInactive", "background", "disconnected"])
            }
        }
        return run
    }
}
