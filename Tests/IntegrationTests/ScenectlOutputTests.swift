import Basics
import Foundation
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

/// What a daemon says may come from anybody: a user's name, a payload, a reason. None of it has power over the terminal, file or
/// program that scenectl writes to. The interfaces say which texts there are.
@Suite("scenectl's output of hostile texts", .timeLimit(.minutes(15)))
struct ScenectlOutputTests {
    /// Colours, the cursor, a title, the direction of writing, further lines, and an end.
    static let hostile =
        "x\u{1B}[31mevil\u{1B}[0m\u{1B}[2J\u{1B}]0;evil\u{7}\u{9B}31m\u{85}\u{7F}\u{8}\t\u{202E}\u{2066}\u{61C}\u{2028}\u{2029}\u{FEFF}\u{E0001}\0\r\nforged"

    /// A daemon that answers every call with hostile texts, in the shape that the interface files give.
    private final class HostileDaemon: Sendable {
        /// How it answers now.
        struct Manner: Sendable {
            /// Whether words of a vocabulary are hostile too, and every member that may be missing is there.
            var isWild = true
            /// The error to answer with.
            var error: VarlinkError?
        }

        let manner = Guarded(Manner())
        private let interfaces: [VarlinkInterface]

        init() throws {
            interfaces = try ProtocolFilesTests.files.map {
                try VarlinkInterface(parsing: try ProtocolFilesTests.text($0))
            }
        }

        /// Every error that is declared, with hostile details.
        var errors: [VarlinkError] {
            let declared = interfaces.flatMap { interface in
                interface.members.compactMap { member -> VarlinkError? in
                    guard case .error(let fields) = member.kind else { return nil }
                    return VarlinkError("\(interface.name).\(member.name)", object(fields, in: interface, true))
                }
            }
            let standard = [
                ("InvalidParameter", "parameter"), ("MethodNotFound", "method"), ("InterfaceNotFound", "interface"),
                ("PermissionDenied", "role"),
            ].map { name, member in
                let details: JSONObject = [member: .string(hostile), "reason": .string(hostile)]
                return VarlinkError("org.varlink.service.\(name)", details)
            }
            return declared + standard + [VarlinkError("x.\(hostile)", [hostile: .string(hostile)])]
        }

        func run(_ body: (_ socket: String) async throws -> Void) async throws {
            let directory = try TemporaryDirectory()
            let services = try ProtocolFilesTests.files.map { file in
                var service = try VarlinkService(interface: try ProtocolFilesTests.text(file))
                for method in service.interface.methodNames {
                    try service.on(method) { [interface = service.interface] _, responder in
                        let manner = self.manner.withLock { $0 }
                        if let error = manner.error { return _ = responder.fail(error) }
                        let results = interface.method(method)?.results ?? []
                        responder.reply(self.object(results, in: interface, manner.isWild))
                    }
                }
                return service
            }
            let server = try VarlinkServer(
                services: services,
                identity: VarlinkIdentity(vendor: "test", product: "test", version: "0", url: "https://scened.example")
            )
            try await server.listen(path: "\(directory.path)/socket")
            do {
                try await body("\(directory.path)/socket")
            } catch {
                Issue.record("\(error)")
            }
            await server.shutDown()
        }

        private func object(_ fields: [VarlinkField], in interface: VarlinkInterface, _ isWild: Bool) -> JSONObject {
            JSONObject(
                fields.map { field in
                    let isHistory = interface.name == "io.scened.Records" && field.name == "records"
                    return (field.name, isHistory ? records(isWild) : value(field.type, in: interface, isWild))
                }
            )
        }

        private func value(_ type: VarlinkType, in interface: VarlinkInterface, _ isWild: Bool) -> JSONValue {
            switch type {
            case .bool: true
            case .int: 1
            case .float: 1.5
            case .string: .string(hostile)
            case .object: [hostile: .string(hostile), "a": [.string(hostile)]]
            case .nullable(let type): isWild ? value(type, in: interface, isWild) : .null
            case .array(let type): [value(type, in: interface, isWild)]
            case .dictionary(let type): [hostile: value(type, in: interface, isWild)]
            case .enumeration(let symbols): .string(isWild ? hostile : symbols.first?.name ?? "")
            case .named(let name): interface.type(name).map { value($0, in: interface, isWild) } ?? .null
            case .structure(let fields): .object(object(fields, in: interface, isWild))
            }
        }

