internal import SceneRouting
internal import SceneVocabulary

// What the files say.
extension ManifestFiles {
    /// `App.swift`: what the others take from the package.
    var appFile: String {
        """
        public import SceneEntryPoints
        public import SceneRuntime

        /// The app: its manifest, and what the manifest leaves to code. The daemon and the tests take it from here, as the app does.
        public enum App {
            /// The manifest, as YAML.
            public static let manifest = String(decoding: PackageResources.\(app)_yaml, as: UTF8.self)

            /// The coordinators, by the flows that they are for; every other flow follows the manifest.
            public static func code(switches: Switches = Switches()) -> AppCode {
                AppCode(
                    coordinators: [
                        "root": { AppRoot(switches: switches) },
                        \(Self.literal(flow.key)): { \(flow.type)(switches: switches) },
                    ],
                    routes: Routes.written
                )
            }

            /// What turns events into destinations, besides what the manifest declares.
            public static let adapters: [any EntryPointAdapter] = [\(adapter)()]
        }

        """
    }

    /// The coordinator of a place.
    func coordinator(_ place: Place) -> String {
        let intents = place.intents.map { "    /// - `\($0.name)`\n" }.joined()
        let list =
            place.intents.isEmpty
            ? "" : "    /// It declares these intents; decide here about those that the manifest cannot:\n\(intents)"
        return """
            import SceneNavigation
            import SceneRouting

            /// Decides for \(place.what): what is switched off is refused, all else is done as the manifest declares.
            final class \(place.type): FlowCoordinator {
                private let switches: Switches
                private let declared: any FlowCoordinator = \(place.declared)

                init(switches: Switches) {
                    self.switches = switches
                }

                func start(context: FlowContext) -> [Destination] { declared.start(context: context) }

            \(list)    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
                    if switches.isOff(intent.name) { throw SwitchedOff(intent: intent.name) }
                    return try declared.handle(intent, from: screen, context: context)
                }

                func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand] {
                    declared.finished(result, context: context)
                }

                func childFinished(_ flow: String, _ result: FlowResult, context: FlowContext) throws -> [FlowCommand] {
                    try declared.childFinished(flow, result, context: context)
                }
            }

            """
    }

    /// `Switches.swift`: what the coordinators ask.
    static let switches = """
        import Synchronization

        /// Which intents are switched off, as a server says. Each window has a thread of its own, and a coordinator decides at once: so the
        /// last answer is at hand, and whoever refreshes it, such as the app when it comes to the foreground, waits for the next.
        public final class Switches: Sendable {
            private struct State {
                var off: Set<String> = []
                /// How often the server was asked, and the request whose answer counts.
                var (asked, answered) = (0, 0)
            }

            private let state = Mutex(State())
            private let fetch: @Sendable () async -> Set<String>

            /// - Parameter fetch: Asks the server for the names of the intents that are off; put yours here.
            public init(fetch: @escaping @Sendable () async -> Set<String> = { [] }) {
                self.fetch = fetch
            }

            /// Whether an intent of this name is off, by the last answer.
            public func isOff(_ intent: String) -> Bool { state.withLock { $0.off.contains(intent) } }

            /// Asks the server again.
            public func refresh() async {
                let request = state.withLock { state in
                    state.asked += 1
                    return state.asked
                }
                let off = await fetch()
                state.withLock { state in
                    // Another request may have begun later and been answered before: RaceTests says what follows.
                    guard request > state.answered else { return }
                    (state.off, state.answered) = (off, request)
                }
            }
        }

        /// An intent that is switched off.
        struct SwitchedOff: Error, CustomStringConvertible {
            let intent: String
            var description: String { "'\\(intent)' is switched off" }
        }

        """

    /// What puts the adapter before those that the manifest declares for pushes, if it declares any.
    private var priority: String {
        let declared = manifest.adapters.filter { $0.kinds.contains("push") }.map(\.priority).max()
        return declared.map { "\n    let priority = \($0 < Int.max ? $0 + 1 : $0)" } ?? ""
    }

