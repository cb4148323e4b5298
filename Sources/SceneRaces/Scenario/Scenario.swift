package import SceneRouting
package import SceneRuntime

/// What may happen at the same time in the windows of an app, and what must hold at the end, whatever the order.
///
/// It is written in a file (`protocol/scenario.schema.json`) and run by the real runtime. The invariants of a history
/// (<doc:/SceneRuntime/Invariants>) must also hold.
package struct Scenario: Sendable {
    /// Its name for `scenectl race`.
    package var name: String
    /// What could go wrong, in a sentence or two.
    package var summary: String
    /// The app.
    package var app: AppManifest
    /// What the app was read from: the name of an example, or the path of a file.
    package var appSource: String
    /// What becomes of an event that waits when another comes, in place of what the app says; `nil` if the file does not say.
    package var policy: Policies.WhileGated?
    /// The settings of the host.
    package var settings: HostSettings
    /// The date when it begins, in seconds since 1970-01-01T00:00:00Z; `nil` for that of the machine.
    package var start: Double?
    /// The windows that are open when it begins, in the order opened.
    package var windows: [Window]
    /// Who is signed in when it begins; `nil` for nobody.
    package var user: String?
    /// The facts when it begins, in addition to the declared defaults.
    package var facts: [String: FactValue]
    /// The steps before it begins, each of which is awaited.
    package var setup: [ScenarioStep]
    /// Who acts at the same time.
    package var actors: [Actor]
    /// The allowed ends, one of which must hold. If empty, only the invariants count.
    package var expectations: [Expectation]
    /// What of its file is read but written in another way today, in the order of the file.
    package var warnings: [ManifestProblem] = []

    /// An app that whoever runs a scenario names.
    package struct GivenApp: Sendable {
        /// The name of an example, or the path of a file.
        package var name: String
        package var manifest: AppManifest

        package init(name: String, manifest: AppManifest) {
            self.name = name
            self.manifest = manifest
        }
    }

    /// A window that is open when the scenario begins.
    package struct Window: Hashable, Sendable {
        /// Its ID.
        package var id: String
        /// The scene configuration; `nil` for the app's first.
        package var configuration: String?
    }

    /// Somebody who takes steps one after the other, while others take theirs.
    package struct Actor: Sendable {
        /// Its name, from which the names of its steps are made.
        package var name: String
        /// Its steps, in order.
        package var steps: [ScenarioStep]
    }
}

extension Scenario {
    /// All steps, those of the setup first.
    package var steps: [ScenarioStep] { setup + actors.flatMap(\.steps) }

    /// Whether a step waits for a time that every run chooses anew.
    package var hasRanges: Bool {
        steps.contains { if case .wait(let range) = $0.action { range.count > 1 } else { false } }
    }
}
