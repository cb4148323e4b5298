package import ArgumentParser
internal import Basics

/// Where a command that judges says how each case came out, for CI systems, besides what it prints.
package struct CaseReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write how each case came out as JUnit XML, which CI systems show; what cannot be judged is an error. The file is new, or of an earlier run.",
            valueName: "file"
        ),
        completion: .file(extensions: ["xml"])
    )
    package var junit: String?

    @Flag(
        help:
            "Print what did not pass as annotations of GitHub Actions, on standard error; they point at the files as they are named on the command line."
    )
    package var githubAnnotations = false

    package init() {}

    /// Whether anybody asks for the cases.
    package var areGiven: Bool { junit != nil || githubAnnotations }

    /// Runs a command's work, then reports its cases, also if it fails: what kept it from its end is a case that could not be judged. An
    /// earlier file is removed first, so that it is never taken for this run's.
    /// - Parameters:
    ///   - suite: The name of the command, such as `scenectl check`.
    ///   - subject: The file, or what else it is about, if that is one thing.
    ///   - inputs: What the command reads: paths, or other words.
    ///   - body: The work. It adds cases as they are judged.
    /// - Throws: What `body` throws; or that the file cannot be written, which a status alone would not tell.
    package func reporting(
        _ suite: String,
        of subject: String?,
        keeps inputs: [String?],
        _ body: (_ add: @escaping @Sendable (CaseReport.Case) -> Void) async throws -> Void
    ) async throws {
        guard areGiven else { return try await body { _ in } }
        try removeEarlier(keeps: inputs)
        let report = Guarded(CaseReport(suite, of: subject))
        let add: @Sendable (CaseReport.Case) -> Void = { one in report.withLock { $0.add(one) } }
        do {
            try await body(add)
        } catch {
            if !(error is ExitCode) {
                let message = "\(error)"
                let file = inputs.compactMap(\.self).first { message.hasPrefix("\($0):") }
                add(CaseReport.Case(file ?? "the command itself", .unjudged(message), file: file))
            }
            try write(report.withLock { $0 })
            throw error
        }
        try write(report.withLock { $0 })
    }

    /// Removes the file of an earlier run, and nothing else: a mistyped name may be that of a fixture.
    /// - Throws: What keeps the file from being written.
    private func removeEarlier(keeps inputs: [String?]) throws(CommandError) {
        guard let junit else { return }
        if junit == "-" || Files.isPrintedTo(junit) {
            throw .usage("--junit \(junit): it has what the command prints; expected a file of its own.")
        }
        try Files.check("--junit", junit, keeps: inputs)
        guard Files.isRegular(junit) else { return }
        let text: String
        do throws(CommandError) {
            text = String(decoding: try Files.beginning(of: junit, bytes: 4_096), as: UTF8.self)
        } catch {
            throw .usage("--junit \(error.message)")
        }
        guard text.isEmpty || CaseReport.wrote(text) else {
            throw .usage(
                "--junit \(junit): it would be replaced, and no earlier run has written it; expected a new file, or one that --junit wrote."
            )
        }
        Files.removeFile(junit)
    }

    private func write(_ report: CaseReport) throws(CommandError) {
        if githubAnnotations { Terminal.write(Terminal.harmless(report.annotations, as: .page)) }
        guard let junit else { return }
        do throws(CommandError) {
            try Files.write(report.junit, to: junit, replacing: true)
        } catch {
            // Not the status of a finding: who looks for the file should not have to guess.
            throw .usage("--junit: \(error.message)")
        }
    }
}
