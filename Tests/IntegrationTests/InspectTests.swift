import Foundation
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// Pages of `scenectl inspect` and `race --report` in a real browser, driven from outside by `Python/viewer.py`, which reads the records
/// by itself and prints what the page shows otherwise.
@Suite(
    "The page on which records are seen",
    .enabled(if: PythonEnvironment.isInstalled, "no .build/python-venv; '.ci/setup' makes it"),
    .serialized,
    .timeLimit(.minutes(15))
)
struct InspectTests {
    private static let scenectl = Command.built("scenectl")

    /// What a driver finds.
    private func findings(_ arguments: String..., by driver: String = "viewer.py") async throws -> String {
        let path = PythonEnvironment.scripts.appendingPathComponent(driver).path
        let outcome = try await Program.run(PythonEnvironment.python, [path] + arguments)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        return outcome.output
    }

    /// The records of a daemon of its own after a script of the shell.
    private func records(of app: String, in folder: TemporaryDirectory, as name: String, _ script: String) async throws
        -> String
    {
        let file = "\(folder.path)/\(name)"
        let words = [
            "with-daemon", "--app", app, "--", "bash", "-ec",
            script + "\nscenectl quiesce; scenectl records --json > \(file)",
        ]
        let path =
            "\(URL(fileURLWithPath: Self.scenectl).deletingLastPathComponent().path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let outcome = try await Program.run("/usr/bin/env", ["PATH=\(path)", Self.scenectl] + words)
        try #require(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
        return file
    }

    /// Links that are shown, that wait for a sign-in, that nothing takes; a user who comes and goes; a hold; windows that come and go.
    private static let shopping = """
        scenectl connect A; scenectl connect B
        scenectl openurl --scene A qcommerce://product/p1
        scenectl openurl --scene A https://shop.example/cart --wait admitted
        scenectl openurl --scene B qcommerce://orders --wait admitted
        scenectl session sign-in anna
        scenectl quiesce
        scenectl openurl --scene B https://shop.example/cart
        scenectl session sign-out
        scenectl openurl --scene A qcommerce://orders --wait admitted
        scenectl tap --scene B account
        scenectl hold planned --scene A --must-catch -- bash -ec '
            scenectl openurl --scene A qcommerce://product/p2 --wait admitted
            until scenectl records --json | grep -q hold.caught; do :; done
            scenectl openurl --scene B qcommerce://product/p3'
        scenectl connect C
        scenectl disconnect C
        """

    @Test(
        "windows and session are at each record what the records say, by keys, by clicks and by the time line; filters find what is there"
    )
    func travel() async throws {
        let folder = try TemporaryDirectory()
        let file = try await records(of: "shop", in: folder, as: "records.jsonl", Self.shopping)
        let page = "\(folder.path)/page.html"
        let made = try await Program.run(Self.scenectl, ["inspect", file, "--out", page])
        #expect(made.output == "\(page)\n", "\(made.errors)")
        let piped = try await Program.run(Self.scenectl, ["inspect", file, "--out", "-"])
        let written = try String(contentsOfFile: page, encoding: .utf8)
        #expect(piped.output == written, "nothing but the page is on standard output")
        let found = try await findings("travel", page, file)
        #expect(found == "")
        // The driver sees what differs: one record less, and the page shows too much.
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let shorter = "\(folder.path)/shorter.jsonl"
        try (lines.dropLast(8).joined(separator: "\n") + "\n").write(
            toFile: shorter,
            atomically: false,
            encoding: .utf8
        )
        let wrong = try await Program.run(
            PythonEnvironment.python,
            [PythonEnvironment.scripts.appendingPathComponent("viewer.py").path, "travel", page, shorter]
        )
        #expect(wrong.output != "" || wrong.status != .exited(0))
    }

    @Test(
        "a page is for everybody: names, what is said, forced colours, numbers, paper, narrow screens, many windows",
        arguments: ["tree", "colours", "locales", "print", "narrow", "many"]
    )
    func everybody(mode: String) async throws {
        let folder = try TemporaryDirectory()
        let file = try await records(of: "shop", in: folder, as: "records.jsonl", Self.shopping)
        let page = "\(folder.path)/page.html"
        if mode == "many" {
            #expect(try await findings(mode, Self.scenectl, file, folder.path, by: "everybody.py") == "")
            return
        }
        // Numbers have separators from a thousand on.
        if mode == "locales" { try Self.lengthen(file) }
        _ = try await Program.run(Self.scenectl, ["inspect", file, "--out", page])
        #expect(try await findings(mode, page, by: "everybody.py") == "")
        guard mode == "tree" else { return }
        // Of two runs, nothing of the one has the name of something of the other.
        let both = "\(folder.path)/both.html"
        let other = "\(folder.path)/other.jsonl"
        try FileManager.default.copyItem(atPath: file, toPath: other)
        _ = try await Program.run(Self.scenectl, ["inspect", file, other, "--out", both])
        #expect(try await findings(mode, both, by: "everybody.py") == "")
    }

