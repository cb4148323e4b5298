import Basics
import Foundation
import SceneManifest
import SceneRouting
import StrictJSON
import Subprocess
import TestFixtures
import Testing

extension ScriptExportTests {
    /// A call of each method there is.
    static var everything: [JSONObject] {
        var steps: [JSONObject] = [["call": "Scenes.Connect", "parameters": ["scene": "A"]]]
        let values: JSONObject = [
            "url": "qcommerce://cart", "urls": ["qcommerce://cart", "qcommerce://home"],
            "payload": ["aps": ["alert": "x"], "n": [1, 2.5, true, [:], []]], "gesture": "back",
            "activation": "background", "scene": "A", "user": "anna", "activityType": "x", "kind": "deals", "type": "t",
            "name": "n", "flow": "auth", "result": "completed", "milliseconds": 5, "point": "planned", "hold": "h",
            "set": ["cart": ["p1"]], "facts": ["cart": ["p1"]],
        ]
        for (interface, methods) in methods {
            for (method, parameters) in methods where "\(interface).\(method)" != "Control.Release" {
                let given = JSONObject(
                    parameters.compactMap { name in
                        interface == "Routing" && name == "user" || ["tab", "window"].contains(name)
                            ? nil : values[name].map { (name, $0) }
                    }
                )
                steps.append(["call": .string("\(interface).\(method)"), "parameters": .object(given)])
            }
        }
        return steps
    }

