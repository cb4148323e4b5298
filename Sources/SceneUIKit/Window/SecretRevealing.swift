#if canImport(UIKit) && !os(watchOS)
    internal import SceneNavigation
    internal import SceneRouting

    /// Gives an app's screens the values of secrets where the runtime has placeholders (<doc:/SceneRuntime/Secrets>).
    struct SecretRevealing: Sendable {
        /// The runtime's key, which remembers; `nil` if it works with the values themselves.
        let key: SecretKey?

        func revealed(_ text: String) -> String { key?.revealed(text) ?? text }

        func revealed(_ destination: Destination) -> Destination {
            guard key != nil else { return destination }
            return Destination(id: destination.id, parameters: destination.parameters.mapValues(revealed))
        }

        func revealed(_ window: WindowState) -> WindowState {
            var window = window
            for index in window.tabs.indices { window.tabs[index].stack = window.tabs[index].stack.map(revealed) }
            for index in window.modals.indices { window.modals[index].stack = window.modals[index].stack.map(revealed) }
            return window
        }
    }
#endif
