import Dispatch
import Foundation
import Glibc
import InterleavingTesting
import Testing

@testable import Interleaving

/// A loop that looks at a clock and lets nobody wait: its time never comes.
@Suite("A loop that polls a clock")
struct PollingTests {
    /// A clock, and how many seconds it shows.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case continuous, suspending, date, system, time, timeOfDay, dispatch, uptime

        var testDescription: String { rawValue }

        private static let start = (continuous: ContinuousClock.now, suspending: SuspendingClock.now)

        var seconds: Double {
            switch self {
            case .continuous: return Double((ContinuousClock.now - Self.start.continuous).components.seconds)
            case .suspending: return Double((SuspendingClock.now - Self.start.suspending).components.seconds)
            case .date: return Date().timeIntervalSince1970
            case .system:
                var time = timespec()
                clock_gettime(CLOCK_MONOTONIC, &time)
                return Double(time.tv_sec)
            case .time: return Double(Glibc.time(nil))
            case .timeOfDay:
                var time = timeval()
                gettimeofday(&time, nil)
                return Double(time.tv_sec)
            case .dispatch: return Double(DispatchTime.now().uptimeNanoseconds / 1_000_000_000)
            case .uptime: return ProcessInfo.processInfo.systemUptime
            }
        }
    }

    private static func settings(
        _ granularity: SimulationSettings.Granularity,
        workTakes: ClosedRange<Duration> = .zero ... .zero
    ) -> SimulationSettings {
        SimulationSettings(maxSteps: 1_000, granularity: granularity, workTakes: workTakes)
    }

    @Test(
        "is a livelock that names the task, the line, why no time comes and what lets it come",
        arguments: Way.allCases,
        SimulationSettings.Granularity.allCases
    )
    func named(way: Way, granularity: SimulationSettings.Granularity) async throws {
        let body: ExplorationBody = { _ in
            let poller = Task(name: "poller") {
                let end = way.seconds + 2
                while way.seconds < end { await Task.yield() }
            }
            await poller.value
        }
        let run = try await replay(.firstInFirstOut, settings: Self.settings(granularity), body: body)
        let verdict = "\(run.verdict)"
        #expect(
            verdict.hasPrefix(
                "livelock: no end after 1000 steps: task 1 “poller” looks at a clock at PollingTests.swift:"
            ),
            "\(verdict)"
        )
        #expect(verdict.contains("virtual time goes on only when everything waits") && verdict.contains("workTakes"))
        #expect(run.verdict.cause == "livelock")
        let working = Self.settings(granularity, workTakes: .milliseconds(100) ... .milliseconds(200))
        #expect(try await replay(.firstInFirstOut, settings: working, body: body).verdict == .passed)
    }

    @Test("is named in the report, too, also where a search by chance found it, and by each replay")
    func report() async throws {
        let body: ExplorationBody = { _ in
            let end = ContinuousClock.now + .seconds(1)
            while ContinuousClock.now < end { await Task.yield() }
        }
        let settings = Self.settings(.stops)
        let found = try await explore(ExplorationOptions(iterations: 5, seed: 1, settings: settings), body: body)
        let failure = try #require(found.failure)
        let (report, again) = try await withExplorationRunner(settings, body: body) { runner in
            (
                try runner.report(on: failure, of: found, title: "poll") { "\($0)" },
                runner.run(seed: failure.seed, schedule: failure.schedule)
            )
        }
        #expect(report.text().contains("looks at a clock at PollingTests.swift:"))
        #expect(again.verdict == failure.verdict)
    }

    /// Loops that never end, in which it is not a clock that keeps anybody.
    private static let others: [(name: String, body: ExplorationBody)] = [
        ("no clock", { _ in while true { await Task.yield() } }),
        (
            "a clock before the loop",
            { _ in
                let start = ContinuousClock.now
                while start != ContinuousClock.Instant.now + .seconds(1) {
                    while true { await Task.yield() }
                }
            }
        ),
        (
            "who looks at the clock sleeps, and another one loops",
            { _ in
                async let other: Void = {
                    while true {
                        _ = ContinuousClock.now
                        try? await Task.sleep(for: .seconds(1))
                    }
                }()
                while true { await Task.yield() }
                await other
            }
        ),
        (
            "a sleep in the loop",
            { _ in
                while true {
                    _ = Date()
                    try? await Task.sleep(for: .seconds(1))
                }
            }
        ),
        (
            "somebody else sleeps for the loop",
            { _ in
                while true {
                    _ = Date()
                    await Task { try? await Task.sleep(for: .seconds(1)) }.value
                }
            }
        ),
    ]

    @Test("is not said of another loop", arguments: others.map(\.name))
    func unsaid(name: String) async throws {
        let body = try #require(Self.others.first { $0.name == name }).body
        for granularity in SimulationSettings.Granularity.allCases {
            let run = try await replay(.firstInFirstOut, settings: Self.settings(granularity), body: body)
            #expect(run.verdict == .livelock(steps: 1_000), "\(run.verdict)")
        }
    }

    @Test(
        "and never suspends is blocked, which says that no time comes there",
        .enabled(if: SimulationSettings.reasonNotToStop == nil, "jobs cannot be stopped here")
    )
    func spinning() async throws {
        var options = ExplorationOptions(iterations: 1, seed: 1)
        options.stallLimit = .milliseconds(300)
        let found = try await explore(options) {
            let end = ContinuousClock.now + .seconds(1)
            while ContinuousClock.now < end {}
        }
        let verdict = "\(try #require(found.failure).verdict)"
        #expect(verdict.contains("never suspends") && verdict.contains("so in a loop no time comes"), "\(verdict)")
    }
}