    /// The methods that the interface files declare, with their parameters, and not those whose replies are a stream.
    static let methods: [(interface: String, methods: [(String, [String])])] = {
        ["Adapters", "Control", "Events", "Manager", "Recording", "Records", "Routing", "Scenes", "Session"].map {
            name in
            let file = try? String(
                contentsOfFile: "\(ProtocolFilesTests.folder)/io.scened.\(name).varlink",
                encoding: .utf8
            )
            let text = (file ?? "").replacing(/#.*/, with: "")
            let found = text.matches(of: /method (\w+)\s*\(((?:[^()]|\([^()]*\))*)\)/).map { match in
                (String(match.output.1), match.output.2.matches(of: /(\w+)\s*:/).map { String($0.output.1) })
            }
            return (name, found)
        }
    }()

    @Test(
        "each method of the interfaces is known with its parameters, and another is named",
        arguments: ["pytest", "swift"]
    )
    func knowsMethods(target: String) async throws {
        #expect(Self.methods.flatMap(\.methods).count > 40)
        var steps: [JSONObject] = [["call": "Scenes.Connect", "parameters": ["scene": "A"]]]
        for (interface, methods) in Self.methods {
            for (method, parameters) in methods {
                let all = JSONObject(parameters.map { ($0, "A") })
                steps.append(["call": .string("\(interface).\(method)"), "parameters": .object(all)])
            }
        }
        let written = try await Self.export(Self.lines(steps), target)
        #expect(written.status == .exited(0), "\(written.errors)")
        #expect(written.output.components(separatedBy: "Step ").count == steps.count + 1)
        let wrong = try await Self.export(Self.lines([["call": "Events.OpenUrl"]]), target)
        #expect(wrong.status == .exited(2))
        #expect(wrong.errors.contains("step 1: call: 'OpenUrl' is no method of Events. Did you mean 'Events.OpenURL'?"))
    }

    @Test(
        "each error of the interfaces can be expected, and another is named",
        arguments: ["pytest", "swift", "scenario"]
    )
    func knowsErrors(target: String) async throws {
        var errors: Set<String> = []
        for (interface, _) in Self.methods {
            let file = "\(ProtocolFilesTests.folder)/io.scened.\(interface).varlink"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            errors.formUnion(text.matches(of: #/(?m)^error (\w+)/#).map { String($0.output.1) })
        }
        #expect(errors.count > 30)
        let steps: [JSONObject] = errors.sorted().map {
            ["call": "Session.SignIn", "parameters": ["user": "anna"], "expect": ["error": .string($0)]]
        }
        let written = try await Self.export(Self.lines(steps), target)
        #expect(written.status == .exited(0), "\(written.errors)")
        for error in errors { #expect(written.output.contains(error), "\(error)") }
        let wrong = try await Self.export(
            Self.lines([steps[0], ["call": "Session.SignOut", "expect": ["error": "UnknownRuote"]]]),
            target
        )
        #expect(wrong.status == .exited(2))
        #expect(
            wrong.errors.contains(
                "step 2: expect.error: 'UnknownRuote' is no error of the daemon. Did you mean 'UnknownRoute'?"
            ),
            "\(wrong.errors)"
        )
    }

    // MARK: - Texts

    /// Texts that are more than themselves for somebody who reads them, and one that would be a name outside of its literal.
    private static func hostileTexts(_ count: Int) -> [String] {
        let pieces = [
            "\"", "'", "\"\"\"", "'''", "\\", "\\(OUT)", "\\#(OUT)", "\"#", "{OUT}", "\n", "\r\n", "\u{85}", "\u{2028}",
            "\0", "\u{202E}", "\u{2066}", "\u{301}", "\u{FEFF}", "\u{7F}", "\u{E000}", "\u{10FFFF}", "é", "e\u{301}",
            "👩‍👧",
            ": ", " #", "- ", "%OUT", "&OUT", "*OUT", "!OUT", "|", ">", "@OUT", "`OUT`", "\")\nOUT(\"", "OUT", "\t",
            " ", "null",
            "[", "]", "{", "}", ",", "?",
        ]
        var numbers = SplitMix(seed: 5)
        return (0..<count).map { index in
            index == 0
                ? "x" + String(repeating: "\"\\é", count: 2_048)
                : "x"
                    + (0..<Int.random(in: 1...8, using: &numbers)).map { _ in
                        pieces.randomElement(using: &numbers) ?? ""
                    }
                    .joined()
        }
    }

    /// Steps with each text where a text can be.
    private static func hostileSteps(_ texts: [String]) -> [JSONObject] {
        var steps: [JSONObject] = [["call": "Scenes.Connect", "parameters": ["scene": "A"]]]
        for text in texts {
            let text = JSONValue.string(text)
            steps += [
                [
                    "call": "Events.OpenURL", "parameters": ["url": text, "scene": "A", "event": text],
                    "expect": ["receipt": ["outcome": "rejected", "reason": text]],
                ],
                [
                    "call": "Events.Push",
                    "parameters": ["payload": .object(JSONObject([(text.stringValue ?? "", text)]))],
                ],
                ["call": "Session.SignIn", "parameters": ["user": text]],
                [
                    "call": "Events.SendIntent",
                    "parameters": [
                        "name": text, "scene": "A", "parameters": .object(JSONObject([(text.stringValue ?? "", text)])),
                    ],
                ],
                [
                    "call": "Events.OpenURL", "parameters": ["url": text],
                    "expect": ["error": "UnknownRoute", "parameters": ["url": text]],
                ],
            ]
        }
        return steps
    }

    /// The literals of a text in Python or Swift, and what is beside them.
    private static func literals(_ source: String) throws -> (literals: [String], rest: String) {
        var literals: [String] = []
        var rest = ""
        var scalars = source.unicodeScalars.makeIterator()
        func next() throws -> Unicode.Scalar {
            let scalar = scalars.next()
            return try #require(scalar)
        }
        while let scalar = scalars.next() {
            guard scalar == "\"" else {
                rest.unicodeScalars.append(scalar)
                continue
            }
            var literal = String.UnicodeScalarView()
            while let scalar = scalars.next(), scalar != "\"" {
                guard scalar == "\\" else {
                    try #require(scalar != "\n", "a literal over several lines")
                    literal.append(scalar)
                    continue
                }
                var digits = ""
                switch try next() {
                case "n": literal.append("\n")
                case "r": literal.append("\r")
                case "t": literal.append("\t")
                case "u":
                    let first = try next()
                    if first == "{" {
                        while let digit = scalars.next(), digit != "}" { digits.unicodeScalars.append(digit) }
                    } else {
                        digits.unicodeScalars.append(first)
                        for _ in 0..<3 { digits.unicodeScalars.append(try next()) }
                    }
                case "U": for _ in 0..<8 { digits.unicodeScalars.append(try next()) }
                case let sign:
                    try #require(sign == "\"" || sign == "\\", "an unknown escape")
                    literal.append(sign)
                }
                if !digits.isEmpty {
                    literal.append(try #require(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)))
                }
            }
            literals.append(String(literal))
        }
        return (literals, rest)
    }

    @Test("whatever a text contains stays in its literal, byte by byte", arguments: ["pytest", "swift"])
    func hostileLiterals(target: String) async throws {
        let texts = Self.hostileTexts(80)
        let written = try await Self.export(Self.lines(Self.hostileSteps(texts)), target)
        try #require(written.status == .exited(0), "\(written.errors)")
        // A comment has no text of the script's here.
        let (literals, rest) = try Self.literals(written.output)
        #expect(!rest.contains("OUT"))
        // Nothing that an editor does not show by itself, or by which it turns a line around.
        let hidden = written.output.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\n"
            case .format, .nonspacingMark, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
            default: false
            }
        }
        #expect(hidden.isEmpty, "\(hidden.map(\.value))")
        #expect(rest.utf8.allSatisfy { $0 == UInt8(ascii: "\n") || (0x20..<0x7F).contains($0) })
        let bytes = Dictionary(grouping: literals.map { Array($0.utf8) }) { $0 }.mapValues(\.count)
        for text in texts { #expect(bytes[Array(text.utf8), default: 0] >= 9, "\(text.debugDescription)") }
        guard target == "pytest" else { return }
        // Python itself reads them so.
        let directory = try TemporaryDirectory()
        try written.output.write(toFile: "\(directory.path)/t.py", atomically: true, encoding: .utf8)
        let read = try await Program.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import ast, json, sys
                tree = ast.parse(open(sys.argv[1], "rb").read())
                print(json.dumps([node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]))
                """, "\(directory.path)/t.py",
            ]
        )
        let constants = try #require(try JSONValue(parsing: read.output).arrayValue).compactMap(\.stringValue)
        let found = Set(constants.map { Array($0.utf8) })
        for text in texts { #expect(found.contains(Array(text.utf8)), "\(text.debugDescription)") }
    }

    @Test("a scenario has the same texts, byte by byte")
    func hostileScenario() async throws {
        let texts = Self.hostileTexts(80)
        // The first one is longer than a key of YAML can be.
        let refused = try await Self.export(Self.lines(Self.hostileSteps(texts)), "scenario")
        #expect(refused.status == .exited(2))
        #expect(
            refused.errors.contains(
                "step 3: Events.Push cannot be written for a scenario: YAML has no key of more than 1,000 signs."
            )
        )
        let steps = Self.hostileSteps(texts).enumerated().filter { $0.offset != 2 && $0.offset != 4 }.map(\.element)
        let written = try await Self.export(Self.lines(steps), "scenario")
        try #require(written.status == .exited(0), "\(written.errors)")
        let scenario = try JSONValue(parsing: AppManifest.json(of: written.output))
        let read =
            (scenario["setup"]?.arrayValue ?? [])
            + (scenario["actors"]?.objectValue ?? [:]).flatMap { $0.value.arrayValue ?? [] }
        let urls = Set(read.compactMap { $0["openurl"]?.stringValue.map { Array($0.utf8) } })
        let users = Set(read.compactMap { $0["sign-in"]?.stringValue.map { Array($0.utf8) } })
        for text in texts {
            #expect(urls.contains(Array(text.utf8)) && users.contains(Array(text.utf8)), "\(text.debugDescription)")
        }
    }

    // MARK: - Secrets, names, options

    @Test("what is secret is asked of the environment, unless it is given")
    func secrets() async throws {
        let (one, two) = (
            "secret:1f3a" + String(repeating: "0", count: 20), "secret:1f3b" + String(repeating: "1", count: 20)
        )
        let script = Self.lines([
            ["call": "Scenes.Connect", "parameters": ["scene": "A"]],
            ["call": "Events.OpenURL", "parameters": ["url": .string("bank://reset/\(one)?x=\(two)"), "scene": "A"]],
            ["call": "Session.SignIn", "parameters": ["user": .string(two)]],
            ["call": "Session.Get", "expect": ["session": ["facts": ["token": .string(one), "n": 1]]]],
        ])
        let python = try await Self.export(script, "pytest")
        for line in [
            #"secret_1f3a = os.environ["SECRET_1F3A"]"#,
            #"a.open("bank://reset/" + quote(secret_1f3a, safe="") + "?x=" + quote(secret_1f3b, safe=""), wait="admitted")"#,
            "app.sign_in(secret_1f3b)", "# left out: the fact token, which is secret", "expect(app).to_have_facts(n=1)",
        ] { #expect(python.output.contains(line), "\(python.output)") }
        let swift = try await Self.export(script, "swift", ["--secret", "secret:1f3b=hunter2"])
        for line in [
            #"let secret1f3a = try #require(ProcessInfo.processInfo.environment["SECRET_1F3A"])"#,
            #"a.open("bank://reset/" + quote(secret1f3a) + "?x=hunter2", wait: .admitted)"#, #"app.signIn("hunter2")"#,
        ] { #expect(swift.output.contains(line), "\(swift.output)") }
        let scenario = try await Self.export(script, "scenario", ["--secret", "secret:1f3b=hunter2"])
        #expect(scenario.status == .exited(2))
        #expect(
            scenario.errors.contains("leaves out what is secret; give each value with --secret"),
            "\(scenario.errors)"
        )
    }

    @Test("names are valid, and none is given twice")
    func names() async throws {
        let windows = ["app", "class", "A", "a", "a-b", "a_b", "1", "-"]
        let script = Self.lines(
            windows.map { ["call": "Scenes.Connect", "parameters": ["scene": .string($0)]] }
                + windows.map {
                    [
                        "call": "Events.OpenURL", "parameters": ["url": "x://y", "scene": .string($0)],
                        "expect": ["receipt": ["outcome": "applied"]],
                    ]
                }
        )
        let python = try await Self.export(script, "pytest")
        let names = python.output.matches(of: #/(?m)^    (\w+) = /#).map { String($0.output.1) }
        #expect(names.count == 16 && Set(names).count == 16, "\(names)")
        #expect(Set(names).isDisjoint(with: ["app", "class", "1", "expect", "pytest"]))
        let swift = try await Self.export(script, "swift")
        let lets = swift.output.matches(of: /let (\w+) = try/).map { String($0.output.1) }
        #expect(lets.count == 16 && Set(lets).count == 16, "\(lets)")
        #expect(Set(lets).isDisjoint(with: ["app", "class", "1"]))
    }
}
