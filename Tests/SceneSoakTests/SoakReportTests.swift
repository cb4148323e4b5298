import Foundation
import Histogram
import Testing

@testable import SceneSoak

@Suite("The files of a soak")
struct SoakReportTests {
    /// A folder that is removed after the test.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test("are three, and the run can be read from the folder and from the file")
    func writing() throws {
        try withFolder { folder in
            let run = ExampleRun.make(rounds: 40)
            let written = SoakReport.write(run, verdict: SoakVerdict(of: run), to: "\(folder)/a/b")
            #expect(written.isComplete)
            #expect(written.files == ["soak.json", "latency.hgrm", "report.html"].map { "\(folder)/a/b/\($0)" })
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/a/b").sorted()
            #expect(names == ["latency.hgrm", "report.html", "soak.json"], "nothing else is left")
            #expect(try SoakReport.read("\(folder)/a/b").intervals == run.intervals)
            #expect(try SoakReport.read("\(folder)/a/b/soak.json").hosts == run.hosts)
        }
    }

    @Test("can be read by their owner only")
    func modes() throws {
        try withFolder { folder in
            let run = ExampleRun.make(rounds: 40)
            let written = SoakReport.write(run, verdict: SoakVerdict(of: run), to: folder)
            try IntervalFile(directory: folder, warn: { Issue.record("\($0)") }).append(run.intervals[0])
            for file in written.files + ["\(folder)/intervals.jsonl"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: file)
                #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(file)")
            }
        }
    }

    @Test("are written even if one of them cannot be, and never incompletely")
    func partly() throws {
        try withFolder { folder in
            // A folder has the page's name.
            try FileManager.default.createDirectory(
                atPath: "\(folder)/report.html/x",
                withIntermediateDirectories: true
            )
            let run = ExampleRun.make(rounds: 40)
            let written = SoakReport.write(run, verdict: SoakVerdict(of: run), to: folder)
            #expect(written.files.count == 2)
            #expect(written.failures.map(\.path) == ["\(folder)/report.html"])
            #expect(written.failures.first?.reason.contains("give another folder with --out") == true)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(names == ["latency.hgrm", "report.html", "soak.json"])
        }
    }

    @Test("save the run in another folder if its own cannot be written, even by root")
    func refuge() throws {
        try withFolder { folder in
            try "".write(toFile: "\(folder)/file", atomically: true, encoding: .utf8)
            let run = ExampleRun.make(rounds: 40)
            for unwritable in ["\(folder)/file", "\(folder)/file/below", "/proc/soak"] {
                let written = SoakReport.write(
                    run,
                    verdict: SoakVerdict(of: run),
                    to: unwritable,
                    refuge: "\(folder)/refuge"
                )
                #expect(written.files == ["\(folder)/refuge/soak.json"])
                #expect(!written.isComplete)
            }
            #expect(try SoakReport.read("\(folder)/refuge").intervals == run.intervals)
        }
    }

    @Test("give advice on a full disk")
    func fullDisk() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let error = #expect(throws: SoakFolder.Failure.self) {
            try SoakFolder.write([1, 2, 3], to: full.fileDescriptor, named: "out/soak.json")
        }
        #expect(
            error?.description
                == "out/soak.json: no space left on device; make room there, or give another folder with --out"
        )
    }

    @Test("are replaced as a whole, and stay unchanged if that fails")
    func replacing() throws {
        try withFolder { folder in
            try SoakFolder.write(Array("one".utf8), to: "\(folder)/a")
            try SoakFolder.write(Array("two".utf8), to: "\(folder)/a")
            #expect(try SoakFolder.read("\(folder)/a") == Array("two".utf8))
        }
    }

    @Test("that do not exist or are not a soak are refused")
    func reading() throws {
        try withFolder { folder in
            let missing = #expect(throws: SoakFolder.Failure.self) { try SoakReport.read("\(folder)/none") }
            #expect(
                missing?.description
                    == "\(folder)/none: no such file or directory; give the folder that was written with --out, or a soak.json"
            )
            // What is read is not written: no advice to give another folder to write to.
            try FileManager.default.createDirectory(atPath: "\(folder)/x/soak.json", withIntermediateDirectories: true)
            for path in ["\(folder)/x", "\(folder)/x/soak.json/\(String(repeating: "n", count: 300))"] {
                let unread = #expect(throws: SoakFolder.Failure.self) { try SoakReport.read(path) }
                #expect(
                    unread?.reason.hasSuffix("; give the folder that was written with --out, or a soak.json") == true,
                    "\(unread?.reason ?? "")"
                )
            }
            try "{}".write(toFile: "\(folder)/soak.json", atomically: true, encoding: .utf8)
            let wrong = #expect(throws: SoakFolder.Failure.self) { try SoakReport.read(folder) }
            #expect(
                wrong?.reason.hasPrefix("line 1, column 1: format: expected \"scened-soak\", found nothing") == true
            )
        }
    }

    @Test("have the latencies in the format of HdrHistogram's tools: milliseconds, ascending, up to the total count")
    func hgrm() throws {
        let run = ExampleRun.make()
        let lines = SoakReport.hgrm(run.latency).split(separator: "\n")
        let words = lines.first?.split(separator: " ").map(String.init)
        #expect(words == ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"])
        let rows = lines.dropFirst().filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: " ").compactMap { Double($0) }
        }
        #expect(rows.count > 20)
        for (one, next) in zip(rows, rows.dropFirst()) {
            #expect(one[0] <= next[0] && one[1] <= next[1] && one[2] <= next[2])
        }
        let total = Double(run.latency.totalCount)
        let most = Double(run.latency.maxRecorded) / 1e6
        #expect(rows.last?[1] == 1 && rows.last?[2] == total)
        #expect(abs((rows.last?[0] ?? 0) - most) < most / 500)
        #expect(lines.contains { $0.hasPrefix("#[Max") })
        #expect(SoakReport.hgrm(SoakRun.histogram()).hasPrefix("       Value"), "even if nothing was measured")
    }
}
