package import SceneRouting
package import SceneVocabulary

/// What must hold when everything has happened and come to rest.
package struct Expectation: Sendable {
    /// By window: what it may show.
    package var windows: [(scene: String, shown: [WrittenWindow])] = []
    /// By window: in which activation states it may be. One that is disconnected is unattached, and one that is gone in none.
    package var activations: [(scene: String, states: [Activation])] = []
    /// Who is signed in; `nil` if that does not matter.
    package var user: User?
    /// Whether the sign-in is stale; `nil` if that does not matter.
    package var isStale: Bool?
    /// The values of facts; `nil` for a fact that must have none.
    package var facts: [String: FactValue?] = [:]
    /// The session's revision; `nil` if that does not matter.
    package var revision: Int?
    /// By step or event: the results it may have.
    package var results: [(name: String, result: [ExpectedResult])] = []
    /// By step or event: what its receipt answers; `nil` for nothing.
    package var answers: [(name: String, answer: [String: FactValue]?)] = []

    /// Who is signed in.
    package enum User: Hashable, Sendable {
        /// No user.
        case nobody
        /// The user with this ID.
        case somebody(String)
    }
}

/// The result of a step or an event: `applied`, `rejected inStock`, `applied in B`, `refused RevisionConflict`.
package struct ExpectedResult: Hashable, Sendable {
    /// One of ``outcomes``.
    package var outcome: String
    /// The reason, the precondition or the name of the error; `nil` for any.
    package var detail: String?
    /// The window that took the event; `nil` for any.
    package var scene: String?

    /// The words with which a result may begin.
    package static let outcomes =
        OutcomeName.allCases.filter { $0 != .admitted }.map(\.rawValue) + ["duplicate", "done", "refused"]

    /// Those that say all there is to say, without a detail.
    package static let plain =
        [OutcomeName.applied, .unchanged, .delivered].map(\.rawValue) + ["duplicate"]

    /// Reads `outcome [detail] [in scene]`.
    package init(_ text: String) {
        var words = text.split(separator: " ").map(String.init)
        if words.count >= 3, words[words.count - 2] == "in" {
            scene = words[words.count - 1]
            words.removeLast(2)
        }
        outcome = words.first ?? ""
        detail = words.count > 1 ? words.dropFirst().joined(separator: " ") : nil
    }

    package init(outcome: String, detail: String? = nil, scene: String? = nil) {
        self.outcome = outcome
        self.detail = detail
        self.scene = scene
    }

    /// Whether an actual result is what this expects.
    package func matches(_ actual: ExpectedResult) -> Bool {
        outcome == actual.outcome && (detail == nil || detail == actual.detail)
            && (scene == nil || scene == actual.scene)
    }
}

extension ExpectedResult: CustomStringConvertible {
    package var description: String {
        outcome + (detail.map { " \($0)" } ?? "") + (scene.map { " in \($0)" } ?? "")
    }
}
