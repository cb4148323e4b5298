internal import ArgumentParser
internal import Basics
internal import CommandConsole
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON
internal import TypedRoutes

extension AppVerb {
    struct Swift: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "swift",
            abstract: "Write an app's destinations, intents, flows and facts as Swift types, from its manifest.",
            discussion: """
                Example: scenectl app swift my.yaml --output Sources/MyApp/MyAppRoutes.swift

                What is misspelt in code that uses them is then an error of the compiler. The build tool plugin SceneRoutes of the package \
                scened writes them at each build.
                """
        )

        @Argument(help: "The manifest, YAML or JSON, or an example by its name.", completion: .apps)
        var file: String

        @Option(
            help: ArgumentHelp("The file to write; without it, the standard output.", valueName: "file"),
            completion: .file(extensions: ["swift"])
        )
        var output: String?

        @Option(
            name: .customLong("as"),
            help: ArgumentHelp("The type in which all others are; by default it has the app's name.", valueName: "name")
        )
        var name: String?

        @Option(help: "Who sees the types: internal, package or public.")
        var access = SwiftRoutes.Access.internal

        @Flag(help: "Print the source, or the name of the file written, as JSON.")
        var json = false

        func validate() throws {
            if output == "-" { throw ValidationError("--output -: leave it out for the standard output.") }
            guard let name, !SwiftRoutes.isName(name) else { return }
            throw ValidationError(
                "--as \(name): expected the name of a type, letters and digits that begin with a capital, such as MyApp, which "
                    + "Swift and the types themselves do not use."
            )
        }

        func run() async throws {
            try Files.check("--output", output, keeps: [file])
            let routes = SwiftRoutes(
                try ManifestFile.read(file),
                from: ExampleApp.isName(file)
                    ? "\(file).yaml" : file.split(separator: "/").last.map(String.init) ?? file,
                as: name,
                access: access
            )
            let (text, numbered) = routes.written()
            for name in numbered { Terminal.complain("\(file): warning: \(name).") }
            let list = JSONValue.array(numbered.map(Self.json))
            guard let output else {
                if json { return print(json: ["source": .string(text), "numbered": list]) }
                return print(text, as: .page, terminator: "")
            }
            // What cannot be read as a text was written by somebody else, too; a pipe or a device keeps nothing.
            if Files.isRegular(output), !((try? Input.text(file: output)).map(SwiftRoutes.isWritten) ?? false) {
                throw CommandError.usage(
                    "\(output) was not written by 'scenectl app swift', and is left as it is; expected another file."
                )
            }
            try Files.write(text, to: output, isPrivate: false, replacing: true)
            if json { print(json: ["file": .string(output), "numbered": list]) }
        }

        /// `{"name": "buy-now", "identifier": "Shop.Destination.buyNow_2", "message": "…"}`
        private static func json(_ name: NumberedName) -> JSONValue {
            .object([
                "name": .string(name.name), "identifier": .string(name.identifier), "message": .string("\(name)"),
            ])
        }
    }
}

extension SwiftRoutes.Access: ExpressibleByArgument {}
