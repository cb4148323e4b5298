import Basics
import SceneSoak
import Testing

@Suite("The options of a soak")
struct PlanReadingTests {
    @Test(
        "a length of time is a number with a unit, or several of them",
        arguments: [
            ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("5m", .seconds(300)),
            ("2h", .seconds(7_200)),
            ("1d", .seconds(86_400)), ("1h30m", .seconds(5_400)), ("0s", .zero),
        ]
    )
    func times(text: String, time: Duration) {
        #expect(Duration.reading(text) == time)
    }

    @Test(
        "a text that is not a length of time is refused",
        arguments: ["", "s", "5x", "7", "0", "1h30", "-5s", "1.5h", "5 s", "99999999999999999999s", "9999999d"]
    )
    func noTimes(text: String) {
        #expect(Duration.reading(text) == nil)
    }

    @Test(
        "an interval is a tenth of the load, within bounds, and can be written",
        arguments: [
            ("1ms", "500ms"), ("3s", "500ms"), ("8s", "800ms"), ("12s340ms", "1s200ms"), ("60s", "6s"),
            ("1m41s", "10s"), ("5d", "10s"), ("365d", "10s"),
        ]
    )
    func interval(duration: String, interval: String) throws {
        let usual = SoakPlan.usualInterval(of: try #require(Duration.reading(duration)))
        #expect(usual == Duration.reading(interval) && Duration.reading(usual.words) == usual)
    }

    @Test("a length of time is written as it is read", arguments: ["500ms", "30s", "1m30s", "2h", "1d1h", "0s"])
    func roundTrip(text: String) throws {
        let time = try #require(Duration.reading(text))
        #expect(time.words == text)
    }

    @Test("a mix names kinds with their weights")
    func mix() throws {
        #expect(try SoakPlan.mix(parsing: "links=40,pushes=20.5,flows=0") == ["links": 40, "pushes": 20.5, "flows": 0])
    }

    @Test(
        "a wrong mix is refused, and the message lists the kinds",
        arguments: [
            "", "links", "links=x", "links=-1", "links=1,links=2", "link=1", "links=0", "links=nan", "links=1,",
        ]
    )
    func badMix(text: String) {
        let problem = #expect(throws: SoakPlanProblem.self) { try SoakPlan.mix(parsing: text) }
        #expect(problem?.description.contains("links, pushes, widgets") ?? false)
        #expect(problem?.description.hasPrefix("--mix \(text): ") ?? false)
    }

    @Test("percentiles come sorted, each once")
    func percentiles() throws {
        #expect(try SoakPlan.percentiles(parsing: "99,50,99.9,50") == [50, 99, 99.9])
    }

    @Test("a text that is not a percentile is refused", arguments: ["", "0", "101", "p99", "50,,90", "-1", "nan"])
    func badPercentiles(text: String) {
        #expect(throws: SoakPlanProblem.self) { try SoakPlan.percentiles(parsing: text) }
    }
}