    /// The adapter.
    var adapterFile: String {
        guard let destination else {
            return """
                internal import SceneEntryPoints

                /// Takes pushes about a place, `{"aps": {…}, "place": {}}`. No destination of the app can be named here, so nothing is shown.
                struct \(adapter): EntryPointAdapter {
                    let name = \(Self.literal(adapterName))
                    let kinds: Set<EntryKind> = [.push]\(priority)

                    func adapt(_ event: EntryEvent) -> AdapterAnswer {
                        guard case .push(let push) = event.content, push.payload.custom["place"] != nil else {
                            return .declined(reason: "payload.place is absent")
                        }
                        return .request(.handled)
                    }
                }

                """
        }
        let names = destination.parameters.map { Self.literal($0.name) }.joined(separator: ", ")
        return """
            internal import SceneEntryPoints
            import SceneRouting
            import StrictJSON

            /// Takes pushes that lead to '\(destination.id)', `{"aps": {…}, "place": {…}}`, with its parameters as members of the place. What it
            /// allows and what has to hold, the manifest says; whatever is no text is refused here.
            struct \(adapter): EntryPointAdapter {
                let name = \(Self.literal(adapterName))
                let kinds: Set<EntryKind> = [.push]\(priority)

                /// The parameters of the destination.
                private static let parameters: [String] = [\(names)]

                func adapt(_ event: EntryEvent) -> AdapterAnswer {
                    guard case .push(let push) = event.content, let place = push.payload.custom["place"] else {
                        return .declined(reason: "payload.place is absent")
                    }
                    var values: [String: String] = [:]
                    for name in Self.parameters {
                        guard let value = place[name] else { continue }
                        guard let text = value.stringValue else { return .refused(reason: "payload.place.\\(name) is not text") }
                        values[name] = text
                    }
                    return .request(.destination(Destination(id: \(Self.literal(destination.id)), parameters: values)))
                }
            }

            """
    }

    /// `CoordinatorTests.swift`.
    var coordinatorTests: String {
        func tests(_ place: Place, _ name: String) -> String {
            let title = Self.literal("\(place.what) refuses what is switched off, and does all else as declared")
            let intents = (place.intents.map(\.name) + ["undeclared"]).map { "            \(Self.literal($0)),\n" }
                .joined()
            return """
                    @Test(\(title))
                    func \(name)() async throws {
                        let declared = \(place.declared)
                        let intents: Set = [
                \(intents)        ]
                        let switches = Switches { intents }
                        let coordinator = \(place.type)(switches: switches)
                        #expect(coordinator.start(context: context) == declared.start(context: context))
                        for name in intents {
                            let intent = Intent(name: name)
                            let done = try? coordinator.handle(intent, from: screen, context: context)
                            #expect(done == (try? declared.handle(intent, from: screen, context: context)))
                        }
                        await switches.refresh()
                        for name in intents {
                            #expect(throws: SwitchedOff.self) {
                                try coordinator.handle(Intent(name: name), from: screen, context: context)
                            }
                        }
                    }
                """
        }
        return """
            import SceneManifest
            import SceneNavigation
            import SceneRouting
            import SceneRuntime
            import SceneTesting
            import Testing

            @testable import \(app)

            /// Coordinators are functions of what they are told, and are tested as such; the last test has the whole runtime in this process.
            @Suite("Coordinators")
            struct CoordinatorTests {
                private let manifest: AppManifest
                private let context: FlowContext
                private let screen = Destination(id: "somewhere")

                init() throws {
                    manifest = try AppManifest.read(App.manifest, file: "\(app).yaml").manifest
                    context = FlowContext(session: RoutingContext(), screens: [], engine: try RoutingEngine(manifest: manifest))
                }

            \(tests(root, "root"))

            \(tests(flow, "flow"))

                @Test("a window begins as the manifest alone would have it")
                func beginning() async throws {
                    var windows: [WindowState] = []
                    for code in [App.code(), AppCode()] {
                        try await withApp(manifest, code: code, exhaustivity: .off) { app in
                            windows.append(try await app.connect("A").window)
                        }
                    }
                    #expect(windows[0] == windows[1])
                }
            }

            """
    }

