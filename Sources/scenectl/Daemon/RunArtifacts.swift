internal import CommandConsole
internal import Glibc
internal import SceneClient
internal import StrictJSON

/// What a run that has failed leaves in a folder, and how to look at it.
struct RunArtifacts: Sendable {
    private let folder: RunFolder
    private let settings: DaemonSettings

    init(folder: String, settings: DaemonSettings) {
        self.folder = RunFolder(path: folder, scenectl: CommandLine.arguments[0])
        self.settings = settings
    }

    /// Removes what an earlier run left; otherwise it could be taken for this one's.
    func removeOld() throws(CommandError) {
        let files = RunFolder.File.allCases.map(\.rawValue)
        try Files.prepare(folder.path, for: files, mark: RunFolder.File.log.rawValue, option: "--artifacts")
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
        try Files.write(records.joined(), to: folder.path(.records), replacing: true)
        let manifest = try await client.manifest()
        if let manifest { try Files.write(manifest, to: folder.path(.app), replacing: true) }
        tell("\(folder.path(.records))\n  \(folder.checking(hasApp: manifest != nil))")
        if !records.isEmpty {
            let source = HistorySource(label: folder.path(.records), date: Double(time(nil)), isFile: true) { body in
                try body(Array(records.joined().utf8)[...])
            }
            _ = try Inspect.writePage(of: [source], to: folder.path(.page))
            tell(folder.path(.page))
        }
        do {
            try Files.write(try await Record.script(of: client), to: folder.path(.script), replacing: true)
        } catch let error as CommandError {
            return tell("no script: \(error)")
        }
        tell("\(folder.path(.script))\n  \(folder.playing(on: settings.commandLine))")
    }

    /// Writes the log, which is all that a daemon that has ended leaves.
    func write(log daemon: PrivateDaemon) throws {
        try Files.makeFolder(folder.path)
        try Files.write(daemon.logged(), to: folder.path(.log), replacing: true)
        tell(folder.path(.log))
    }

    private func tell(_ text: String) { Terminal.write(Terminal.harmless(text, as: .page) + "\n") }
}
