package import SceneRouting

/// What must hold when everything that was to happen has happened and come to rest.
public struct Expectation: Sendable {
    /// What windows show, each one of these.
    package var windows: [(scene: String, shown: [ShownWindow])] = []
    package var user: User?
    /// The values of facts; `nil` for one that has none.
    package var facts: [String: FactValue?] = [:]
    package var revision: Int?
    /// What became of events and other steps, each one of these.
    package var results: [(name: String, result: [ExpectedResult])] = []

    package enum User: Hashable, Sendable {
        case nobody
        case somebody(String)
    }
}

/// How a step ended, or an event: `applied`, `rejected inStock`, `applied in B`, `refused RevisionConflict`.
package struct ExpectedResult: Hashable, Sendable {
    package var outcome: String
    /// The reason, the precondition or the name of the error; `nil` for any.
    package var detail: String?
    /// The window that took it; `nil` for any.
    package var scene: String?

    /// Every word that a result may begin with.
    package static let outcomes =
        OutcomeName.allCases.filter { $0 != .admitted }.map(\.rawValue) + ["duplicate", "done", "refused"]

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

    /// Whether what came about is what this says.
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
