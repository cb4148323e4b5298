import ArgumentParser
import Figures
import Foundation
import StrictJSON

/// Makes one table of what the benchmarks measured.
@main
struct BenchmarkTable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmark-table",
        abstract: "Makes one table of what the benchmarks measured, or compares two.",
        subcommands: [Collect.self, Document.self, Compare.self]
    )

    static func read(_ file: String) throws -> String {
        do {
            return try String(contentsOfFile: file, encoding: .utf8)
        } catch {
            throw FigureError.notRead(file: file, reason: error.localizedDescription)
        }
    }

    static func results(_ file: String) throws -> BenchmarkResults {
        try BenchmarkResults(parsing: try read(file), file: file)
    }
}

/// Of the figures of one run, with the machine they were measured on.
struct Collect: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Keeps the figures of a run, and prints the table.")

    @Argument(help: "The figures, a line each.")
    var figures: String

    @Option(help: "Where the results are kept.")
    var out: String

    @Option(help: "What was measured.")
    var commit: String

    @Option(help: "What built it.")
    var toolchain: String

    func run() throws {
        let lines = try BenchmarkTable.read(figures).split(separator: "\n")
        let read = try lines.map { line throws in
            guard let json = try? JSONValue(parsing: String(line)), let figure = Figure(json: json) else {
                throw FigureError.notRead(file: figures, reason: "\(line) is not a figure")
            }
            return figure
        }
        let results = BenchmarkResults(
            processor: Self.processor(),
            cores: ProcessInfo.processInfo.activeProcessorCount,
            memory: Int(ProcessInfo.processInfo.physicalMemory),
            system: Self.system(),
            commit: commit,
            toolchain: toolchain,
            date: Date.now.formatted(.iso8601),
            figures: read
        )
        try (results.json.text(.indented) + "\n").write(toFile: out, atomically: true, encoding: .utf8)
        print(results.table, terminator: "")
        print("\n\(results.machine)\n\(out)")
    }

    private static func processor() -> String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    }

    private static func system() -> String {
        var names = utsname()
        uname(&names)
        func text<Name>(_ name: Name) -> String {
            withUnsafeBytes(of: name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return "\(text(names.sysname)) \(text(names.release))"
    }
}

/// The page of the documentation.
struct Document: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the page of the documentation.")

    @Argument(help: "Results that were kept.")
    var results: String

    func run() throws {
        let results = try BenchmarkTable.results(results)
        print(
            """
            # Benchmarks

            What `make bench` measured: \(results.machine).

            ## Overview

            A figure is a ratio to something else that took turns with it in the same run, because machines are shared and noisy: what slows
            one down slows the other down, too. The middle half is where the middle half of the rounds lies. `make bench` prints this table and
            keeps it as JSON; `make bench ARGS='compare BEFORE AFTER'` lays two of them side by side.

            \(results.table)
            """
        )
    }
}

/// Two runs beside each other.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Compares the results of two runs.")

    @Argument(help: "The results of the run before.")
    var before: String

    @Argument(help: "The results of the run after.")
    var after: String

    func run() throws {
        let comparison = BenchmarkComparison(try BenchmarkTable.results(before), try BenchmarkTable.results(after))
        print(comparison.text, terminator: "")
    }
}
