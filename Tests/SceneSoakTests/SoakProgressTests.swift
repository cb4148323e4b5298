import Testing

@testable import SceneSoak

@Suite("The line of a soak's progress")
struct SoakProgressTests {
    /// A progress with every part.
    private static func busy() -> SoakProgress {
        var interval = SoakInterval(start: .seconds(60), length: .seconds(10), isWarmUp: false)
        (interval.due, interval.sent, interval.answered, interval.cutOff) = (25_000, 24_990, 24_400, 12)
        interval.percentiles = [50: 645_000, 90: 2_000_000, 99: 11_100_000, 99.9: 20_000_000, 100: 9_970_000_000]
        interval.outcomes = ["applied": 14_000, "gated": 9_000, "unchanged": 1_000, "rejected": 400]
        interval.errors = ["io.scened.Events.QueueFull": 240]
        interval.sample = SoakSample(host: "h")
        interval.sample?.resident = 98 << 20
        return SoakProgress(
            elapsed: .seconds(70),
            total: .seconds(1_800),
            interval: interval,
            endsInterval: false,
            inFlight: 50,
            waiting: 300,
            faults: [.slow],
            violations: 3
        )
    }

    @Test("is complete if no width is given")
    func whole() {
        #expect(
            Self.busy().line()
                == "1 min 10 s of 30 min  due 2500/s  sent 2499/s  answered 2440/s  p50 645 µs  p99 11.1 ms  max 9.97 s  applied 57 % gated 36 % unchanged 4 %  refused 0.98 %  50 in flight  300 waiting  12 cut off  98 MiB  fault: slow  3 VIOLATIONS  28 min 50 s left"
        )
    }

    @Test("never exceeds the width, and always shows what matters most", arguments: 34...240)
    func narrow(columns: Int) {
        let line = Self.busy().line(columns: columns)
        #expect(line.count <= columns)
        #expect(line.hasPrefix("1 min 10 s of 30 min"))
        #expect(line.contains("3 VIOLATIONS"))
    }

    @Test("leaves out the least important first")
    func order() {
        #expect(Self.busy().line(columns: 50) == "1 min 10 s of 30 min  fault: slow  3 VIOLATIONS")
        #expect(Self.busy().line(columns: 60) == "1 min 10 s of 30 min  p99 11.1 ms  fault: slow  3 VIOLATIONS")
        #expect(
            Self.busy().line(columns: 96)
                == "1 min 10 s of 30 min  answered 2440/s  p99 11.1 ms  refused 0.98 %  fault: slow  3 VIOLATIONS"
        )
    }

    @Test("stays a line even if there is hardly any room")
    func tiny() {
        #expect(Self.busy().line(columns: 1).count == 20)
    }
}
