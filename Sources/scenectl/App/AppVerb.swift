internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

struct AppVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract:
            "Start an app, check manifests, compare two apps, write them as Swift, print the examples, and show the one that a daemon runs.",
        subcommands: [New.self, Validate.self, Compare.self, Swift.self, Examples.self, Print.self, Show.self]
    )

    struct Validate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate",
            abstract: "List every problem in a manifest, with line and column.",
            discussion: "Exit status: 0 the manifest is valid, perhaps with warnings; 1 it is not."
        )

        @Argument(help: "The manifest, YAML or JSON, or an example by its name.", completion: .apps)
        var file: String

        @Flag(help: "Print JSON.")
        var json = false

        @Flag(help: "Treat warnings as errors.")
        var strict = false

        func run() async throws {
            let problems = try ManifestFile.problems(file)
            if json {
                print(json: ["problems": .array(problems.map(Self.json))])
            } else {
                for problem in problems { print("\(problem)") }
            }
            let errors = problems.filter { $0.severity == .error }.count
            guard errors == 0, !strict || problems.isEmpty else { throw ExitCode(1) }
            if !json {
                print("\(file): valid, \(problems.count) warning\(problems.count == 1 ? "" : "s")")
            }
        }

        private static func json(_ problem: ManifestProblem) -> JSONValue {
            var object: JSONObject = [
                "severity": .string(problem.severity.rawValue), "key": .string(problem.key),
                "message": .string(problem.message),
            ]
            object["expected"] = problem.expected.map(JSONValue.string)
            object["suggestion"] = problem.suggestion.map(JSONValue.string)
            object["file"] = problem.file.map(JSONValue.string)
            object["line"] = problem.line.map(JSONValue.integer)
            object["column"] = problem.column.map(JSONValue.integer)
            return .object(object)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print the manifest that the daemon runs, as JSON that can be read as a manifest.",
            discussion: """
                Examples: scenectl app show > app.json && scenectl records --json | scenectl check --app app.json -

                Records name each manifest by its digest. The daemon keeps the 16 that were in force last.
                """
        )

        @Argument(help: "The digest of an earlier manifest, from a record; without it, that of the one in force.")
        var digest: String?

        @OptionGroup var daemon: DaemonOptions

        func validate() throws {
            guard let digest else { return }
            let isDigest = digest.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
            if digest.utf8.count != 16 || !isDigest {
                throw ValidationError("'\(digest)' is no digest; expected 16 hexadecimal digits, as records have them.")
            }
        }

        func run() async throws {
            guard let text = try await daemon.connect().manifest(digest) else {
                throw CommandError(message: "The daemon is too old to show its manifest.", status: .refused)
            }
            guard let manifest = try? JSONValue(parsing: text) else {
                throw CommandError(message: "The daemon's manifest is not JSON.", status: .refused)
            }
            print(json: manifest)
        }
    }

    struct Examples: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "examples",
            abstract: "List the apps that ship as examples; each name can be given to --app."
        )

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            if json {
                let list = ExampleApp.allCases.map { example in
                    JSONValue.object(["name": .string(example.rawValue), "summary": .string(example.summary)])
                }
                return print(json: .array(list))
            }
            for example in ExampleApp.allCases {
                print("\(Terminal.styled(example.rawValue, .bold))\n    \(example.summary)", as: .page)
            }
        }
    }

    struct Print: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "print",
            abstract: "Print the manifest of an example, to start from.",
            discussion: "Example: scenectl app print bank > my.yaml"
        )

        @Argument(help: "Its name, as 'scenectl app examples' lists it.", completion: .examples)
        var example = ExampleApp.shop.rawValue

        @Flag(help: "Print it as JSON, which can be read as a manifest, too; its comments are left out.")
        var json = false

        func run() async throws {
            guard let app = ExampleApp(rawValue: example) else {
                throw CommandError.usage(ExampleApp.unknown(example))
            }
            if json { return print(json: try JSONValue(parsing: AppManifest.json(of: app.text))) }
            print(app.text, as: .page, terminator: "")
        }
    }
}
