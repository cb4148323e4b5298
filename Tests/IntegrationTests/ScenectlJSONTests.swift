import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// Every subcommand takes `--json` or says why not, and what it says of wrong usage is the same with it.
@Suite("scenectl's --json", .timeLimit(.minutes(15)))
struct ScenectlJSONTests {
    /// The subcommands without further ones, with their options.
    private static func leaves() async throws -> [(path: [String], options: Set<String>)] {
        let dump = try await Program.run(Command.built("scenectl"), ["--experimental-dump-help"])
        func leaves(_ command: JSONValue, _ path: [String]) -> [(path: [String], options: Set<String>)] {
            let subcommands = (command["subcommands"]?.arrayValue ?? []).filter { $0["commandName"] != "help" }
            guard subcommands.isEmpty else {
                return subcommands.flatMap { leaves($0, path + [$0["commandName"]?.stringValue ?? ""]) }
            }
            let names = (command["arguments"]?.arrayValue ?? []).flatMap { $0["names"]?.arrayValue ?? [] }
            return [(path, Set(names.compactMap { $0["name"]?.stringValue }))]
        }
        return leaves(try #require(try JSONValue(parsing: dump.output)["command"]), [])
    }

    private static func scenectl(_ words: [String]) async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), words, environment: ["SCENED_SOCKET": "/nowhere/s"])
    }

    @Test("is an option of every subcommand; only the demo refuses it, and says why")
    func options() async throws {
        let leaves = try await Self.leaves()
        #expect(leaves.count > 50)
        #expect(leaves.filter { !$0.options.contains("json") && $0.path != ["demo"] }.map(\.path) == [])
        let demo = try await Self.scenectl(["demo", "--json"])
        #expect(demo.status == .exited(2) && demo.errors.contains("'demo' takes no --json: it shows a person"))
        for words in [["sample", "push"], ["app", "print", "club"], ["app", "examples"]] {
            let outcome = try await Self.scenectl(words + ["--json"])
            #expect(outcome.status == .exited(0) && outcome.errors == "")
            #expect(throws: Never.self) { try JSONValue(parsing: outcome.output) }
        }
    }

    /// What people get wrong with any subcommand, as words after it.
    private static let mistakes = [["--scen", "A"], []]

    @Test("has the message, the suggestion and the usage of every mistake that a person makes with any subcommand")
    func mistakes() async throws {
        var lines = try await Self.leaves().filter { $0.path != ["demo"] }.flatMap { leaf in
            Self.mistakes.map { (path: leaf.path, more: $0) }
        }
        lines += [
            "shw", "open qcommerce://cart", "qcommerce://cart", "sesion get", "session gt", "--scene A list",
            "help shw",
        ].map { (path: $0.split(separator: " ").map(String.init), more: []) }
        // Those that are right find no daemon, wait for input, or run for a while.
        lines.removeAll { $0.more.isEmpty && ["race", "soak", "check", "hold"].contains($0.path[0]) }
        var compared = 0
        for first in stride(from: 0, to: lines.count, by: Self.width) {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for (path, more) in lines[first..<min(first + Self.width, lines.count)] {
                    group.addTask { try await Self.isTold(path, more) }
                }
                for try await isMistake in group where isMistake { compared += 1 }
            }
        }
        #expect(compared > 70, "\(compared)")
    }

    /// How many programs run at once.
    private static let width = 4

    /// Expects that a mistake is told alike with `--json` and without; `false` if it is none.
    private static func isTold(_ path: [String], _ more: [String]) async throws -> Bool {
        let words = path + more
        let plain = try await scenectl(words)
        guard plain.status == .exited(2), plain.errors.hasPrefix("Error: ") else { return false }
        let json = try await scenectl(path + ["--json"] + more)
        #expect(json.status == .exited(2) && json.output == plain.output, "\(words)")
        let error = try #require(try JSONValue(parsing: json.errors).objectValue, "\(words): \(json.errors)")
        #expect(error["error"] == "scenectl.Usage" && error["status"] == 2)
        var told = "Error: \(error["message"]?.stringValue ?? "")\n"
        if let usage = error["parameters"]?["usage"]?.stringValue { told += "Usage: \(usage)\n" }
        if let help = error["parameters"]?["help"]?.stringValue {
            told += "  See '\(help)' for more information.\n"
        }
        #expect(told == plain.errors, "\(words)")
        return true
    }
}
