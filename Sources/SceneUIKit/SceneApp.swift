#if canImport(UIKit) && !os(watchOS)
    public import SceneEntryPoints
    internal import SceneNavigation
    public import SceneRouting
    public import SceneRuntime
    internal import StrictJSON

    /// An app whose windows the runtime drives: make one when the app launches, and let ``SceneWindowDelegate`` know it.
    @MainActor
    public final class SceneApp {
        /// The runtime. What changes windows is called here on the main actor only, because screens are made at once.
        package let host: SceneHost
        /// Called with what the app was given and the runtime refused, in words: for the app's log.
        public var onRefusal: (String) -> Void = { _ in }
        let windows: Windows
        let ids = SceneIDs()
        let script = AppScript()
        let secrets: SecretRevealing
        /// What stands for the secrets of earlier calls.
        let known = KnownSecrets()
        /// The announced activities that have not come yet, by scene.
        var announced: [String: String] = [:]
        var lastResponse: String?

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
        ///   - manifest: The app.
        ///   - code: The app's coordinators, in Swift. Its screens and its seam are those of this library.
        ///   - adapters: The app's adapters in Swift, besides those of the manifest.
        ///   - settings: The runtime's bounds. A transition ends with UIKit's, and after this duration at the latest. Screens are given
        ///     the values of secrets; records have placeholders for them, unless `secretKey` is `nil`.
        ///   - clock: The source of time.
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
            var (code, settings) = (code, settings)
            settings.secretKey = settings.secretKey?.remembering
            secrets = SecretRevealing(key: settings.secretKey)
            let windows = Windows()
            self.windows = windows
            let secrets = self.secrets
            code.screens = { scene in
                MainActor.assumeIsolated { () -> Carried<ScreenFactoryOnMain> in
                    let handle = WindowHandle(id: scene.id, app: windows.app)
                    let factory = screens(handle)
                    let driver = WindowDriver(id: scene.id, app: windows.app, factory: factory)
                    handle.driver = driver
                    windows.add(driver)
                    return Carried(value: ScreenFactoryOnMain(factory, secrets))
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
                executors: HostExecutors(session: main, scene: { _ in main }),
                code: code
            )
            windows.app = self
        }

        /// Transitions of half a second at most, and a key for the placeholders of secrets that is drawn for this run.
        public nonisolated static var usualSettings: HostSettings {
            var settings = HostSettings(transitionDuration: .milliseconds(500))
            var randomness = SystemRandomNumberGenerator()
            settings.secretKey = SecretKey(using: &randomness)
            return settings
        }

        /// The value for which a text stands that is the placeholder of a secret in this run, as facts, intents and receipts have
        /// them; any other text itself. Screens are given the values.
        public func revealed(_ text: String) -> String { secrets.revealed(text) }

        // MARK: - Who is signed in

        /// What all windows share. Facts that are secret are placeholders, see ``revealed(_:)``.
        public var session: SessionSnapshot { host.session.snapshot }

        /// Signs a user in, at once: an app that knows its user when it launches does so before it returns, and no scene is connected
        /// without.
        ///
        /// - Throws: ``/SceneRuntime/SessionError`` if a fact is not declared, or its value is of another type.
        public func signIn(_ user: String, facts: [String: FactValue] = [:]) throws(SessionError) {
            let number = note("Session.SignIn", ["user": .string(user), "facts": .object(facts.json)])
            try end(
                number,
                host.session.assumeIsolated { session in
                    Result { () throws(SessionError) in _ = try session.signIn(user: user, facts: facts) }
                }
            )
        }

        /// Signs the user out.
        public func signOut() {
            note("Session.SignOut", [:])
            host.session.assumeIsolated { _ = $0.signOut() }
        }

        /// Makes the sign-in stale.
        public func markStale() {
            note("Session.MarkStale", [:])
            host.session.assumeIsolated { _ = $0.markStale() }
        }

        /// Sets and removes facts in one commit.
        ///
        /// - Throws: ``/SceneRuntime/SessionError`` if a fact is not declared, or its value is of another type.
        public func commit(set: [String: FactValue] = [:], remove: [String] = []) throws(SessionError) {
            let number = note(
                "Session.Commit",
                ["set": .object(set.json), "remove": .array(remove.map(JSONValue.string))]
            )
            try end(
                number,
                host.session.assumeIsolated { session in
                    Result { () throws(SessionError) in _ = try session.commit(set: set, remove: remove) }
                }
            )
        }

        /// Takes back what the session has refused, whose executor is the main actor's.
        private func end(_ number: Int, _ result: Result<Void, SessionError>) throws(SessionError) {
            guard case .failure(let error) = result else { return }
            script.takeBack(number)
            throw error
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
    }
#endif
