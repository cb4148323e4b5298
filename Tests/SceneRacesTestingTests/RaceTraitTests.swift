import Basics
import Dispatch
import Foundation
import Interleaving
import SceneManifest
import SceneRaces
import SceneRouting
import SceneRuntime
import ShopInSwift
import TestFixtures
import Testing

@testable import SceneRacesTesting

@Suite("The trait for races of an app's own code")
struct RaceTraitTests {
    @Test(
        "passes where the code is right",
        .race("Scenarios/redeemed-once.yaml", in: Kiosk.app(nil), iterations: 200, seed: 1)
    )
    func redeemedOnce() {}

    @Test(
        "waits for tasks of the code",
        .race("Scenarios/both-visits-count.yaml", in: Kiosk.app(nil), iterations: 200, seed: 1)
    )
    func visitsCount() {}

    @Test(
        "sees what the code does when windows go",
        .race("Scenarios/heard-once.yaml", in: Kiosk.app(nil), iterations: 200, seed: 1)
    )
    func heardOnce() {}

    @Test(
        "finds a coordinator that commits twice",
        .foundRace { $0.says("the fact points is 20, expected 10") && $0.isSmall },
        .race("Scenarios/redeemed-once.yaml", in: Kiosk.app(.commitsTwice), artifacts: "\(artifacts)-twice")
    )
    func commitsTwice() { Issue.record("the body ran, though there is a race") }

    @Test(
        "finds code that goes on after an await with what it has read before",
        .foundRace { $0.says("the fact points is 1, expected 2") && $0.isSmall },
        .race("Scenarios/both-visits-count.yaml", in: Kiosk.app(.staleAfterAwait), artifacts: "\(artifacts)-stale")
    )
    func staleAfterAwait() {}

    @Test(
        "finds a screen that forgets to detach",
        .foundRace { $0.says("the fact seen is 3, expected 1") && $0.isSmall },
        .race("Scenarios/heard-once.yaml", in: Kiosk.app(.forgetsToDetach), artifacts: "\(artifacts)-detach")
    )
    func forgetsToDetach() {}

    /// The beginning of the folders' names: each test removes its own.
    static let artifacts = "/tmp/scened-race-trait-\(getpid())"
}

/// Expects exactly one issue, at the test, that meets a condition, and removes it with the folder that it names.
struct FoundRace: TestTrait, TestScoping {
    let matches: @Sendable (FoundText) -> Bool

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let issues = Guarded<[Issue]>([])
        try await withoutActuallyEscaping(function) { function in
            let handler = IssueHandlingTrait.compactMapIssues { issue in
                issues.withLock { $0.append(issue) }
                return nil
            }
            try await handler.provideScope(for: test, testCase: testCase, performing: function)
        }
        let found = issues.withLock { $0 }
        let texts = found.map { FoundText($0) }
        #expect(found.count == 1, "\(texts.map(\.text))")
        for (issue, text) in zip(found, texts) {
            #expect(matches(text), "\(text.text)")
            #expect(issue.sourceLocation == test.sourceLocation)
        }
        for text in texts { text.removeFolder() }
    }
}

/// What an issue of a race says.
struct FoundText {
    let text: String

    init(_ issue: Issue) { text = issue.comments.map(\.rawValue).joined(separator: "\n") }

    /// Removes the folder that it names, and the one around it.
    func removeFolder() {
        guard let file = text.firstMatch(of: /INTERLEAVING_REPLAY=(\/\S+)\/[^\/]+\/race\.json/) else { return }
        try? FileManager.default.removeItem(atPath: String(file.1))
    }

    func says(_ finding: String) -> Bool { text.contains(finding) }

    /// Whether it was made small, says what decides or happened, and how to repeat it, by a word and by a file.
    var isSmall: Bool {
        says("; no schedule with fewer fails") && says("confirmed by two replays")
            && says("What happened, in this order:")
            && says("INTERLEAVING_REPLAY=1-") && says("swift test --filter SceneRacesTestingTests.RaceTraitTests/")
            && says("race.json")
    }
}

extension Trait where Self == FoundRace {
    static func foundRace(_ matches: @escaping @Sendable (FoundText) -> Bool) -> Self { FoundRace(matches: matches) }
}
