import Foundation
import Testing

@testable import Interleaving

@Suite("Exploring in another process")
struct ProcessTests {
    /// Runs the probe, which is built beside the tests.
    private func probe(_ arguments: String...) throws -> (output: String, complaints: String, status: Int32) {
        let process = Process()
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = folder.appending(path: "interleaving-probe")
        process.arguments = arguments
        // Backtraces take seconds, and nobody reads this one.
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let (output, complaints) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaints
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errors = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, errors, process.terminationStatus)
    }

    @Test("the same seed gives the same runs in every process, and another seed gives others")
    func sameInEveryProcess() throws {
        let first = try probe("hashes", "7").output
        #expect(first.split(separator: "\n").count == 201)
        #expect(try probe("hashes", "7").output == first)
        #expect(try probe("hashes", "8").output != first)
    }

    @Test(
        "where jobs run whole, a run that traps is named on the standard error before the process ends, and the name replays it"
    )
    func trap() throws {
        let first = try probe("trap")
        #expect(first.status != 0)
        #expect(first.complaints.contains("nothing was added"))
        let line = try #require(first.complaints.split(separator: "\n").first { $0.contains("INTERLEAVING_REPLAY=") })
        let word = try #require(line.split(separator: "=").last)
        let code = try ReplayCode(parsing: word)
        #expect(!code.schedule.deviations.isEmpty || word.hasSuffix("fifo"))
        #expect(try probe("trap").complaints.contains(word))
    }

    @Test(
        "a job that may be stopped calls itself as deeply as elsewhere, and too deeply is a trap that is named",
        .enabled(if: SimulationSettings.reasonNotToStop == nil)
    )
    func recursion() throws {
        // About 4 MiB of the 8 that a main thread has, which is hundreds of pages.
        #expect(try probe("recursion", "4000").output == "2 0\n")
        let deep = try probe("recursion", "40000")
        #expect(deep.status == 0)
        #expect(deep.output.hasPrefix("1 1\ntrapped with signal 11: the stack overflows, "), "\(deep.output)")
    }

    @Test("where jobs run whole, a run that is blocked is named, and where, and ends the process")
    func blocked() throws {
        let blocked = try probe("blocked")
        #expect(blocked.status == SIGABRT)
        #expect(
            blocked.complaints.contains("this run is blocked. Again: INTERLEAVING_REPLAY=1-"),
            "\(blocked.complaints)"
        )
        #expect(blocked.complaints.contains("a step of it has not ended, at instruction 0x"), "\(blocked.complaints)")
    }

    @Test("a crash outside of a run is reported with its place, and ends the process as it would have")
    func crash() throws {
        let crashed = try probe("crash")
        #expect(crashed.status == SIGSEGV)
        let lines = crashed.complaints.split(separator: "\n")
        let place = try #require(lines.first)
        #expect(place.hasPrefix("interleaving: outside of a run, signal 11, code 1, address 0x20, at instruction 0x"))
        #expect(place.contains("/interleaving-probe+0x"))
        #expect(lines.dropFirst().first?.hasPrefix("  from ") == true)
    }

    @Test("threads may end before whoever started them goes on")
    func shortThreads() throws {
        #expect(try probe("threads").output == "started\n")
    }

    @Test("the first exploration of a process begins while other tasks hop")
    func crowd() throws {
        #expect(try probe("crowd").output == "1\n")
    }

    @Test("a worker reports a continuation that is resumed twice as a verdict of its own kind")
    func resumedTwice() throws {
        #expect(try probe("resume-twice").output == "double-resume\n")
    }
}
