#if canImport(UIKit) && !os(watchOS)
    internal import Basics
    public import SceneEntryPoints
    internal import SceneNavigation
    public import SceneRouting
    public import SceneRuntime
    internal import StrictJSON
    public import UIKit

    /// An app whose windows the runtime drives: make one when the app launches, and let ``SceneWindowDelegate`` know it.
    @MainActor
    public final class SceneApp {
        /// The runtime. What changes windows is called here on the main actor only, because screens are made at once.
        package let host: SceneHost
        /// Called with what the app was given and the runtime refused, in words: for the app's log.
        public var onRefusal: (String) -> Void = { _ in }
        private let windows: Windows
        private let script = AppScript()
        /// The announced activities that have not come yet, by scene.
        private var announced: [String: String] = [:]
        private var lastResponse: String?

        /// The windows by scene, and what makes them.
        @MainActor
        final class Windows {
            weak var app: SceneApp?
            private var drivers: [String: Weak] = [:]

            private struct Weak {
                weak var driver: WindowDriver?
            }

            nonisolated init() {}

            /// Takes the window that ``SceneScreenFactory`` was just made for: the runtime makes its seam next, which keeps it.
            func add(_ driver: WindowDriver) {
                self[driver.id] = driver
                made = driver
            }

            private var made: WindowDriver?

            func takeSeam() -> WindowSeam? {
                defer { made = nil }
                return made.map(WindowSeam.init)
            }

            subscript(id: String) -> WindowDriver? {
                get { drivers[id]?.driver }
                set {
                    drivers = drivers.filter { $0.value.driver != nil }
                    drivers[id] = newValue.map { Weak(driver: $0) }
                }
            }

            var all: [WindowDriver] { drivers.values.compactMap(\.driver) }
        }

        /// Starts the runtime.
        ///
        /// - Parameters:
        ///   - id: What the records call this run of the app; unique among those whose records meet.
        ///   - code: The app's coordinators, in Swift. Its screens and its seam are those of this library.
        ///   - adapters: The app's adapters in Swift, besides those of the manifest.
        ///   - settings: The runtime's bounds. A transition ends with UIKit's, and after this duration at the latest.
        ///   - screens: Makes the factory of a window's view controllers.
        /// - Throws: What is wrong with the manifest, or does not fit the code and the adapters.
        public init(
            id: String,
            manifest: AppManifest,
            code: AppCode = AppCode(),
            adapters: [any EntryPointAdapter] = [],
            settings: HostSettings = SceneApp.usualSettings,
            clock: any RuntimeClock = SystemClock(),
            screens: @escaping @MainActor (WindowHandle) -> any SceneScreenFactory
        ) throws(ManifestProblems) {
            var code = code
            let windows = Windows()
            self.windows = windows
            code.screens = { scene in
                MainActor.assumeIsolated { () -> Carried<ScreenFactoryOnMain> in
                    let handle = WindowHandle(id: scene.id, app: windows.app)
                    let factory = screens(handle)
                    let driver = WindowDriver(id: scene.id, app: windows.app, factory: factory)
                    handle.driver = driver
                    windows.add(driver)
                    return Carried(value: ScreenFactoryOnMain(factory))
                }.value
            }
            code.seam = { _ in
                MainActor.assumeIsolated { () -> Carried<any NavigationSeam> in
                    Carried(value: windows.takeSeam() ?? NoSeam())
                }.value
            }
            let main = MainExecutor()
            host = try SceneHost(
                id: id,
                manifest: manifest,
                adapters: adapters,
                settings: settings,
                clock: clock,
                executors: HostExecutors(session: SerialJobQueue(), scene: { _ in main }),
                code: code
            )
            windows.app = self
        }

        /// Transitions of half a second at most, and secrets as they are: the app's screens show them.
        public nonisolated static var usualSettings: HostSettings {
            var settings = HostSettings(transitionDuration: .milliseconds(500))
            settings.secretKey = nil
            return settings
        }

        // MARK: - Who is signed in

        /// What all windows share.
        public var session: SessionSnapshot { host.session.snapshot }

        /// Signs a user in.
        ///
        /// - Throws: ``/SceneRuntime/SessionError`` if a fact is not declared, or its value is of another type.
        public func signIn(_ user: String, facts: [String: FactValue] = [:]) async throws(SessionError) {
            note("Session.SignIn", ["user": .string(user), "facts": .object(facts.json)])
            try await host.session.signIn(user: user, facts: facts)
        }

        /// Signs the user out.
        public func signOut() async {
            note("Session.SignOut", [:])
            await host.session.signOut()
        }

        /// Makes the sign-in stale.
        public func markStale() async {
            note("Session.MarkStale", [:])
            await host.session.markStale()
        }

        /// Sets and removes facts in one commit.
        ///
        /// - Throws: ``/SceneRuntime/SessionError`` if a fact is not declared, or its value is of another type.
        public func commit(set: [String: FactValue] = [:], remove: [String] = []) async throws(SessionError) {
            note("Session.Commit", ["set": .object(set.json), "remove": .array(remove.map(JSONValue.string))])
            try await host.session.commit(set: set, remove: remove)
        }

        // MARK: - What came of it

        /// The records that are kept, one a line: what `scenectl check` takes.
        public var records: String {
            host.records.read(after: 0).records.map { JSONValue.object($0.json).text() + "\n" }.joined()
        }

        /// What came to the app, one step a line, each event with what has come of it: what `scenectl play` takes.
        public var recording: String { script.text(of: host) }

        /// Stops the runtime, as it is told to before the app ends.
        public func stop() async { await host.drain(within: .zero) }

        // MARK: - Events

        /// Gives the runtime an event, such as a push that UIKit has handed to the app's delegate.
        ///
        /// - Parameters:
        ///   - scene: The scene that gets it; `nil` lets the runtime choose.
        ///   - done: Called once, with what has come of it; with `nil` if it was refused, which ``onRefusal`` is told.
        public func send(
            _ event: EntryEvent,
            to scene: String? = nil,
            done: @escaping @MainActor (Receipt?) -> Void = { _ in }
        ) {
            do throws(AdmissionError) {
                let admission = try host.admit(Submission(event, scene: scene))
                note(event.kind.call, event.json, scene, [admission])
                settle(admission, done)
            } catch {
                refuse("the \(event.kind.rawValue) event\(scene.map { " for \($0)" } ?? ""): \(error)")
                done(nil)
            }
        }

        func send(_ urls: URLSet, to scene: String) {
            do throws(AdmissionError) {
                let admissions = try host.admit(SetSubmission(urls, scene: scene))
                let tickets = admissions.map { $0.receipt.ticket ?? 0 }
                let order = tickets.indices.sorted { tickets[$0] < tickets[$1] }.map { JSONValue.integer($0 + 1) }
                let texts = urls.events.map { $0.json["url"] ?? .null }
                note("Events.OpenURLs", ["urls": .array(texts), "order": .array(order)], scene, admissions)
            } catch {
                refuse("the URLs for \(scene): \(error)")
            }
        }

        func submit(
            _ action: SceneAction,
            in scene: String,
            _ done: @escaping @MainActor (Receipt?) -> Void
        ) throws(AdmissionError) {
            let admission = try host.admit(Submission(action, scene: scene))
            let (call, parameters) = action.call
            note(call, parameters, scene, [admission])
            settle(admission, done)
        }

        private func settle(_ admission: SceneHost.Admission, _ done: @escaping @MainActor (Receipt?) -> Void) {
            host.whenReached(.settled, admission) { receipt in
                // It ends by itself.
                Task { @MainActor in done(receipt) }
            }
        }

        func refuse(_ what: String) { onRefusal(what) }

        /// Reads what UIKit handed over; what cannot be read is refused.
        func read<Value>(_ what: String, _ body: () throws(JSONFieldError) -> Value) -> Value? {
            do throws(JSONFieldError) {
                return try body()
            } catch {
                refuse("\(what): \(error)")
                return nil
            }
        }

        @discardableResult
        private func note(
            _ call: String,
            _ parameters: JSONObject,
            _ scene: String? = nil,
            _ admissions: [SceneHost.Admission] = []
        ) -> Int {
            var parameters = parameters
            if let scene { parameters["scene"] = .string(scene) }
            return script.note(call, parameters, at: host.uptime, events: admissions.map(\.receipt.event))
        }

        /// Notes an announced activity, and takes it back when it comes.
        func announce(_ type: String?, in scene: String) { announced[scene] = type }

        func isAnnounced(_ type: String, in scene: String) -> Bool { announced[scene] == type }

        /// Whether a response is another than the last: at a launch UIKit may hand over one twice, with the scene and by itself.
        func isNew(response: String) -> Bool {
            defer { lastResponse = response }
            return lastResponse != response
        }

        // MARK: - Windows

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
                guard case .sceneExists = error, windows[id] != nil else { return refuse("the scene \(id): \(error)") }
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
                let id = SceneID.of(session)
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
                application.openSessions.first { SceneID.of($0) == id }.map {
                    UISceneSessionActivationRequest(session: $0)
                }
                ?? UISceneSessionActivationRequest(role: .windowApplication, userActivity: SceneID.activity(for: id))
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
            return KeptWindow(state: status.window, owner: status.owner)
        }

        /// What goes on in the windows that do not rest, for messages.
        package var unsettled: [String] { windows.all.filter { !$0.isSettled }.map(\.progress) }

        /// Whether UIKit shows what the runtime says in every window, and nothing goes on.
        package var isSettled: Bool { windows.all.allSatisfy(\.isSettled) }
    }
#endif
