import Basics
import Testing

@Suite("A duration in whole units")
struct DurationUnitsTests {
    @Test(
        "is rounded towards zero",
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.nanoseconds(-1), -1), (.milliseconds(1_500), 1_500_000_000),
            (.seconds(-2) + .nanoseconds(5), -1_999_999_995), (.seconds(1) / 3, 333_333_333),
        ]
    )
    func rounds(duration: Duration, nanoseconds: Int) {
        #expect(duration.nanoseconds == nanoseconds)
        #expect(duration.microseconds == nanoseconds / 1_000)
        #expect(duration.milliseconds == nanoseconds / 1_000_000)
        #expect(abs(duration.seconds - Double(nanoseconds) / 1e9) < 1e-9)
    }

    @Test(
        "is clamped if it does not fit",
        arguments: [
            (Duration.seconds(Int64.max), Int.max), (.seconds(Int64.min), .min), (.nanoseconds(Int64.max), .max),
            (.nanoseconds(Int64.max) + .nanoseconds(1), .max), (.nanoseconds(Int64.min) - .nanoseconds(1), .min),
        ]
    )
    func saturates(duration: Duration, nanoseconds: Int) {
        #expect(duration.nanoseconds == nanoseconds)
        #expect(duration.milliseconds == nanoseconds / 1_000_000)
    }
}