        /// A record of each kind with every member that any kind has.
        private func records(_ isWild: Bool) -> JSONValue {
            let text = JSONValue.string(hostile)
            let place: JSONValue = ["id": text, "parameters": [hostile: text]]
            let window: JSONValue = [
                "tabs": [["id": text, "stack": [place]]], "selectedTab": text,
                "modals": [["flow": text, "style": text, "stack": [place]]],
            ]
            let op: JSONValue = ["name": text, "tab": text, "destination": place, "modal": ["flow": text]]
            var record: JSONObject = [
                "host": text, "index": 1, "monotonic": 1, "scene": "a", "ticket": 1, "attempt": 1, "event": "e",
                "connection": 1, "revision": 1, "epoch": 1, "destination": place, "window": window, "op": op,
                "ops": [op], "chain": [text], "options": [text], "origin": ["scene": text],
                "removed": [["destination": place, "reason": text]], "count": 1, "restored": true,
            ]
            for name in [
                "outcome", "verdict", "cause", "delivery", "item", "from", "to", "reason", "precondition", "flow",
                "parent", "by", "eventKind", "name", "adapter", "route", "handler", "error", "user", "app",
                "manifestVersion", "configuration", "rule", "detail",
            ] { record[name] = text }
            if isWild { for name in ["scene", "event"] { record[name] = text } }
            let kinds = RecordKind.allCases.map(\.rawValue) + [hostile]
            return .array(
                kinds.map { kind in
                    record["kind"] = .string(kind)
                    return .object(record)
                }
            )
        }
    }

