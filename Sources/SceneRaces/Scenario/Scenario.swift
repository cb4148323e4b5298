public import SceneRouting
public import SceneRuntime

/// What may happen at once in the windows of an app, and what must hold when it has, in whichever order it did.
///
/// It is written in a file (`protocol/scenario.schema.json`) and run by the real runtime; the invariants of a history
/// must hold besides (<doc:/SceneRuntime/Invariants>).
public struct Scenario: Sendable {
    /// What `scenectl race` calls it.
    public var name: String
    /// What could go wrong, in a sentence or two.
    public var summary: String
    public var app: AppManifest
    public var settings: HostSettings
    /// The windows that are open when it begins, in the order opened.
    public var windows: [Window]
    /// Who is signed in when it begins.
    public var user: String?
    /// The facts when it begins, besides the declared defaults.
    public var facts: [String: FactValue]
    /// What happens before, one step after the other, each to its end.
    public var setup: [ScenarioStep]
    public var actors: [Actor]
    /// What must hold at the end: one of these. None means that the invariants say it all.
    public var expectations: [Expectation]

    /// A window that is open when the scenario begins.
    public struct Window: Hashable, Sendable {
        public var id: String
        /// The scene configuration; `nil` for the app's first.
        public var configuration: String?
    }

    /// Somebody who does one step after the other, while others do theirs.
    public struct Actor: Sendable {
        public var name: String
        public var steps: [ScenarioStep]
    }
}

extension Scenario {
    /// Every step, those before the beginning first.
    package var steps: [ScenarioStep] { setup + actors.flatMap(\.steps) }

    /// Whether a step waits for a while that every run chooses anew.
    package var hasRanges: Bool {
        steps.contains { if case .wait(let range) = $0.action { range.count > 1 } else { false } }
    }
}
