internal import ArgumentParser
internal import CommandConsole
internal import StrictJSON

extension AdapterVerb {
    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Create a working adapter to start from, with a test that passes.",
            discussion: """
                Examples:
                  scenectl adapter new campaign --language python && cd campaign && python3 -m unittest
                  scenectl adapter new campaign --language swift --scened ~/scened && cd campaign && swift test
                """
        )

        enum Language: String, ExpressibleByArgument, CaseIterable {
            case swift, python
        }

        @Argument(help: "The name of the adapter and its folder: letters, digits and hyphens, beginning with a letter.")
        var name: String

        @Option(help: "swift for an adapter linked into the app, python for one that runs as a separate process.")
        var language: Language

        @Option(
            help: ArgumentHelp("Where to create the folder; it has to be there.", valueName: "folder"),
            completion: .directory
        )
        var directory = "."

        @Option(
            help: ArgumentHelp(
                "The folder of scened's sources, for Swift; absolute, or relative to the new folder.",
                valueName: "folder"
            )
        )
        var scened = "../scened"

        @Flag(help: "Print the files written as JSON.")
        var json = false

        func validate() throws {
            let isName =
                (1...64).contains(name.utf8.count) && name.first?.isLetter == true
                && name.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
            guard isName else {
                throw ValidationError("'\(name)': expected letters, digits and hyphens, beginning with a letter.")
            }
        }

        func run() async throws {
            try Files.check("--directory", folder: directory)
            let folder = directory == "." ? name : "\(directory)/\(name)"
            try Files.checkFree(folder)
            let files =
                language == .swift ? SwiftSkeleton.files(name: name, scened: scened) : PythonSkeleton.files(name: name)
            var written: [String] = []
            for (path, text) in files {
                let file = "\(folder)/\(path)"
                try Files.makeFolder(String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)]))
                try Files.write(text, to: file, isPrivate: false)
                written.append(file)
                if !json { print(file) }
            }
            if json { print(json: ["files": .array(written.map(JSONValue.string))]) }
        }
    }
}