    /// What has power, by the terminal or the reader that it has it over.
    private static func powers(in output: String) -> [String] {
        var found: [String] = []
        if output.contains("\u{1B}[31mevil") { found.append("somebody else's colour") }
        if output.split(separator: "\n").contains(where: { $0.hasPrefix("forged") }) { found.append("a forged line") }
        var rest = output.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let style = ["[0m", "[1m", "[2m", "[31m", "[32m", "[33m", "[34m", "[36m"]
            switch scalar.value {
            case 0x1B where style.contains { rest.starts(with: $0.unicodeScalars) }, 0x09, 0x0A: continue
            case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xE0001:
                found.append(String(scalar.value, radix: 16))
            default: continue
            }
        }
        return found
    }

    /// Whether a text of the value is exactly the hostile one.
    private static func isIntact(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.utf8.elementsEqual(hostile.utf8)
        case .array(let elements): elements.contains(where: isIntact)
        case .object(let members): members.contains { isIntact($0.value) }
        default: false
        }
    }

    /// Every subcommand that talks to a daemon, with its arguments; `FILE` stands for a script, and `EVENT` for an event.
    private static let verbs = [
        "openurl x", "push EVENT", "activity x", "drag a x", "spotlight x", "widget x", "shortcut x",
        "intent x --scene a",
        "tap x --scene a", "back --scene a", "swipe down --scene a", "dismiss --scene a",
        "finish x --completed --scene a", "connect a", "list", "show", "activate a", "disconnect a", "discard a",
        "session get", "session sign-in anna", "session sign-out", "session mark-stale", "session set x=1", "watch",
        "records", "why e",
        "receipt e", "hold planned", "release x", "advance 1", "quiesce", "reset", "adapter list",
        "adapter try --event EVENT --explain", "adapter test FOLDER", "record", "play FILE", "resolve x",
        "resolve x --explain", "routes", "urls x", "status", "app show", "metrics", "reload",
        "drain",
    ]

    /// Subcommands that talk to no daemon, or to one of their own.
    private static let others = [
        "race", "soak run", "soak report", "soak compare", "soak merge", "sample", "app validate", "app compare",
        "app examples",
        "app print",
        "association lint",
        "association check", "state check", "state show", "state export", "state backup", "state compact", "check",
        "demo", "inspect", "adapter new", "app new", "app swift", "help", "with-daemon",
    ]

    /// The subcommands of scenectl without further ones.
    private static func leaves() async throws -> [String] {
        let dump = try await Program.run(Command.built("scenectl"), ["--experimental-dump-help"])
        func leaves(_ command: JSONValue, _ path: [String]) -> [String] {
            let subcommands = command["subcommands"]?.arrayValue ?? []
            guard !subcommands.isEmpty else { return [path.joined(separator: " ")] }
            return subcommands.flatMap { leaves($0, path + [$0["commandName"]?.stringValue ?? ""]) }
                .filter { !$0.hasSuffix(" help") }
        }
        return leaves(try #require(try JSONValue(parsing: dump.output)["command"]), [])
    }

    private static func write(_ text: String, to file: String) throws -> String {
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }

    private static func run(_ line: String, onTerminal: Bool) async throws -> String {
        let command = "\(Command.built("scenectl")) \(line) </dev/null"
        let words = onTerminal ? Command.onTerminal(command) : ["sh", "-c", "\(command) 2>&1"]
        let outcome = try await Program.run(
            words[0],
            Array(words.dropFirst()),
            environment: ["TERM": "xterm-256color", "NO_COLOR": nil]
        )
        return onTerminal ? outcome.output.replacing("\r\n", with: "\n") : outcome.output
    }

    @Test("no text of the daemon has power over a terminal or a pipe, whatever the subcommand; as JSON it is intact")
    func verbs() async throws {
        let leaves = try await Self.leaves()
        #expect(leaves.filter { leaf in !(Self.verbs + Self.others).contains { "\($0) ".hasPrefix("\(leaf) ") } } == [])
        let files = try TemporaryDirectory()
        let event = try Self.write(#"{"aps": {"alert": "x"}}"#, to: "\(files.path)/event.json")
        let script = try Self.write(
            #"{"at":0,"call":"Scenes.Connect","parameters":{"scene":"a"},"expect":{"scene":{"id":"a"}}}"# + "\n",
            to: "\(files.path)/script.jsonl"
        )
        let fixtures = try TemporaryDirectory()
        _ = try Self.write(
            #"{"kind":"push","event":{"payload":{"aps":{"alert":"x"}}},"expect":{"adapter":"a"}}"#,
            to: "\(fixtures.path)/one.json"
        )
        let daemon = try HostileDaemon()
        try await daemon.run { socket in
            for isWild in [true, false] {
                daemon.manner.withLock { $0.isWild = isWild }
                for verb in Self.verbs {
                    let words = verb.replacing("EVENT", with: event).replacing("FILE", with: script)
                        .replacing("FOLDER", with: fixtures.path)
                    for (more, onTerminal) in [("", false), ("", true), (" --json", false), (" --json", true)] {
                        let output = try await Self.run("\(words) --socket \(socket)\(more)", onTerminal: onTerminal)
                        // Metrics are lines of the daemon's.
                        let powers = Self.powers(in: output).filter { verb != "metrics" || $0 != "a forged line" }
                        #expect(powers == [], "\(verb)\(more), wild \(isWild): \(output.prefix(500))")
                        // As JSON these two say in sentences what differs.
                        let isData = !["adapter test", "play"].contains { verb.hasPrefix($0) }
                        guard !more.isEmpty, isData, output.contains("evil"), !output.contains("scenectl: ") else {
                            continue
                        }
                        let values =
                            try (try? JSONValue(parsing: output)).map { [$0] }
                            ?? output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
                        #expect(values.contains(where: Self.isIntact), "\(verb), wild \(isWild)")
                    }
                }
            }
        }
    }

    /// Runs a subcommand with standard output redirected as a shell has it.
    private static func run(_ line: String, _ redirection: String, after: String = "") async throws -> Program.Outcome {
        try await Program.run("bash", ["-c", "\(after)\(Command.built("scenectl")) \(line) </dev/null \(redirection)"])
    }

    /// Expects of a subcommand that prints anything that it tells of a full disk, and ends quietly if nobody reads.
    private static func expectNoSuccess(_ line: String) async throws {
        guard try await !run(line, "2>/dev/null").output.isEmpty else { return }
        let full = try await run(line, ">/dev/full")
        #expect(full.status != .exited(0), "\(line)")
        #expect(full.errors.contains("standard output: No space left on device."), "\(line): \(full.errors)")
        // The reader has gone before the first word.
        let closed = try await run(line, ">&3 3>&-; exit $?", after: "exec 3> >(exec true); wait $!; ")
        #expect(closed.status != .exited(0) && !closed.errors.contains("standard output"), "\(line): \(closed)")
    }

    @Test(
        "a subcommand that cannot write its output says so by its status, and one that nobody reads any more ends quietly"
    )
    func unwritten() async throws {
        let files = try TemporaryDirectory()
        let event = try Self.write(#"{"aps": {"alert": "x"}}"#, to: "\(files.path)/event.json")
        let script = try Self.write(
            #"{"at":0,"call":"Scenes.Connect","parameters":{"scene":"a"}}"# + "\n",
            to: "\(files.path)/s.jsonl"
        )
        let fixtures = try TemporaryDirectory()
        _ = try Self.write(
            #"{"kind":"push","event":{"payload":{"aps":{"alert":"x"}}}}"#,
            to: "\(fixtures.path)/one.json"
        )
        let daemon = try HostileDaemon()
        try await daemon.run { socket in
            for verb in Self.verbs {
                let words = verb.replacing("EVENT", with: event).replacing("FILE", with: script)
                    .replacing("FOLDER", with: fixtures.path)
                try await Self.expectNoSuccess("\(words) --socket \(socket)")
            }
        }
        let association = try Self.write(#"{"applinks": {"details": []}}"#, to: "\(files.path)/association.json")
        for line in [
            "race --list", "sample push", "app validate club", "app examples", "app print bank", "help", "--help",
            "openurl --help", "--version", "--generate-completion-script bash", "association lint \(association)",
            "adapter test \(fixtures.path) --shop", "adapter try --event \(event) --shop",
            "race double-tap --iterations 1",
        ] {
            try await Self.expectNoSuccess(line)
        }
    }

    @Test("no text of an error has power over a terminal or a pipe, whatever the error")
    func errors() async throws {
        let daemon = try HostileDaemon()
        try await daemon.run { socket in
            for error in daemon.errors {
                daemon.manner.withLock { $0.error = error }
                for verb in ["status", "reload"] {
                    for onTerminal in [false, true] {
                        let output = try await Self.run("\(verb) --socket \(socket)", onTerminal: onTerminal)
                        #expect(output.hasPrefix("scenectl: "), "\(error.name)")
                        #expect(Self.powers(in: output) == [], "\(error.name): \(output.prefix(500))")
                    }
                }
            }
        }
    }

    @Test("no text of a file has power over a terminal or a pipe")
    func texts() async throws {
        let files = try TemporaryDirectory()
        let text = JSONValue.string(Self.hostile)
        let history: JSONValue = [
            "host": text, "index": 1, "kind": "event.admitted", "monotonic": 1, "scene": text, "ticket": 2,
            "event": text,
        ]
        let file = try Self.write(JSONValue.object([Self.hostile: text]).text(), to: "\(files.path)/file.json")
        let records = try Self.write(history.text() + "\n{\"\(Self.hostile)", to: "\(files.path)/records.jsonl")
        for line in [
            "check \(records)", "app validate \(file)", "association lint \(file)", "race \(file)",
            "connect a --restore \(file)", "push \(records)", "play \(file)", "adapter try --shop --event \(file)",
            "openurl \"$(printf 'a\\033[31mevil\\nforged')\" --socket /nowhere", "\"$(printf 'a\\033[31mevil')\"",
            "list \"$(printf 'a\\033[31mevil')\"",
        ] {
            for onTerminal in [false, true] {
                let output = try await Self.run(line, onTerminal: onTerminal)
                #expect(output != "")
                #expect(Self.powers(in: output) == [], "\(line): \(output.prefix(500))")
            }
        }
    }
}
