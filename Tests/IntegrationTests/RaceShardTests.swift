import Foundation
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// `scenectl race --shard` and `race merge`: what engines start, kill and start again.
@Suite("scenectl race in shards", .timeLimit(.minutes(15)))
struct RaceShardTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try RaceVerbTests.wrong.write(toFile: "\(directory.path)/wrong.yaml", atomically: true, encoding: .utf8)
    }

    /// Runs a line of a shell in the folder; `race` is the command.
    private func shell(_ line: String, environment: [String: String] = [:]) async throws -> Program.Outcome {
        let prelude = "cd '\(directory.path)'; race() { \"$SCENECTL\" race \"$@\"; }; "
        let variables = environment.merging(["SCENECTL": Command.built("scenectl")]) { $1 }
        return try await Program.run("/bin/sh", ["-c", prelude + line], environment: variables)
    }

    /// What `race merge --json` says of files, without the number of shards.
    private func merged(_ files: String) async throws -> JSONObject {
        let outcome = try await shell("race merge \(files) --json")
        #expect(outcome.status == .exited(1), "\(outcome.errors)")
        var result = try #require(try JSONValue(parsing: outcome.output).objectValue)
        result["shards"] = nil
        return result
    }

    @Test(
        "find together what one machine finds, whatever engine numbers them, with any number of processes, and killed in between"
    )
    func engines() async throws {
        let search = "wrong.yaml --seed 5 --iterations 900"
        #expect(try await shell("race \(search) --shard 1/1 --shard-file one.json").status == .exited(1))
        let one = try await merged("one.json")
        #expect(one["runs"] == 900 && one["missing"] == [] && one["race"] == true)
        for (engine, first) in [("SLURM_ARRAY_TASK_ID", 1), ("JOB_COMPLETION_INDEX", 0), ("PARALLEL_SEQ", 1)] {
            for index in 0..<3 {
                let line = "race \(search) --shard 3 --jobs \(index)"
                let outcome = try await shell(line, environment: [engine: "\(index + first)"])
                #expect(outcome.output.contains("shard \(index + 1) of 3: 300 of 300 orders"), "\(outcome.errors)")
            }
            #expect(try await merged("wrong.shard-2-of-3.json wrong.shard-3-of-3.json wrong.shard-1-of-3.json") == one)
            _ = try await shell("rm wrong.shard-*")
        }
        // As soon as there is a file, it is killed; then it goes on.
        let killed = try await shell(
            """
            "$SCENECTL" race \(search) --shard 2/2 > out & pid=$!
            until test -s wrong.shard-2-of-2.json; do sleep 0.01; done
            kill -9 $pid; wait $pid 2> killed
            race \(search) --shard 2/2; race \(search) --shard 1/2; race \(search) --shard 2/2
            """
        )
        #expect(killed.output.contains("shard 2 of 2: 450 of 450 orders"), "\(killed.output)\(killed.errors)")
        #expect(try await merged("wrong.shard-*") == one)
    }

    @Test("that are missing, unfinished, foreign or no shards are told by name")
    func lacking() async throws {
        let fine = "sign-out-against-push --seed 5 --iterations 60"
        let first = try await shell("race \(fine) --shard 1/3")
        #expect(first.status == .exited(0), "\(first.errors)")
        #expect(first.output.hasSuffix("20 of 20 orders, no race found; sign-out-against-push.shard-1-of-3.json\n"))
        let lacking = try await shell("race merge sign-out-against-push.shard-*")
        #expect(lacking.status == .exited(4))
        #expect(lacking.output.contains("\nMissing: shards 2, 3 of 3.\n"), "\(lacking.output)")
        #expect(lacking.output.contains("\nNo race found so far.\n"), "\(lacking.output)")
        let late = try await shell("race \(fine) --shard 2/3 --time 1ms; race merge sign-out-against-push.shard-*")
        #expect(late.output.contains("shard 2 of 3: 0 of 20 orders"), "\(late.output)\(late.errors)")
        #expect(late.output.contains("\nMissing: shards 2, 3 of 3.\n"), "\(late.output)")
        for (line, message) in [
            ("race merge wrong.yaml", "wrong.yaml: line 1, column 1: it is not JSON"),
            (
                "race sign-out-against-push --seed 6 --iterations 60 --shard 1/3",
                "it is of another search: seed 5 instead of 6."
            ),
            (
                "cp sign-out-against-push.shard-1-of-3.json copy; race merge sign-out-against-push.shard-1-of-3.json copy",
                "are both shard 1 of 3."
            ),
            (
                "race wrong.yaml --seed 5 --iterations 3 --shard 1/1; echo >> wrong.yaml; race merge wrong.shard-1-of-1.json",
                "merge: 'wrong.yaml' or its app does not say any more what it said when the shards were made"
            ),
            (
                "sed 's/\"program\":\"./&0/' copy > changed; race merge copy changed",
                "changed: digest: expected the file as it was written; it was changed since"
            ),
            ("race \(fine) --shard 3", "none of SLURM_ARRAY_TASK_ID, "),
            ("race \(fine) --shard 4/3", "--shard 4/3: expected K/N"),
            ("race \(fine) --shard 1/3 --strategy exhaustive --shard-file x", "cannot be cut into shards"),
            ("race \(fine) --shard 1/3 --json", "--shard leaves a file"),
            ("race sign-out-against-push --shard 1/3", "--shard needs a --seed"), ("race merge", "name the files"),
            ("race merge copy --seed 3", "the files say what was searched"),
            ("race sign-out-against-push copy", "Unexpected argument 'copy'"),
        ] {
            let outcome = try await shell(line)
            #expect(outcome.status == .exited(2), "\(line)")
            #expect(outcome.errors.contains(message), "\(line): \(outcome.errors)")
        }
    }
}
