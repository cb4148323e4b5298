internal import CommandConsole
internal import SceneRouting
internal import SceneSoak
internal import StrictJSON

/// A comparison as it goes on.
struct CompareRun {
    private let comparison: AppComparison
    private let manifest: AppManifest
    private let stop: SoakStop
    private let screen: SoakScreen
    private var coverage: CoverageCounter
    /// What was played so far, and what was found.
    var report: CompareReport

    /// - Parameters:
    ///   - report: Of a comparison that has found nothing yet.
    ///   - manifest: What A runs.
    ///   - stop: Ends it early, when the step has ended that is being played.
    ///   - screen: Where it says how far it has come.
    init(
        _ comparison: AppComparison,
        _ manifest: AppManifest,
        _ report: CompareReport,
        _ stop: SoakStop,
        _ screen: SoakScreen
    ) {
        self.report = report
        self.comparison = comparison
        self.manifest = manifest
        self.stop = stop
        self.screen = screen
        coverage = CoverageCounter(manifest)
        self.report.coverage = coverage.coverage
    }

    /// Plays calls that are given.
    mutating func play(_ calls: [SoakCall]) async throws {
        var rest = calls[...]
        try await play(daemonSeed: 0) { [stop] _ in stop.wasAsked ? nil : rest.popFirst() }
        report.wasEnded = stop.wasAsked
    }

    /// Takes random walks until two differ, or so many steps were taken.
    /// - Parameters:
    ///   - seed: At least 0.
    ///   - only: The only walk to take, from 1; `nil` for as many as needed.
    ///   - limit: The time after which no walk begins; `nil` for no limit.
    mutating func walk(seed: Int, steps: Int, only: Int?, for limit: Duration?) async throws {
        let walks: RandomWalks
        do throws(ManifestProblems) {
            walks = try RandomWalks(manifest, seed: UInt64(seed))
        } catch {
            throw CommandError.usage("\(error)", as: .page)
        }
        defer { report.wasEnded = stop.wasAsked }
        let start = ContinuousClock.now
        var number = only ?? 1
        while report.steps < steps, report.difference == nil, !stop.wasAsked {
            if let limit, ContinuousClock.now - start >= limit { return }
            var walk = walks[number]
            var rest = min(AppWalk.length, steps - report.steps)
            report.walk = number
            try await play(daemonSeed: walks.daemonSeed(number)) { [stop] scenes in
                guard rest > 0, !stop.wasAsked else { return nil }
                rest -= 1
                walk.look(at: scenes)
                return walk.next()
            }
            if only != nil { return }
            number += 1
        }
    }

    private mutating func play(daemonSeed seed: Int, _ next: ([JSONValue]) -> SoakCall?) async throws {
        let played = try await comparison.play(seed: seed, next)
        report.steps += played.steps.count
        report.walks += 1
        do {
            try await comparison.a.count(&coverage)
        } catch var lost as LostDaemon {
            lost.calls = played.calls
            throw lost
        }
        report.coverage = coverage.coverage
        guard !played.differences.isEmpty else {
            return screen.show(passing: "\(Wording.counted(report.steps, "step")), no difference so far")
        }
        screen.show(
            passing: "a difference after \(Wording.counted(report.steps, "step")); looking for the fewest that show it"
        )
        let (fewest, tries) = try await comparison.fewest(played, seed: seed) { [stop] in stop.wasAsked }
        let comesAgain = !fewest.differences.isEmpty
        report.difference = CompareReport.Difference(
            step: played.steps.count,
            played: comesAgain ? fewest : played,
            tries: tries,
            comesAgain: comesAgain,
            isMinimal: !stop.wasAsked
        )
    }
}
