internal import SceneRouting
package import SceneRuntime

/// Puts placeholders for the secrets that a scenario's file and its run name, so that they are compared by their values and no report says
/// one (<doc:/SceneRuntime/Secrets>).
///
/// What a version of the app calls secret counts from the beginning: what another admitted before may still be shown as it was given.
package struct ShownSecrets: Sendable {
    /// The versions of the app that have secrets.
    private let apps: [LoadedApp]

    /// - Parameter apps: Every version of the app that is in force at some time.
    package init(_ apps: [LoadedApp]) { self.apps = apps.filter(\.engine.conceals) }

    private func concealed(_ screen: Destination) -> Destination {
        apps.reduce(screen) { $1.engine.shown($0) }
    }

    func concealed(_ window: WindowText) -> WindowText {
        apps.isEmpty ? window : window.mapScreens(concealed)
    }

    func concealed(_ window: WrittenWindow) -> WrittenWindow {
        if case .window(let text) = window { .window(concealed(text)) } else { window }
    }

    func concealed(_ value: FactValue, of fact: String) -> FactValue {
        apps.reduce(value) { $1.facts.concealed($0, of: fact) }
    }
}