    /// The tests of the adapter.
    var adapterTests: String {
        let dictionary = "[\(members(empty: ":"))]"
        let request =
            place.map { ".destination(Destination(id: \(Self.literal($0.id)), parameters: \(dictionary)))" }
            ?? ".handled"
        let wrong = members.first.map { name, _ in
            let reason = Self.literal("payload.place.\(name) is not text")
            return "\n        ([\"aps\": [:], \"place\": [\(Self.literal(name)): 7]], .refused(reason: \(reason))),"
        }
        return """
            import SceneEntryPoints
            import SceneRouting
            import StrictJSON
            import Testing

            @testable import \(app)

            /// An adapter is a function of an event, and is tested as one.
            @Suite("The adapter of pushes about a place")
            struct \(adapter)Tests {
                private static let cases: [(payload: JSONObject, answer: AdapterAnswer)] = [
                    (["aps": [:], "place": \(dictionary)], .request(\(request))),
                    (["aps": [:], "url": "x://y"], .declined(reason: "payload.place is absent")),\(wrong ?? "")
                ]

                @Test("leads to the place, and says why it takes nothing else", arguments: cases)
                func answers(payload: JSONObject, answer: AdapterAnswer) throws {
                    #expect(\(adapter)().adapt(try .push(payload: payload)) == answer)
                }
            }

            """
    }

    /// `RaceTests.swift`: the first race of the manifest, and one of ``switches``.
    func raceTests(_ race: FirstRace) -> String {
        """
        import InterleavingTesting
        import \(app)
        import SceneRaces
        import SceneRacesTesting
        import SceneRuntime
        import Synchronization
        import Testing

        /// The app as its races run it; each order begins with code of its own.
        private let app = RaceApp(manifest: App.manifest, name: "\(app).yaml", code: App.code(), adapters: App.adapters)

        /// What happens at the same time, in every order in which windows and tasks can run: time is virtual, and the seed repeats a run.
        @Suite("At the same time")
        struct RaceTests {
            /// The scenario is a file, which the program takes, too: `\(app.lowercased())-scened race \(race.name)`. \(
                race.hasEnd ? "See it fail: expect\n    /// another place there." : "Say\n    /// there what must hold in the end."
            )
            @Test(
                "\(race.title)",
                .race("../Scenarios/\(race.name).yaml", in: app, iterations: 200, seed: 1)
            )
            func first() {}

            /// Answers each request when somebody else has had a turn: the first with 'one', the second with 'two'.
            private final class Server: Sendable {
                private let answers = Mutex(["one", "two"])

                func answer() async -> Set<String> {
                    let answer = answers.withLock { $0.removeFirst() }
                    await Task.yield()
                    return [answer]
                }
            }

            /// See it fail: in Switches, remove the line `guard request > state.answered else { return }`.
            ///
            /// The answer to the first request then counts if it comes last, and what was switched off since is on again.
            @Test("of two refreshes at once the last one counts", .interleavings(iterations: 200, seed: 1))
            func lastCounts() async {
                let server = Server()
                let switches = Switches { await server.answer() }
                async let first: Void = switches.refresh()
                async let second: Void = switches.refresh()
                _ = await (first, second)
                #expect(switches.isOff("two") && !switches.isOff("one"))
            }
        }

        """
    }

    /// The tests in Python.
    var python: String {
        """
        \"\"\"The app behind a socket: the daemon that this package builds, with real windows and virtual time.\"\"\"

        from scened import App, expect


        def test_a_window_begins_as_declared(app: App) -> None:
            window = app.window("A")
            expect(window).to_show(\(Self.literal(firstScreen ?? "")))


        def test_the_adapter_takes_a_push(app: App) -> None:
            window = app.window("A")
            window.push({"aps": {"alert": "Look"}, "place": {\(members(empty: ""))}})
            taken = [record["adapter"] for record in app.records(kinds=["\(RecordKind.eventAdmitted.rawValue)"])]
            assert taken == [\(Self.literal(adapterName))]

        """
    }
}
