internal import Basics
internal import Glibc
internal import SceneClient
internal import StrictJSON
internal import Subprocess
internal import SystemPackage
internal import Testing

/// What a test that has failed leaves in a folder of its own, and how to look at it.
struct TestArtifacts: Sendable {
    private let folder: String
    private let settings: DaemonTestSettings

    /// Chooses the folder, and removes what an earlier run left there.
    init(of test: Test, _ settings: DaemonTestSettings) {
        self.settings = settings
        let parent = settings.artifacts
        folder = "\(parent)/\(ArtifactFolder.name(ofNext: [test.id.moduleName] + test.id.nameComponents))"
        for file in RunFolder.File.allCases { unlink("\(folder)/\(file.rawValue)") }
        rmdir(folder)
        rmdir(parent)
    }

    /// Writes what is known, as far as the daemon still says it and the folder can be written, and says so in a warning.
    func write(_ run: TestRun, log: String, _ test: Test) async {
        var lines: [String] = []
        do {
            try makeFolder()
            lines.append(try write(.log, log))
            if !run.daemon.hasEnded { try await writeStory(run, &lines) }
        } catch {
            lines.append("nothing more was kept: \(error)")
        }
        Issue.record(
            "What is known of this test:\n\(lines.joined(separator: "\n"))",
            severity: .warning,
            sourceLocation: test.sourceLocation
        )
    }

    private func writeStory(_ run: TestRun, _ lines: inout [String]) async throws {
        let manifest = try await run.client.manifest()
        if let manifest { try write(.app, manifest) }
        let records = try await run.records().map { JSONValue.object($0.reply).text(.compact) + "\n" }
        lines.append(try write(.records, records.joined()))
        guard let scenectl = run.daemon.scenectl else {
            lines.append("no script: scenectl is neither beside the daemon nor in PATH")
            return
        }
        let commands = RunFolder(path: folder, scenectl: scenectl)
        lines.append("  \(commands.checking(hasApp: manifest != nil))")
        switch try await Self.run(scenectl, ["inspect", commands.path(.records), "--out", "-"]) {
        case .success(let page): lines.append(try write(.page, page))
        case .failure(let problem): lines.append("no page: \(problem)")
        }
        switch try await Self.run(scenectl, ["record", "--socket", run.daemon.socket]) {
        case .success(let script): lines.append(try write(.script, script))
        case .failure(let problem): return lines.append("no script: \(problem)")
        }
        let options = try settings.words() + ["--seed", "\(settings.seed)", "--scened", run.daemon.program]
        lines.append("  \(commands.playing(on: options))")
        let leftOut = run.state.withLock(\.leftOut)
        if !leftOut.isEmpty {
            lines.append("  the script does not repeat: \(leftOut.sorted().joined(separator: ", "))")
        }
    }

    /// What a command of scenectl prints, or why it fails.
    private static func run(_ scenectl: String, _ words: [String]) async throws -> Result<String, DaemonTestError> {
        let outcome = try await Subprocess.run(
            .path(FilePath(scenectl)),
            arguments: Arguments(words),
            output: .string(limit: 1 << 28),
            error: .string(limit: 1 << 16)
        )
        guard outcome.terminationStatus.isSuccess else { return .failure(DaemonTestError(outcome.standardError)) }
        return .success(outcome.standardOutput)
    }

    private func makeFolder() throws {
        for path in [settings.artifacts, folder] where mkdir(path, 0o777) != 0 && errno != EEXIST {
            throw DaemonTestError("\(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Writes a file, and attaches it to the test. Only its owner may read it: it can contain what users typed.
    /// - Returns: The file's path.
    @discardableResult
    private func write(_ file: RunFolder.File, _ text: String) throws -> String {
        let path = "\(folder)/\(file.rawValue)"
        let descriptor = try FileDescriptor.open(
            FilePath(path),
            .writeOnly,
            options: [.create, .truncate, .closeOnExec],
            permissions: .ownerReadWrite
        )
        try descriptor.closeAfter { _ = try descriptor.writeAll(text.utf8) }
        Attachment.record(text, named: file.rawValue)
        return path
    }
}
