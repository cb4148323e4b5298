import CommandConsole
import Foundation
import Subprocess
import TestFixtures
import Testing

/// `.ci/shards`, with which the long targets of the Makefile divide their work: it knows nothing of what the results are.
@Suite("shards of mutants, walks, falsified histories and fuzzing", .timeLimit(.minutes(15)))
struct ShardsOfWorkTests {
    private static let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".ci/shards").path

    private static func shards(
        _ words: [String],
        input: String = "",
        environment: [String: String] = [:]
    ) async throws -> Program.Outcome {
        var variables = Dictionary(uniqueKeysWithValues: ShardNumber.engines.map { ($0.variable, String?.none) })
        for (name, value) in environment { variables[name] = value }
        return try await Program.run("/usr/bin/python3", [program] + words, input: input, environment: variables)
    }

    @Test("where an engine numbers what it starts, they are what scenectl takes them for, whichever variables are set")
    func engines() async throws {
        var variables = ShardNumber.engines.map(\.variable)
        #expect(variables.count > 4)
        // Each has another number; the first that is set counts.
        let numbers = Dictionary(uniqueKeysWithValues: variables.enumerated().map { ($1, "\($0 + 1)") })
        let (work, parts) = ((1...25).map { "\($0)" }, 9)
        while let first = variables.first {
            let environment = numbers.filter { variables.contains($0.key) }
            let number = try ShardNumber("\(parts)", atMost: 100) { environment[$0] }
            let place = try await Self.shards(["place", "\(parts)"], environment: environment)
            #expect(place.output == "\(number.number)/\(parts)\n", "\(first): \(place.errors)")
            let taken = try await Self.shards(
                ["take", "\(parts)"],
                input: work.joined(separator: "\n") + "\n",
                environment: environment
            )
            let own = work.enumerated().filter { $0.offset % parts == number.number - 1 }.map { $0.element + "\n" }
            #expect(taken.output == own.joined(), "\(first): \(taken.errors)")
            // What is given wins.
            let given = try await Self.shards(["place", "3/\(parts)"], environment: environment)
            #expect(given.output == "3/\(parts)\n")
            // And says its bounds as scenectl does.
            for value in ["-1", "10", "", "x"] {
                let wrong = try await Self.shards(["place", "\(parts)"], environment: [first: value])
                do {
                    _ = try ShardNumber("\(parts)", atMost: 100) { $0 == first ? value : nil }
                    Issue.record("\(first)=\(value)")
                } catch {
                    #expect(wrong.errors == "shards: \("\(error)".dropLast())\n" && wrong.status == .exited(2))
                }
            }
            variables.removeFirst()
        }
        let none = try await Self.shards(["place", "\(parts)"])
        #expect(none.status == .exited(2) && none.errors.contains("none of SLURM_ARRAY_TASK_ID, "), "\(none.errors)")
        let help = try await Self.shards(["--help"])
        for (variable, first, _) in ShardNumber.engines {
            let words = help.output.split(separator: "\n").joined(separator: " ").firstMatch(
                of: try Regex("\(variable) \\(([^)]*)\\)", as: (Substring, Substring).self)
            )
            #expect(words?.output.1.hasSuffix(", from \(first)") == true, "\(variable): \(help.output)")
        }
    }

    @Test("each piece of work is in exactly one shard", arguments: [1, 2, 3, 7, 40])
    func take(_ count: Int) async throws {
        let work = (1...25).map { "work \($0)" }
        var taken: [String] = []
        for number in 1...count {
            let run = try await Self.shards(["take", "\(number)/\(count)"], input: work.joined(separator: "\n") + "\n")
            let lines = run.output.split(separator: "\n").map(String.init)
            // The same from run to run, and about as many for each.
            #expect(abs(lines.count - 25 / count) <= 1)
            taken += lines
        }
        #expect(taken.sorted() == work.sorted())
    }

    @Test(
        "results come back as they were, in any order of the files; what is missing, doubled, cut off or of another search is named"
    )
    func merge() async throws {
        let directory = try TemporaryDirectory()
        let place = directory.path
        let bytes = Data((0...255).map { UInt8($0) })
        var files: [String] = []
        for number in 1...3 {
            try bytes.write(to: URL(filePath: "\(place)/result"))
            let file = "\(place)/\(number).json"
            let packed = try await Self.shards([
                "pack", "walks", "seeds", "\(number)/3", file, "a\(number)=\(place)/result",
                "b\(number)=\(place)/result",
            ])
            #expect(packed.status == .exited(0), "\(packed.errors)")
            files.append(file)
        }
        let merged = try await Self.shards(["merge", "walks", "\(place)/all"] + files.reversed())
        #expect(merged.status == .exited(0) && merged.output == "", "\(merged.output)\(merged.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(place)/all").sorted()
        #expect(names == ["a1", "a2", "a3", "b1", "b2", "b3"])
        for name in names { #expect(try Data(contentsOf: URL(filePath: "\(place)/all/\(name)")) == bytes) }
        let short = try await Self.shards(["merge", "walks", "\(place)/some", files[0], files[2]])
        #expect(short.status == .exited(4) && short.output.contains("missing: shard 2 of 3"), "\(short.output)")

        func refused(_ words: [String], _ reason: String) async throws {
            let run = try await Self.shards(words)
            #expect(run.status == .exited(2) && run.errors.contains(reason), "\(words): \(run.errors)")
        }
        try await refused(["merge", "walks", "\(place)/all", files[0], files[0]], "are both shard 1 of 3")
        try await refused(["merge", "judge", "\(place)/all", files[0]], "a shard of walks, not of judge")
        try await refused(["merge", "walks", "\(place)/all"], "name the files")
        try await refused(["merge", "walks", "\(place)/all", "\(place)/none"], "No such file")
        for (name, words) in [("search", ["other seeds", "2/3"]), ("number", ["seeds", "2/4"])] {
            let file = "\(place)/\(name).json"
            _ = try await Self.shards(["pack", "walks"] + words + [file, "a=\(place)/result"])
            try await refused(["merge", "walks", "\(place)/all", files[0], file], "instead of")
        }
        // Cut off anywhere, it is no file of a shard.
        let whole = try Data(contentsOf: URL(filePath: files[1]))
        for size in [0, 1, whole.count / 2, whole.count - 2] {
            try whole.prefix(size).write(to: URL(filePath: "\(place)/cut.json"))
            try await refused(["merge", "walks", "\(place)/all", "\(place)/cut.json"], "not all of it")
        }
        for text in ["0/3", "4/3", "0", "", "/3", "a/b", "1/2/3", "-1/3"] {
            try await refused(["take", text], "expected K/N")
        }
        try await refused(["pack", "walks", "seeds", "1/3", "\(place)/x.json", "a=\(place)/gone"], "no result a")
    }
}
