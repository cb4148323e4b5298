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
        let names = ShardNumber.engines.flatMap { [$0.variable] + ($0.count.map { [$0] } ?? []) }
        var variables = Dictionary(uniqueKeysWithValues: names.map { ($0, String?.none) })
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
            // Whoever runs in several of them is told which counts.
            #expect(number.warning == nil ? variables.count == 1 : variables.count > 1)
            #expect(place.errors == (number.warning.map { "shards: \($0)\n" } ?? ""))
            #expect(variables.dropFirst().allSatisfy { number.warning?.contains($0) == true }, "\(first)")
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
            for value in ["-1", "10", "+2", "x", "0x1", " 2", "2 ", "٢", "1234567890123456789012"] {
                let wrong = try await Self.shards(["place", "\(parts)"], environment: [first: value])
                do {
                    _ = try ShardNumber("\(parts)", atMost: 100) { $0 == first ? value : nil }
                    Issue.record("\(first)=\(value)")
                } catch {
                    #expect(wrong.errors == "shards: \("\(error)".dropLast())\n" && wrong.status == .exited(2))
                }
            }
            variables.removeFirst()
            // What is set to nothing is not set.
            if let next = variables.first {
                let empty = environment.merging([first: ""]) { $1 }
                let passed = try ShardNumber("\(parts)", atMost: 100) { empty[$0] }
                #expect(passed == (try ShardNumber("\(parts)", atMost: 100) { $0 == first ? nil : environment[$0] }))
                let place = try await Self.shards(["place", "\(parts)"], environment: empty)
                #expect(place.output == "\(passed.number)/\(parts)\n" && !place.errors.contains(first), "\(next)")
            }
        }
        let none = try await Self.shards(["place", "\(parts)"])
        #expect(none.status == .exited(2) && none.errors.contains("none of SLURM_ARRAY_TASK_ID, "), "\(none.errors)")
        let help = try await Self.shards(["--help"])
        let race = try await Program.run(Command.built("scenectl"), ["race", "--help"])
        let soak = try await Program.run(Command.built("scenectl"), ["soak", "run", "--help"])
        for engine in ShardNumber.engines {
            for (text, end) in [(help.output, ""), (race.output, "[;)]"), (soak.output, "[;)]")] {
                let sentence = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                let words = try Regex("\(engine.variable) \\(\(engine.name), from \(engine.first)\(end)")
                #expect(sentence.contains(words), "\(engine.variable): \(text)")
                #expect(engine.count.map { sentence.contains($0) } ?? true, "\(engine.variable): \(text)")
            }
        }
    }

    @Test("an engine that starts another number of jobs than there are shards is told so, by scenectl likewise")
    func counts() async throws {
        #expect(ShardNumber.engines.count { $0.count != nil } == 3)
        for engine in ShardNumber.engines {
            guard let total = engine.count else { continue }
            for (size, isRight) in [("3", true), ("", true), ("2", false), ("4", false), ("x", false), ("+3", false)] {
                let variables = [engine.variable: "\(engine.first + 1)", total: size]
                let place = try await Self.shards(["place", "3"], environment: variables)
                do {
                    let number = try ShardNumber("3", atMost: 100) { variables[$0] }
                    #expect(isRight && number.number == 2 && place.output == "2/3\n", "\(total)=\(size)")
                } catch {
                    #expect(!isRight && place.status == .exited(2), "\(total)=\(size)")
                    #expect("\(error)".contains("\(total) is '\(size)'; expected 3"), "\(error)")
                    #expect(place.errors == "shards: \("\(error)".dropLast())\n")
                }
                // Whoever gives the number decides.
                #expect(try ShardNumber("1/3", atMost: 100, environment: { variables[$0] }).number == 1)
                #expect(try await Self.shards(["place", "1/3"], environment: variables).output == "1/3\n")
            }
        }
        // What another engine says of its own jobs is not asked.
        let slurm = ["SLURM_ARRAY_TASK_ID": "2", "CI_NODE_TOTAL": "9", "SLURM_ARRAY_TASK_COUNT": "1"]
        #expect(try ShardNumber("3", atMost: 100, environment: { slurm[$0] }).number == 2)
        #expect(try await Self.shards(["place", "3"], environment: slurm).output == "2/3\n")
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
        for text in ["0/3", "4/3", "0", "", "/3", "a/b", "1/2/3", "-1/3", "+1/3", "+3", "1/+3", " 1/3"] {
            try await refused(["take", text], "expected K/N")
            #expect(throws: CommandError.self) { _ = try ShardNumber(text, atMost: 100) { _ in "1" } }
        }
        try await refused(["pack", "walks", "seeds", "1/3", "\(place)/x.json", "a=\(place)/gone"], "no result a")
    }
}
