import Foundation
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing

/// The judge knows the reasons that the contract lists, and no others.
@Suite struct ReasonsTests {
    /// The words in the first column under a heading of the page about outcomes, without what varies in them.
    private func listed(under heading: String) throws -> Set<String> {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/SceneRuntime/SceneRuntime.docc/Outcomes.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        return Set(
            section.filter { $0.hasPrefix("| `") }.flatMap { line in
                line.split(separator: "|")[0].split(separator: ",").compactMap { cell in
                    cell.split(separator: "`").dropFirst().first?.split(separator: ":").first.map(String.init)
                }
            }
        )
    }

    private let beginnings = Set(Reasons.rejectedInWords.map { $0.filter { $0 != ":" && $0 != " " } })

    @Test func `each reason of the page is known, and each that is known is on it`() throws {
        #expect(try listed(under: "## Ignored") == Reasons.ignored)
        #expect(try listed(under: "## Abandoned") == Reasons.abandoned)
        let rules = Set(NavigationViolation.Rule.allCases.map(\.rawValue))
        #expect(rules.isSubset(of: Reasons.rejected))
        // A rule's name may be a reason of its own.
        let others = rules.subtracting(["stackFull"])
        #expect(try listed(under: "## Rejected") == Reasons.rejected.subtracting(others).union(beginnings))
    }

    /// A manifest that has such a name is accepted, so what is refused by it has to be told from all else.
    @Test(arguments: [
        "open", "open:late", "Locked", "locked:x", "validationFailed:x", "rejected-by:me", ":", "gateBusy2",
    ])
    func `what is refused by a condition of any other name is judged rightly`(name: String) async throws {
        let club = try Club { manifest in
            for place in manifest.conditions.indices { manifest.conditions[place].name = name }
            for place in manifest.destinations.indices where !manifest.destinations[place].conditions.isEmpty {
                manifest.destinations[place].conditions = [name]
            }
        }
        try await club.signIn(facts: ["closed": .boolean(true)])
        #expect(try await club.open("rating").outcome == .rejected(reason: name))
        #expect(try await club.tap("rate").outcome == .rejected(reason: name))
        await club.end()
    }

    @Test func `a gesture has no effect for these reasons`() {
        #expect(Reasons.ignored == Set(Gesture.NoEffect.allCases.map(\.rawValue)))
    }
}
