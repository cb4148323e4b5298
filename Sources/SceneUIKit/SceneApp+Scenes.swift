#if canImport(UIKit) && !os(watchOS)
    internal import SceneNavigation
    internal import SceneRouting
    internal import SceneRuntime
    internal import StrictJSON
    public import UIKit

    // The scenes of UIKit, each with the window of the runtime that it shows.
    extension SceneApp {
        /// Connects a scene of UIKit: the window is the one that the runtime has opened for it, or a new or restored one.
        func connect(_ window: UIWindow, _ session: UISceneSession, as id: String, restoring saved: KeptWindow?) {
            do throws(SceneError) {
                let configuration = session.configuration.name.flatMap { name in
                    host.manifest.configurations.contains { $0.name == name } ? name : nil
                }
                try host.connect(
                    scene: id,
                    configuration: configuration,
                    restoring: saved?.state,
                    of: saved?.owner,
                    inBackground: true
                )
                var parameters: JSONObject = ["background": true]
                parameters["configuration"] = configuration.map(JSONValue.string)
                parameters["window"] = saved?.state.json
                note("Scenes.Connect", parameters, id)
            } catch {
                // The runtime has opened the window itself, and UIKit brings the scene that was asked for.
                guard case .sceneExists = error else { return refuse("the scene \(id): \(error)") }
            }
            windows[id]?.attach(window, session)
        }

        /// UIKit has released a scene. What it showed is kept.
        func disconnect(_ id: String) {
            windows[id]?.detach()
            do throws(SceneError) {
                try host.disconnect(scene: id) { _ in }
                note("Scenes.Disconnect", [:], id)
            } catch {
                // The runtime has closed the window itself.
                if case .unknownScene = error { return }
                refuse("the end of the scene \(id): \(error)")
            }
        }

        /// Forgets scenes that somebody has closed for good. Call it from `application(_:didDiscardSceneSessions:)`.
        public func discard(_ sessions: Set<UISceneSession>) {
            for session in sessions {
                let id = ids.of(session)
                ids.forget(session)
                do throws(SceneError) {
                    try host.discard(scene: id) { _ in }
                    note("Scenes.Discard", [:], id)
                } catch {
                    if case .unknownScene = error { continue }
                    refuse("the end of the scene \(id): \(error)")
                }
            }
        }

        /// Brings a scene to the state that UIKit says it has. Events bring scenes to the front by themselves, so it may be there, or
        /// have to go there by way of another state.
        func setActivation(_ activation: Activation, of id: String) {
            func post(_ next: Activation, then: @escaping @MainActor (SceneError?) -> Void) {
                // It has its place among what comes, and is known to be of use only at its turn.
                let script = self.script
                let number = note("Scenes.SetActivation", ["activation": .string(next.rawValue)], id)
                do throws(SceneError) {
                    try host.setActivation(next, of: id) { result in
                        // It ends by itself.
                        Task { @MainActor in
                            guard case .failure(let error) = result else { return then(nil) }
                            script.takeBack(number)
                            then(error)
                        }
                    }
                } catch {
                    script.takeBack(number)
                    if case .unknownScene = error { return }
                    refuse("the activation of \(id): \(error)")
                }
            }
            post(activation) { error in
                guard case .illegalActivation(_, let from, let to)? = error, from != to else { return }
                post(.foregroundInactive) { _ in post(activation) { _ in } }
            }
        }

        /// Asks the system for a scene for a window that the runtime has opened.
        func askForScene(of id: String) {
            let application = UIApplication.shared
            let request =
                application.openSessions.first { ids.of($0) == id }.map {
                    UISceneSessionActivationRequest(session: $0)
                }
                ?? UISceneSessionActivationRequest(role: .windowApplication, userActivity: SceneIDs.activity(for: id))
            application.activateSceneSession(for: request) { error in
                // The handler is called on any thread. It ends by itself.
                let reason = "\(error)"
                Task { @MainActor [weak self] in
                    guard let self else { return }
                    refuse("a scene for \(id): \(reason)")
                    try? host.discard(scene: id) { _ in }
                    note("Scenes.Discard", [:], id)
                }
            }
        }

        /// Has the system close a scene whose window the runtime has closed for good.
        func close(_ session: UISceneSession, of id: String) {
            guard case nil = try? host.scene(id) else { return }
            UIApplication.shared.requestSceneSessionDestruction(session, options: nil) { [weak self] error in
                let reason = "\(error)"
                Task { @MainActor in self?.refuse("closing a scene: \(reason)") }
            }
        }

        /// The window of a scene, to be saved; `nil` if there is none.
        func saved(_ id: String) -> KeptWindow? {
            guard let status = try? host.scene(id) else { return nil }
            // Another run has another key.
            return KeptWindow(state: secrets.revealed(status.window), owner: status.owner)
        }

        /// What goes on in the windows that do not rest, for messages.
        package var unsettled: [String] { windows.all.filter { !$0.isSettled }.map(\.progress) }

        /// Whether UIKit shows what the runtime says in every window, and nothing goes on.
        package var isSettled: Bool { windows.all.allSatisfy(\.isSettled) }
    }
#endif
