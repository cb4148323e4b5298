internal import AppTemplate
internal import ArgumentParser
internal import Basics
internal import CommandConsole
internal import StrictJSON

extension AppVerb {
    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Write a package to start from: an app, its daemon and its tests, all of which build and pass.",
            discussion: """
                Examples:
                  scenectl app new MyApp --swift && cd MyApp && swift test
                  scenectl app new Club --swift --from club.yaml

                The folder then has a manifest, two coordinators, an adapter, a daemon, tests in Swift, a race, tests in Python and a \
                recipe for CI; its README says what is what. Nothing that exists is written over.

                scened has no published address yet. Without --scened the package depends on the sources that this scenectl was built \
                from, by a path relative to the new folder.
                """
        )

        @Argument(help: "The name of the app and its folder: letters and digits of ASCII, beginning with a letter.")
        var name: String

        @Flag(help: "Write it in Swift, the language in which an app's coordinators are.")
        var swift = false

        @Option(
            help: ArgumentHelp(
                "Begin with this manifest, or an example by its name; coordinators and adapter are made for what it declares.",
                valueName: "file"
            ),
            completion: .apps
        )
        var from: String?

        @Option(
            help: ArgumentHelp("Where to create the folder; it has to be there.", valueName: "folder"),
            completion: .directory
        )
        var directory = "."

        @Option(
            help: ArgumentHelp(
                "The folder of scened's sources, or the URL of a repository of them.",
                valueName: "folder|url"
            ),
            completion: .directory
        )
        var scened: String?

        @Option(help: ArgumentHelp("With a URL: the lowest version, such as 1.2.0.", valueName: "version"))
        var scenedVersion: String?

        @Option(help: ArgumentHelp("With a URL: the branch.", valueName: "branch"))
        var scenedBranch: String?

        @Flag(help: "Print the files written as JSON.")
        var json = false

        func validate() throws {
            if let problem = PackageName.problem(name) { throw ValidationError(problem) }
            guard swift else {
                throw ValidationError("Missing --swift: coordinators are written in Swift; there is no other language.")
            }
            try ScenedSources.check(scened, version: scenedVersion, branch: scenedBranch)
        }

        func run() async throws {
            try Files.check("--directory", folder: directory)
            let folder = directory == "." ? name : "\(directory)/\(name)"
            try Files.checkFree(folder)
            let manifest = try from.map(GivenManifest.init)
            let sources = try ScenedSources(
                scened,
                version: scenedVersion,
                branch: scenedBranch,
                for: "\(try Files.realPath(directory))/\(name)"
            )
            var beginning: NewPackage.Beginning?
            if let manifest {
                beginning = NewPackage.Beginning(manifest: manifest, race: await FirstRace(of: manifest.manifest))
            }
            let package = NewPackage(name: name, sources: sources, beginning: beginning)
            for numbered in package.numbered { Terminal.complain("\(from ?? name): warning: \(numbered).") }
            let files = package.files.map {
                (path: "\(folder)/\($0.path)", text: $0.text)
            }
            for (path, text) in files {
                try Files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
                try Files.write(text, to: path, isPrivate: false)
            }
            if json { return print(json: ["files": .array(files.map { .string($0.path) })]) }
            for file in files { print(file.path) }
            if let from, manifest?.namedFiles == true {
                print("\(from) names other files; their content is in the new manifest, which is JSON therefore.")
            }
            print(
                """

                Next, in this order; README.md says more:
                  cd \(folder.shellWord)
                  swift build                    # the first time it compiles scened, which takes minutes
                  swift test
                  python3 -m venv .venv && .venv/bin/pip install "\(sources.pythonPackage)[pytest]"
                  .venv/bin/pytest
                """,
                as: .page
            )
        }
    }
}
