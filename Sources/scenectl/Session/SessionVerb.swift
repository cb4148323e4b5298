internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneRouting
internal import StrictJSON

struct SessionVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Print or change the session that all windows share.",
        subcommands: [Get.self, SignIn.self, SignOut.self, MarkStale.self, Set.self],
        defaultSubcommand: Get.self
    )

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "get", abstract: "Print the session.")

        @OptionGroup var daemon: LastingDaemonOptions

        func run() async throws {
            Printing.session(try await daemon.connect().session(), json: daemon.json)
        }
    }

    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in",
            abstract: "Sign a user in; events that wait for this resume.",
            discussion: "Example: scenectl session sign-in anna --scene B"
        )

        @Argument(help: "The user.", completion: .users)
        var user: String

        @Option(help: ArgumentHelp("Facts to set in the same commit, a JSON object.", valueName: "json"))
        var facts: String?

        @Option(help: ArgumentHelp("Sign out again after this time.", valueName: "milliseconds"))
        var expires: Int?

        @Option(help: ArgumentHelp("Make the sign-in stale after this time.", valueName: "milliseconds"))
        var stale: Int?

        @Option(
            help: ArgumentHelp("The window in which it happens, for the records.", valueName: "id"),
            completion: .windows
        )
        var scene: String?

        @OptionGroup var daemon: DaemonOptions

        func run() async throws {
            let facts = try Input.object(facts, option: "--facts")
            let session = try await daemon.connect().signIn(
                user: user,
                facts: facts,
                expiresIn: expires.map { .milliseconds($0) },
                staleIn: stale.map { .milliseconds($0) },
                scene: scene
            )
            Printing.session(session, json: daemon.json)
        }
    }

    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out",
            abstract: "Sign out; windows drop the screens that need a signed-in user."
        )

        @Option(
            help: ArgumentHelp("The window in which it happens, for the records.", valueName: "id"),
            completion: .windows
        )
        var scene: String?

        @OptionGroup var daemon: DaemonOptions

        func run() async throws {
            Printing.session(try await daemon.connect().signOut(scene: scene), json: daemon.json)
        }
    }

    struct MarkStale: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mark-stale",
            abstract: "Make the sign-in stale; windows keep their screens, and gates ask to sign in again."
        )

        @Option(
            help: ArgumentHelp("The window in which it happens, for the records.", valueName: "id"),
            completion: .windows
        )
        var scene: String?

        @OptionGroup var daemon: DaemonOptions

        func run() async throws {
            Printing.session(try await daemon.connect().markStale(scene: scene), json: daemon.json)
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Set or remove facts in one commit.",
            discussion: "Example: scenectl session set cart='[\"p1004\"]' market=de"
        )

        @Argument(
            help:
                "Facts as name=value. A value that is not JSON is a string; so is a number, true or false for a fact of type string or date.",
            completion: .settings
        )
        var facts: [String] = []

        @Option(
            help: ArgumentHelp("Reset this fact to the app's default. May be repeated.", valueName: "fact"),
            completion: .facts
        )
        var remove: [String] = []

        @Option(help: ArgumentHelp("Fail if the session has another revision.", valueName: "revision"))
        var expect: Int?

        @Option(
            help: ArgumentHelp("The window in which it happens, for the records.", valueName: "id"),
            completion: .windows
        )
        var scene: String?

        @OptionGroup var daemon: DaemonOptions

        func validate() throws {
            if facts.isEmpty, remove.isEmpty {
                throw ValidationError("Nothing to set. Give facts as name=value, or --remove FACT.")
            }
        }

        func run() async throws {
            let set = try Input.facts(facts)
            let client = try await daemon.connect()
            let session = try await client.commit(
                set: try await texts(set, client),
                remove: remove,
                expectedRevision: expect,
                scene: scene
            )
            Printing.session(session, json: daemon.json)
        }

        /// The facts, with the text as given for a number or a truth value of one that is a text in the app.
        private func texts(_ set: JSONObject, _ client: SceneClient) async throws -> JSONObject {
            func isPlain(_ value: JSONValue) -> Bool {
                switch value {
                case .bool, .integer, .number: true
                case .null, .string, .array, .object: false
                }
            }
            guard set.contains(where: { isPlain($0.value) }), let app = try await client.readableApp() else {
                return set
            }
            let isText = Swift.Set(app.facts.lazy.filter { [.string, .date].contains($0.type) }.map(\.name))
            var set = set
            for word in facts {
                let (name, text) = try Input.pair(word, what: "fact")
                if isText.contains(name), set[name].map(isPlain) == true { set[name] = .string(text) }
            }
            return set
        }
    }
}
