internal import Basics
internal import Glibc
internal import SceneClient
internal import StrictJSON

/// What a run that has failed leaves in a folder, and how to look at it.
struct RunArtifacts: Sendable {
    let folder: String
    let settings: DaemonSettings

    private static let names = ["app.json", "daemon.log", "records.jsonl", "script.jsonl"]

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Removes what an earlier run left; otherwise it could be taken for this one's.
    func removeOld() throws(CommandError) {
        for name in Self.names {
            guard unlink(path(name)) != 0, errno != ENOENT else { continue }
            throw .failed("--artifacts: \(path(name)) cannot be removed: \(String(cString: strerror(errno))).")
        }
        // Something else may be in it, or it is not there.
        rmdir(folder)
    }

    /// Keeps what `body` writes. If it cannot be written, that is told: the command's status says more.
    func keep(_ body: (RunArtifacts) async throws -> Void) async {
        do {
            try await body(self)
        } catch {
            Terminal.complain("nothing more was kept: \(error)")
        }
    }

    /// Writes everything that a daemon tells.
    func write(_ daemon: PrivateDaemon) async throws {
        try write(log: daemon)
        let client = try await daemon.client()
        let records = try await client.allRecords().map { JSONValue.object($0.reply).text(.compact) + "\n" }
        try Files.write(records.joined(), to: path("records.jsonl"), replacing: true)
        let scenectl = CommandLine.arguments[0].shellWord
        var app = ""
        if let manifest = try await client.manifest() {
            try Files.write(manifest, to: path("app.json"), replacing: true)
            app = " --app \(path("app.json").shellWord)"
        }
        tell("\(path("records.jsonl"))\n  \(scenectl) check\(app) \(path("records.jsonl").shellWord)")
        do {
            try Files.write(try await Record.script(of: client), to: path("script.jsonl"), replacing: true)
        } catch let error as CommandError {
            return tell("no script: \(error)")
        }
        let options = settings.commandLine.map(\.shellWord).joined(separator: " ")
        let again = "\(scenectl) with-daemon \(options)\(options.isEmpty ? "" : " ")-- \(scenectl) play"
        tell("\(path("script.jsonl"))\n  \(again) \(path("script.jsonl").shellWord)")
    }

    /// Writes the log, which is all that a daemon that has ended leaves.
    func write(log daemon: PrivateDaemon) throws {
        try Files.makeFolder(folder)
        try Files.write(daemon.logged(), to: path("daemon.log"), replacing: true)
        tell(path("daemon.log"))
    }

    private func tell(_ text: String) { Terminal.write(Terminal.harmless(text, as: .page) + "\n") }
}
