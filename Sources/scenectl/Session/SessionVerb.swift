internal import ArgumentParser
internal import SceneClient
internal import StrictJSON

struct SessionVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Looks at and changes the session that all windows share.",
        subcommands: [Get.self, SignIn.self, SignOut.self, Set.self],
        defaultSubcommand: Get.self
    )

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "get", abstract: "Prints the session.")

        @OptionGroup var daemon: DaemonOptions

        func run() async throws {
            Printing.session(try await daemon.connect().session(), json: daemon.json)
        }
    }

    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in",
            abstract: "Signs a user in; windows that wait for that go on.",
            discussion: "Example: scenectl session sign-in anna --scene B"
        )

        @Argument(help: "Who signs in.")
        var user: String

        @Option(help: ArgumentHelp("Facts to set in the same commit, a JSON object.", valueName: "json"))
        var facts: String?

        @Option(help: ArgumentHelp("Sign out again after this time.", valueName: "milliseconds"))
        var expires: Int?

        @Option(help: ArgumentHelp("The window in which it happens, for the records.", valueName: "id"))
        var scene: String?

        @OptionGroup var daemon: DaemonOptions

        func run() async throws {
            let facts = try Input.object(facts, option: "--facts")
            let session = try await daemon.connect().signIn(
                user: user,
                facts: facts,
                expiresIn: expires.map { .milliseconds($0) },
                scene: scene
            )
            Printing.session(session, json: daemon.json)
        }
    }

    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out",
            abstract: "Signs out; windows drop what needed somebody signed in."
        )

        @Option(help: ArgumentHelp("The window in which it happens, for the records.", valueName: "id"))
        var scene: String?

        @OptionGroup var daemon: DaemonOptions

        func run() async throws {
            Printing.session(try await daemon.connect().signOut(scene: scene), json: daemon.json)
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Sets or removes facts in one commit.",
            discussion: "Example: scenectl session set cart='[\"p1004\"]' market=de"
        )

        @Argument(help: "Facts as name=value; the value is JSON, or text as it is.")
        var facts: [String] = []

        @Option(help: ArgumentHelp("A fact to reset to what the app declares; may be repeated.", valueName: "fact"))
        var remove: [String] = []

        @Option(help: ArgumentHelp("Refuse when the session has another revision.", valueName: "revision"))
        var expect: Int?

        @Option(help: ArgumentHelp("The window in which it happens, for the records.", valueName: "id"))
        var scene: String?

        @OptionGroup var daemon: DaemonOptions

        func validate() throws {
            if facts.isEmpty, remove.isEmpty {
                throw ValidationError("Nothing to set. Give facts as name=value, or --remove FACT.")
            }
        }

        func run() async throws {
            let set = try Input.facts(facts)
            let session = try await daemon.connect().commit(
                set: set,
                remove: remove,
                expectedRevision: expect,
                scene: scene
            )
            Printing.session(session, json: daemon.json)
        }
    }
}