    /// Has a history go on for more than a thousand records, the last of them long after.
    private static func lengthen(_ file: String) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let lines = text.split(separator: "\n")
        let last = try #require(lines.last.map { try JSONValue(parsing: String($0)) }?.objectValue)
        let more = (lines.count + 1...1200).map { number in
            var record = last
            record["kind"] = "host.quiet"
            record["index"] = .integer(number)
            record["monotonic"] = .integer(2_000_000_000_000 + number)
            return JSONValue.object(record).text() + "\n"
        }
        try (text + more.joined()).write(toFile: file, atomically: false, encoding: .utf8)
    }

    @Test("texts in records are no more than text, and records of any form do not stop the page")
    func hostile() async throws {
        let folder = try TemporaryDirectory()
        let file = try await records(of: "shop", in: folder, as: "records.jsonl", Self.shopping)
        let found = try await findings("hostile", Self.scenectl, file, folder.path)
        #expect(found == "")
    }

    @Test(
        "a long history takes no more than a short one, but for reading it; all of it is there, and exact",
        arguments: ["counts", "way", "packed", "digits", "kept"]
    )
    func long(mode: String) async throws {
        let folder = try TemporaryDirectory()
        let found = try await findings(mode, Self.scenectl, folder.path, by: "long.py")
        #expect(found == "")
    }

    @Test("what was before missing records is not taken for what is after them")
    func broken() async throws {
        let folder = try TemporaryDirectory()
        let file = try await records(of: "shop", in: folder, as: "records.jsonl", Self.shopping)
        let found = try await findings("broken", Self.scenectl, file, folder.path)
        #expect(found == "")
    }

    @Test("records that are there more than once are told, and are no reason to miss others")
    func repeated() async throws {
        let folder = try TemporaryDirectory()
        let file = try await records(of: "shop", in: folder, as: "records.jsonl", Self.shopping)
        let found = try await findings("repeated", Self.scenectl, file, folder.path)
        #expect(found == "")
    }

    @Test("what is wrong with a file is the same by the command and by its page, and so is what is a record")
    func flawed() async throws {
        let folder = try TemporaryDirectory()
        let file = try await records(of: "shop", in: folder, as: "records.jsonl", Self.shopping)
        let found = try await findings("flaws", Self.scenectl, file, folder.path)
        #expect(found == "")
    }

    @Test(
        "what is no history leaves the page that was there, and no other file",
        arguments: ["", "no record\n", "{}\n"]
    )
    func refused(text: String) async throws {
        let folder = try TemporaryDirectory()
        let (file, page) = ("\(folder.path)/records.jsonl", "\(folder.path)/page.html")
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try "mine".write(toFile: page, atomically: false, encoding: .utf8)
        for out in [page, "\(folder.path)/new.html"] {
            let outcome = try await Program.run(Self.scenectl, ["inspect", file, "--out", out])
            #expect(outcome.status == .exited(2), "\(outcome.output)\(outcome.errors)")
        }
        #expect(try String(contentsOfFile: page, encoding: .utf8) == "mine")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["page.html", "records.jsonl"]
        )
    }

    /// Records by their indices, as one host makes them, one a line.
    private static func lines(_ indices: [Int]) -> String {
        indices.map {
            #"{"host":"h1","index":\#($0),"kind":"host.quiet","monotonic":\#($0),"revision":0,"epoch":0}"# + "\n"
        }.joined()
    }

    @Test(
        "what is missing, what is there more than once and what could not be read is counted beside the page",
        arguments: [
            (lines([1, 2, 3]), [], [0, 0, 0]),
            // A history may begin anywhere.
            (lines([7, 8]), [], [0, 0, 0]),
            (lines([1, 3]), ["FILE: record 2 is missing."], [0, 1, 0]),
            (lines([1, 5]), ["FILE: records 2 to 4 are missing."], [0, 3, 0]),
            (
                lines([1, 3, 4, 9]), ["FILE: 5 records are missing in 2 places; first, record 2 is missing."],
                [0, 5, 0]
            ),
            (lines([1]) + "no\n{}\n" + lines([2]), ["FILE: 2 lines are no records, first line 2: "], [2, 0, 0]),
            (String(lines([1, 2, 4]).dropLast(9)), ["FILE: this is no record: line 3: "], [1, 0, 0]),
            (lines([1, 2, 2, 3]), ["FILE: record 2 is there more than once."], [0, 0, 1]),
            // What was there before does not make others missing, and what comes late was not there before.
            (lines([1, 2, 3, 4, 2, 3, 5]), ["FILE: records 2 to 3 are there more than once."], [0, 0, 2]),
            (lines([7, 8, 3, 4]), ["FILE: records 3 to 4 come after later ones."], [0, 0, 0]),
            (lines([1, 3, 2, 4]), ["FILE: record 2 comes after later ones."], [0, 0, 0]),
            (
                lines([1, 2, 1, 2, 1, 2, 5, 4]),
                [
                    "FILE: record 3 is missing.",
                    "FILE: 4 records are there more than once, in 2 places; first, records 1 to 2.",
                    "FILE: record 4 comes after later ones.",
                ], [0, 1, 4]
            ),
        ]
    )
    func flaws(text: String, says: [String], counts: [Int]) async throws {
        let folder = try TemporaryDirectory()
        let (file, page) = ("\(folder.path)/records.jsonl", "\(folder.path)/page.html")
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        let outcome = try await Program.run(Self.scenectl, ["inspect", file, "--out", page, "--json"])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n").map { $0.replacing(file, with: "FILE") }
        #expect(
            lines.count == says.count && zip(lines, says).allSatisfy { $0.hasPrefix("scenectl: \($1)") },
            "\(lines)"
        )
        let told = try JSONValue(parsing: outcome.output)
        #expect(
            ["badLines", "missing", "repeated"].map { told[$0]?.integerValue } == counts,
            "\(outcome.output)"
        )
    }

    @Test("records of a clock that stands say so where they say times")
    func standing() async throws {
        let folder = try TemporaryDirectory()
        let (file, page) = ("\(folder.path)/records.jsonl", "\(folder.path)/page.html")
        for (times, says) in [
            ([0, 0, 0, 0], "virtual time, which stands"), ([0, 0, 0, 7], "virtual time"), ([0, 1, 2, 3], ""),
        ] {
            let records = times.enumerated().map { number, time in
                #"{"host":"h1","index":\#(number + 1),"kind":"host.quiet","monotonic":\#(time),"revision":0,"epoch":0}"#
                    + "\n"
            }
            try records.joined().write(toFile: file, atomically: false, encoding: .utf8)
            _ = try await Program.run(Self.scenectl, ["inspect", file, "--out", page])
            let found = try await findings("clock", page, says)
            #expect(found == "", "\(times)")
        }
    }

    @Test("two runs are beside each other, from their first difference on")
    func pair() async throws {
        let folder = try TemporaryDirectory()
        let start = "scenectl connect A; scenectl openurl --scene A qcommerce://product/p1\n"
        let left = try await records(of: "shop", in: folder, as: "left.jsonl", start + "scenectl session sign-in anna")
        let right = try await records(
            of: "shop",
            in: folder,
            as: "right.jsonl",
            start + "scenectl openurl --scene A qcommerce://product/p2"
        )
        for (other, name) in [(right, "apart"), (left, "same")] {
            let page = "\(folder.path)/\(name).html"
            _ = try await Program.run(Self.scenectl, ["inspect", left, other, "--out", page])
            let found = try await findings("pair", page, left, other)
            #expect(found == "", "\(name)")
        }
    }

    @Test(
        "a page fits three widths, light and dark, and has no serious fault for those who cannot see or point",
        arguments: ["inspect", "race"]
    )
    func looks(kind: String) async throws {
        let folder = try TemporaryDirectory()
        let page = "\(folder.path)/page.html"
        if kind == "inspect" {
            let file = try await records(of: "shop", in: folder, as: "records.jsonl", Self.shopping)
            _ = try await Program.run(Self.scenectl, ["inspect", file, "--out", page])
        } else {
            // One of the two ends that are right is not expected.
            let print = try await Program.run(Self.scenectl, ["race", "--print", "sign-out-against-push"])
            let half = try #require(print.output.range(of: "  # Shown first, then swept."))
            let scenario = "\(folder.path)/half.yaml"
            try print.output[..<half.lowerBound].write(toFile: scenario, atomically: false, encoding: .utf8)
            let race = try await Program.run(Self.scenectl, ["race", scenario, "--seed", "1", "--report", page])
            #expect(race.status == .exited(1), "\(race.errors)")
        }
        let found = try await findings("looks", page)
        #expect(found == "")
    }
}
