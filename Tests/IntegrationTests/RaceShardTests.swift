import Foundation
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Yams

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
            race \(search) --shard 2/2 --shard-file whole.json --jobs 2; cmp whole.json wrong.shard-2-of-2.json && echo the same
            """
        )
        #expect(killed.output.hasSuffix("\nthe same\n"), "\(killed.output)\(killed.errors)")
        #expect(killed.output.contains("shard 2 of 2: 450 of 450 orders"), "\(killed.output)\(killed.errors)")
        #expect(try await merged("wrong.shard-*") == one)
    }

    @Test("of a proof are added up to a proof, also after one is killed")
    func proof() async throws {
        let search = "sign-out-against-push --prove"
        let one = try await shell(
            "race \(search) --shard 1/1; race merge sign-out-against-push.shard-1-of-1.json --json"
        )
        #expect(one.status == .exited(0), "\(one.errors)")
        let three = try await shell(
            """
            for number in 3 1 2; do race \(search) --shard $number/3 --time 1ms; race \(search) --shard $number/3; done
            race merge sign-out-against-push.shard-*-of-3.json
            race merge sign-out-against-push.shard-*-of-3.json --json
            race \(search) --shard 2/3 --shard-file whole.json; cmp whole.json sign-out-against-push.shard-2-of-3.json && echo the same
            rm sign-out-against-push.shard-2-of-3.json
            race merge sign-out-against-push.shard-*-of-3.json
            """
        )
        #expect(three.status == .exited(4), "\(three.errors)")
        #expect(three.output.contains("shard 3 of 3: 0 of ? pieces, 0 classes, no race found; "), "\(three.output)")
        #expect(three.errors.contains("--time 1ms: the proof was not cut into pieces in this time; give more."))
        #expect(three.output.contains("shard 3 of 3: 8 of 8 pieces, "), "\(three.output)")
        #expect(three.output.contains("\nProved: no order goes wrong.\n"), "\(three.output)")
        #expect(three.output.contains("Missing: shard 2 of 3."), "\(three.output)")
        #expect(three.output.contains("\nthe same\n"), "\(three.output)\(three.errors)")
        #expect(three.output.contains("not complete: not every shard is done."), "\(three.output)")
        func extent(_ text: String) -> Substring? { text.split(separator: "\n").first { $0.contains("\"extent\"") } }
        #expect(extent(one.output) != nil && extent(one.output) == extent(three.output), "\(three.output)")
        for (line, message) in [
            (
                "race \(search) --shard 1/3 --granularity locks",
                "it is of another search: granularity jobs instead of locks."
            ),
            ("race \(search) --shard 1/3 --iterations 5", "give it no --iterations and no --strategy"),
            (
                "race sign-out-against-push --seed 1 --iterations 7 --shard 3/3 --shard-file x; race merge sign-out-against-push.shard-1-of-3.json x",
                "no proof instead of one"
            ),
        ] {
            let outcome = try await shell(line)
            #expect(outcome.status == .exited(2), "\(line)")
            #expect(outcome.errors.contains(message), "\(line): \(outcome.errors)")
        }
    }

    @Test("are started by GNU parallel with the script that is printed for it")
    func parallel() async throws {
        let search = "wrong.yaml --seed 5 --iterations 300"
        #expect(try await shell("race \(search) --shard 1/1 --shard-file one.json").status == .exited(1))
        let one = try await merged("one.json")
        let script = try await shell("race \(search) --shard 5 --print-for parallel > all.sh && cat all.sh")
        #expect(script.status == .exited(0), "\(script.errors)")
        let run = try await shell(
            "PATH=\"$(dirname \"$SCENECTL\"):$PATH\" sh ./all.sh; PATH=\"$(dirname \"$SCENECTL\"):$PATH\" sh ./all.sh"
        )
        #expect(run.status == .exited(1), "\(run.output)\(run.errors)")
        for number in 1...5 { #expect(run.output.contains("shard \(number) of 5: 60 of 60 orders"), "\(run.output)") }
        #expect(try await merged("wrong.shard-*-of-5.json") == one)
        // Files of another search are refused, and nothing is added up then.
        let other = try await shell(
            "race wrong.yaml --seed 6 --iterations 300 --shard 5 --print-for parallel > all.sh; PATH=\"$(dirname \"$SCENECTL\"):$PATH\" sh ./all.sh"
        )
        #expect(other.status == .exited(2), "\(other.output)")
        #expect(other.errors.contains("it is of another search: seed 5 instead of 6."), "\(other.errors)")
        #expect(!other.output.contains("Race found"), "\(other.output)")
        let dash = try await shell(
            "cp wrong.yaml ./-lead.v1.yaml; race ./-lead.v1.yaml --seed 5 --iterations 9 --shard 2 --print-for parallel > all.sh; PATH=\"$(dirname \"$SCENECTL\"):$PATH\" sh ./all.sh"
        )
        #expect(dash.output.contains("-lead.v1.shard-2-of-2.json"), "\(dash.output)\(dash.errors)")
        #expect(dash.output.contains(" in 2 shards, chosen by portfolio"), "\(dash.output)\(dash.errors)")
    }

    @Test("are started by scripts that name each option, and read as their engines read them")
    func scripts() async throws {
        let options = "--prove --granularity locks --mailbox anyOrder --time 5m --jobs 2"
        let slurm = try await shell(
            "race 'wrong.yaml' \(options) --shard 40 --print-for slurm > it; bash -n it && cat it"
        )
        #expect(slurm.status == .exited(0), "\(slurm.errors)")
        #expect(slurm.output.contains("\n#SBATCH --array=1-40\n"), "\(slurm.output)")
        #expect(
            slurm.output.contains(
                "\nscenectl race wrong.yaml --prove --granularity locks --mailbox anyOrder --time 5m --jobs 2 --shard 40\n"
            ),
            "\(slurm.output)"
        )
        #expect(slurm.output.contains("scenectl race merge wrong.shard-*-of-40.json\n"), "\(slurm.output)")
        let github = try await shell("race wrong.yaml --seed 3 --iterations 50 --shard 3 --print-for github")
        #expect(github.status == .exited(0), "\(github.errors)")
        let jobs = try #require(try Yams.load(yaml: github.output) as? [String: Any])["jobs"] as? [String: Any]
        let shard = try #require(jobs?["shard"] as? [String: Any])
        let matrix = (shard["strategy"] as? [String: Any])?["matrix"] as? [String: Any]
        #expect(matrix?["shard"] as? [Int] == [1, 2, 3])
        #expect((jobs?["merge"] as? [String: Any])?["needs"] as? String == "shard")
        for (line, message) in [
            ("race wrong.yaml --seed 1 --shard 2/3 --print-for slurm", "the number of shards alone"),
            ("race wrong.yaml --seed 1 --shard 3 --print-for pbs", "expected one of slurm, parallel, github"),
            ("race wrong.yaml --seed 1 --shard 300 --print-for github", "expected 1 to 256 shards"),
            ("race wrong.yaml --seed 1 --shard 0 --print-for slurm", "expected 1 to 100000 shards"),
            ("race wrong.yaml --print-for slurm", "give it --shard"),
            ("race wrong.yaml --seed 1 --strategy exhaustive --shard 3 --print-for slurm", "give --prove"),
            ("cp wrong.yaml 'a{}.yaml'; race 'a{}.yaml' --prove --shard 3 --print-for parallel", "would read '{'"),
            (
                "cp wrong.yaml 'a${{ x }}.yaml'; race 'a${{ x }}.yaml' --prove --shard 3 --print-for github",
                "would read '${{'"
            ),
        ] {
            let outcome = try await shell(line)
            #expect(outcome.status == .exited(2), "\(line)")
            #expect(outcome.errors.contains(message), "\(line): \(outcome.errors)")
        }
    }

    @Test("that end with a race, or are ended, do not keep a script from its end, and whatever else fails does")
    func statuses() async throws {
        let prelude = """
            mkdir -p fake; PATH="$PWD/fake:$PATH"
            printf '#!/bin/sh\ncase "$*" in "race merge"*) echo merged; exit 0;; esac\nexit "$STATUS"\n' > fake/scenectl; chmod +x fake/scenectl
            """
        let github = try await shell("race wrong.yaml --seed 3 --shard 2 --print-for github")
        let jobs = try #require(try Yams.load(yaml: github.output) as? [String: Any])["jobs"] as? [String: Any]
        let steps = (jobs?["shard"] as? [String: Any])?["steps"] as? [[String: Any]]
        let step = try #require(steps?.compactMap { $0["run"] as? String }.first)
        try step.replacing("${{ matrix.shard }}", with: "1")
            .write(toFile: "\(directory.path)/step", atomically: true, encoding: .utf8)
        for engine in ["slurm", "parallel"] {
            let made = try await shell("race wrong.yaml --seed 3 --shard 2 --print-for \(engine) > \(engine)")
            #expect(made.status == .exited(0), "\(made.errors)")
        }
        for status in [0, 1, 4, 130, 143, 2, 3, 9, 139] as [Int32] {
            let passes = [0, 1, 4, 130, 143].contains(status)
            for line in ["bash slurm", "sh parallel", "bash -e step"] {
                let run = try await shell("\(prelude)\n\(line)", environment: ["STATUS": "\(status)"])
                #expect(run.status == .exited(passes ? 0 : status), "\(line) \(status): \(run.errors)")
                #expect(run.output.contains("merged") == (passes && line == "sh parallel"), "\(line) \(status)")
            }
        }
    }

    private static let hasCluster =
        getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/slurmctld")
        && FileManager.default.isExecutableFile(atPath: "/usr/sbin/munged")

    @Test(
        "are shared by the nodes of a Slurm cluster, also when one of them fails",
        .enabled(if: hasCluster, "root and Slurm make a cluster of network namespaces")
    )
    func slurm() async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Cluster/cluster.py").path
        let outcome = try await Program.run(
            "/usr/bin/python3",
            [
                script, "--scenectl", Command.built("scenectl"), "--shards", "3", "--", "sign-out-against-push",
                "--prove",
            ]
        )
        #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("3 shards on 4 nodes, node"), "\(outcome.output)")
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
        // What was made in the time is kept.
        let late = try await shell(
            "race sign-out-against-push --seed 5 --iterations 200000 --shard 2/2 --shard-file late --time 2s || echo status $?; race merge late"
        )
        let made = try #require(late.output.firstMatch(of: /shard 2 of 2: ([0-9]+) of 100000 orders.*\nstatus 4\n/))
        #expect(Int(made.output.1) ?? 0 > 0, "\(late.output)\(late.errors)")
        #expect(late.output.contains("\n\(made.output.1) orders of "), "\(late.output)")
        #expect(
            late.output.contains("\nMissing: shard 1 of 2.\nNot made to the end: shard 2 of 2.\n"),
            "\(late.output)"
        )
        let both = ["SLURM_ARRAY_TASK_ID": "1", "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "9"]
        let warned = try await shell("race \(fine) --shard 3", environment: both)
        #expect(warned.status == .exited(0), "\(warned.errors)")
        #expect(
            warned.errors.contains("SLURM_ARRAY_TASK_ID counts, so this is shard 1; also set: CI_NODE_INDEX."),
            "\(warned.errors)"
        )
        for (line, message) in [
            ("race merge wrong.yaml", "wrong.yaml: it is not a shard's file: line 1, column 1: it is not JSON"),
            (
                "echo '{\"format\":1}' > no; race merge no",
                "no: it is not a shard's file: format: expected \"scened-race-shard\""
            ),
            ("race - --seed 1 --shard 1/2 < wrong.yaml", "--shard: every shard reads standard input again"),
            ("race - --seed 1 --shard 3 --print-for slurm < wrong.yaml", "put it into a file, such as mine.yaml"),
            ("race wrong.yaml --app - --prove --shard 1/2 < wrong.yaml", "put it into a file, such as app.yaml"),
            ("mkfifo pipe.yaml; race pipe.yaml --seed 1 --shard 1/2", "every shard reads pipe.yaml again"),
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
            (
                "cp sign-out-against-push.shard-1-of-3.json ./-h.json; race merge -h.json",
                "'-h.json' begins with a dash, so it would be read as options; write ./-h.json"
            ),
            ("race \(fine) --shard +1/3", "--shard +1/3: expected K/N"),
            ("race \(fine) --shard 3", "none of SLURM_ARRAY_TASK_ID, "),
            ("race \(fine) --shard 4/3", "--shard 4/3: expected K/N"),
            ("race \(fine) --shard 1/3 --strategy exhaustive --shard-file x", "give --prove, or a strategy by chance"),
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
