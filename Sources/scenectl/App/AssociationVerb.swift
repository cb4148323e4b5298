internal import ArgumentParser
internal import CommandConsole
internal import SceneRouting
internal import StrictJSON

struct AssociationVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "association",
        abstract: "Check apple-app-site-association files; needs no daemon.",
        subcommands: [Lint.self, Check.self]
    )

    struct Lint: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lint",
            abstract: "List likely mistakes in an association file.",
            discussion: """
                Example: scenectl association lint apple-app-site-association

                Exit status: 0 no errors, perhaps warnings; 1 errors.
                """
        )

        @Argument(help: "The association file, JSON, or - for standard input.", completion: .file())
        var file: String

        @Flag(help: "Print JSON.")
        var json = false

        @Flag(help: "Treat warnings as errors.")
        var strict = false

        func run() async throws {
            let diagnostics = AssociationFile.lint(try Input.text(file: file))
            let name = file == "-" ? "standard input" : file
            if json {
                print(json: ["diagnostics": .array(diagnostics.map(Self.json))])
            } else {
                for diagnostic in diagnostics { print("\(name):\(diagnostic)") }
            }
            let errors = diagnostics.filter { $0.severity == .error }.count
            guard errors == 0, !strict || diagnostics.isEmpty else { throw ExitCode(1) }
            if !json {
                print("\(name): valid, \(diagnostics.count) warning\(diagnostics.count == 1 ? "" : "s")")
            }
        }

        private static func json(_ diagnostic: AssociationDiagnostic) -> JSONValue {
            [
                "severity": .string(diagnostic.severity.rawValue), "code": .string(diagnostic.code.rawValue),
                "message": .string(diagnostic.message), "path": .string(diagnostic.path),
                "line": .integer(diagnostic.line), "column": .integer(diagnostic.column),
            ]
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Say which URLs an association file assigns to an app.",
            discussion: """
                Example: scenectl association check --file apple-app-site-association --domain shop.example \
                --app ABCDE12345.com.example.shop https://shop.example/product/p1

                With --batch it reads one case a line from standard input, {"aasa": …, "domain": …, "appId": …, "url": …}, and \
                writes {"decision": "match" | "exclude" | "noMatch"} for each.
                """
        )

        @Option(help: ArgumentHelp("The association file, JSON.", valueName: "file"), completion: .file())
        var file: String?

        @Option(help: "The domain that serves the file. Default: the domain of each URL.")
        var domain: String = ""

        @Option(help: ArgumentHelp("The app's ID, TEAM.bundle.", valueName: "id"))
        var app: String?

        @Flag(help: "Read cases from standard input, one a line.")
        var batch = false

        @Flag(help: "Show every rule that was tried for a URL, and why it matches or not.")
        var explain = false

        @Flag(help: "Print JSON.")
        var json = false

        @Argument(help: "The URLs to check.")
        var urls: [String] = []

        func validate() throws {
            if batch {
                guard file == nil, app == nil, urls.isEmpty else {
                    throw ValidationError(
                        "--batch reads everything from standard input; leave out --file, --app and URLs."
                    )
                }
            } else if file == nil || app == nil || urls.isEmpty {
                throw ValidationError("Give --file, --app and at least one URL, or --batch.")
            }
        }

        func run() async throws {
            if batch { return try filter() }
            guard let file, let app else { return }
            let association = try AssociationVerb.file(try Input.text(file: file), name: file)
            for url in urls {
                let decision = association.decide(url: url, appID: app, domain: domain)
                if json {
                    print(json: AssociationVerb.json(decision, url: url), .compact)
                } else {
                    print("\(decision.sentence)  \(url)")
                }
                guard explain, !json else { continue }
                for step in association.explain(url: url, appID: app, domain: domain) {
                    print("  \(step.passed ? "✓" : "✗") \(step.subject)  \(Terminal.styled(step.reason, .faint))")
                }
            }
        }

        private func filter() throws {
            var number = 0
            while let line = readLine() {
                number += 1
                if line.allSatisfy(\.isWhitespace) { continue }
                let place = "standard input, line \(number)"
                let test = try Input.object(line: line, name: place)
                guard let aasa = test["aasa"], let domain = test["domain"]?.stringValue,
                    let app = test["appId"]?.stringValue, let url = test["url"]?.stringValue
                else {
                    throw CommandError.usage("\(place): expected the members aasa, domain, appId and url.")
                }
                let text = aasa.stringValue ?? aasa.text()
                let decision = try AssociationVerb.file(text, name: place)
                    .decide(url: url, appID: app, domain: domain)
                print(json: ["decision": .string(decision.word)], .compact)
            }
        }
    }

    fileprivate static func file(_ text: String, name: String) throws(CommandError) -> AssociationFile {
        do {
            return try AssociationFile(parsing: text)
        } catch {
            throw .usage("\(name): \(error).")
        }
    }

    fileprivate static func json(_ decision: AssociationDecision, url: String) -> JSONValue {
        var object: JSONObject = ["url": .string(url), "decision": .string(decision.word)]
        if case .exclude(let component) = decision { object["component"] = .string(component) }
        return .object(object)
    }
}

extension AssociationDecision {
    fileprivate var word: String {
        switch self {
        case .match: "match"
        case .exclude: "exclude"
        case .noMatch: "noMatch"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .match: Terminal.styled("match    ", .green)
        case .exclude(let component): Terminal.styled("exclude  ", .red) + "by \(component)"
        case .noMatch: Terminal.styled("noMatch  ", .yellow)
        }
    }
}
