internal import ArgumentParser
internal import Basics
internal import CommandConsole
internal import SceneClient
internal import SceneHistory
internal import SceneManifest
internal import SceneModel
internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime
internal import SceneState
internal import StrictJSON

/// What a daemon keeps in its state's folder, without a daemon.
struct StateVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Check, show, export, copy and compact what a daemon keeps with --state.",
        discussion: """
            Examples: scenectl state show
                      scenectl state check /var/lib/scened
                      scenectl state export ./state > records.jsonl
                      scenectl state backup /var/lib/scened ./copy && scened --state ./copy

            All but compact can be run while a daemon has the state open, and change nothing of it. Whoever runs them must own \
            the folder or be root; SQLite has a file there by which its readers and its writer know of each other.
            """,
        subcommands: [Check.self, Show.self, Export.self, Backup.self, Compact.self]
    )

    /// The folder.
    struct Folder: ParsableArguments {
        @Argument(help: "The folder, as --state names it.", completion: .directory)
        var folder = "/var/lib/scened"

        func open() throws -> StoredState {
            do { return try StoredState(directory: folder) } catch { throw CommandError(error) }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Look whether a state is whole, and judge the records in it against the invariants.",
            discussion: """
                First SQLite checks its file, then everything that a daemon would find again is read, then the records are judged \
                as by 'scenectl check', by the manifests that are kept with them. It also says if the state was not closed and the log of its \
                changes is missing, so that something may be lost.

                Exit status: 0 it is whole and every invariant holds; 1 it is damaged, or an invariant is violated; 2 there is no \
                state, or it cannot be read; 4 it is whole, and of at least one invariant it cannot be told.
                """
        )

        @OptionGroup var folder: Folder

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let state = try folder.open()
            let (damage, report) = try judge(state)
            // What is damaged says nothing of that.
            let lacksLog = damage.isEmpty && (try? state.figures().lacksLog) == true
            if json {
                var object: JSONObject = ["damage": .array(damage.map(JSONValue.string))]
                if lacksLog { object["logMissing"] = true }
                object["history"] = report?.json
                print(json: .object(object))
            } else {
                for problem in damage { print("\(state.path): is damaged: \(problem)") }
                if damage.isEmpty { print("\(state.path): is whole") }
                if lacksLog { print(state.withoutLog) }
                for line in report?.lines ?? [] { print(line) }
            }
            if !damage.isEmpty { throw ExitCode(1) }
            if let report, report.conclusion != .holds { throw ExitCode(Int32(report.conclusion.rawValue)) }
        }

        /// What is damaged, and, if nothing is and there are records, what they say.
        private func judge(_ state: StoredState) throws -> ([String], HistoryReport?) {
            do throws(StateError) {
                let damage = try state.damage()
                guard damage.isEmpty, let host = try state.host() else { return (damage, nil) }
                let models = (host.formerManifests + [host.manifest]).compactMap { kept in
                    (try? AppManifest.inForce(kept.json)).map { AppModel($0) }
                }
                var checker = HistoryChecker(apps: models)
                var reader = HistoryReader()
                var count = 0
                try state.eachRecord { json in
                    count += 1
                    reader.read(Array("\(json)\n".utf8)) { checker.check($0) }
                }
                reader.finish { checker.check($0) }
                return (damage, count == 0 ? nil : checker.finish())
            } catch {
                if case .damaged(_, let reason) = error { return ([reason], nil) }
                throw CommandError(error)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print what a daemon would find again: its host, session, windows and events."
        )

        @OptionGroup var folder: Folder

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let state = try folder.open()
            let (host, figures): (KeptHost?, StoredState.Figures)
            do throws(StateError) {
                (host, figures) = (try state.host(), try state.figures())
            } catch {
                throw CommandError(error)
            }
            let shown = ShownState(host, figures, folder: folder.folder)
            if json { print(json: .object(shown.json)) } else { for line in shown.lines { print(line) } }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Print the records that are kept, one a line, as 'records --json' does.",
            discussion: "Example: scenectl state export ./state | scenectl check -"
        )

        @OptionGroup var folder: Folder

        @Flag(help: "Print JSON, as without it.")
        var json = false

        func run() async throws {
            let state = try folder.open()
            do throws(StateError) {
                try state.eachRecord { print($0, as: .json) }
            } catch {
                throw CommandError(error)
            }
        }
    }

    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Copy a state, as it is at one time, into a new folder; also while a daemon writes it."
        )

        @Argument(help: "The folder, as --state names it.", completion: .directory)
        var folder: String

        @Argument(help: "The new folder, which must not exist.", completion: .directory)
        var copy: String

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let state = try StateVerb.Folder.open(folder)
            do { try state.copy(to: copy) } catch { throw CommandError(error) }
            do throws(StateError) {
                if let problem = try StoredState(directory: copy).damage().first {
                    throw .damaged(path: folder, reason: problem)
                }
            } catch {
                throw CommandError.failed("\(copy): a copy of \(folder), which is not whole: \(error).")
            }
            if json { return print(json: ["folder": .string(folder), "copy": .string(copy)]) }
            print("\(copy): a copy of \(folder); check it by 'scenectl state check \(copy)'")
        }
    }

    struct Compact: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compact",
            abstract: "Give the space of what was removed back to the disk; no daemon may have the state open.",
            discussion: "It needs as much space again for a while."
        )

        @OptionGroup var folder: Folder

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            do {
                let (before, after, lacksLog) = try StoredState.compact(directory: folder.folder)
                if json {
                    var object: JSONObject = [
                        "folder": .string(folder.folder), "bytesBefore": .integer(before), "bytes": .integer(after),
                    ]
                    if lacksLog { object["logMissing"] = true }
                    return print(json: .object(object))
                }
                if lacksLog { print(StoredState.withoutLog("\(folder.folder)/state.sqlite")) }
                print("\(folder.folder): \(before) bytes before, \(after) bytes now")
            } catch {
                throw CommandError(error)
            }
        }
    }
}

extension StateVerb.Folder {
    static func open(_ folder: String) throws -> StoredState {
        do { return try StoredState(directory: folder) } catch { throw CommandError(error) }
    }
}

extension CommandError {
    /// Damage is what was looked for, and everything else is a folder that cannot be used.
    fileprivate init(_ error: StateError) {
        switch error {
        case .damaged, .notADatabase:
            self.init(message: "\(error).", status: .refused, name: "scenectl.StateDamaged")
        default: self.init(message: "\(error).", status: .usage, name: "scenectl.StateUnusable")
        }
    }
}

extension StoredState {
    /// Says that something may be lost.
    fileprivate var withoutLog: String { Self.withoutLog(path) }

    fileprivate static func withoutLog(_ path: String) -> String {
        "\(path): was not closed, and the log of its changes, \(path)-wal, is missing or empty: what was in that alone is lost"
    }

    /// Calls `body` with the JSON of each record, in order.
    fileprivate func eachRecord(_ body: (String) -> Void) throws(StateError) {
        var last = 0
        while true {
            let page = try records(after: last, limit: 1_000)
            guard let newest = page.last else { return }
            for record in page { body(record.json) }
            last = newest.index
        }
    }
}

/// A state as it is shown.
private struct ShownState {
    private let host: KeptHost?
    private let figures: StoredState.Figures
    private let folder: String

    init(_ host: KeptHost?, _ figures: StoredState.Figures, folder: String) {
        self.host = host
        self.figures = figures
        self.folder = folder
    }

    private var app: AppManifest? { host.flatMap { try? AppManifest.inForce($0.manifest.json) } }
    /// How many events are in progress or wait for their turn, are parked, and have ended.
    private var events: (open: Int, parked: Int, ended: Int) {
        let parked = host?.scenes.reduce(0) { $0 + $1.parked.count } ?? 0
        let ended = host?.events.filter(\.receipt.outcome.isTerminal).count ?? 0
        return (max(0, (host?.events.count ?? 0) - parked - ended), parked, ended)
    }

    var json: JSONObject {
        var object: JSONObject = [
            "folder": .string(folder), "format": .integer(figures.format), "bytes": .integer(figures.bytes),
            "closed": .bool(figures.isClosed),
            "records": [
                "count": .integer(figures.records), "first": .integer(figures.firstRecord),
                "bytes": .integer(figures.recordBytes),
            ],
        ]
        guard let host else { return object }
        object["host"] = .string(host.id)
        object["app"] = app.map { .string($0.name) }
        object["manifestVersion"] = app.map { .string($0.version) }
        object["manifest"] = .string(host.manifest.digest)
        object["formerManifests"] = .array(host.formerManifests.map { .string($0.digest) })
        let session = host.session.snapshot
        object["session"] = [
            "revision": .integer(session.revision), "epoch": .integer(session.epoch),
            "user": session.user.map(JSONValue.string) ?? .null, "stale": .bool(session.isStale),
            "facts": .object(session.facts.json),
        ]
        object["scenes"] = .array(
            host.scenes.map { scene in
                [
                    "id": .string(scene.id), "configuration": .string(scene.configuration),
                    "connected": .bool(scene.isConnected), "activation": .string(scene.activation.rawValue),
                    "locked": .bool(scene.isLocked), "window": scene.window.json,
                    "parked": .array(scene.parked.map { .string($0.event.id) }),
                ]
            }
        )
        let events = events
        object["events"] = [
            "open": .integer(events.open), "parked": .integer(events.parked), "ended": .integer(events.ended),
        ]
        object["lastRecord"] = [
            "index": .integer(host.lastRecord.index), "milliseconds": .integer(host.lastRecord.time.milliseconds),
            "date": .string(Instant.text(host.lastRecord.wall)),
        ]
        return object
    }

    var lines: [String] {
        let size =
            "format \(figures.format), \(figures.bytes) bytes, \(figures.isClosed ? "closed" : "not closed: a daemon has it open, or ended without closing it")"
        guard let host else { return ["\(folder): \(size); no host has begun in it"] }
        let session = host.session.snapshot
        let events = events
        var lines = [
            "\(folder): \(size)",
            "host \(host.id), \(app.map { "\($0.name) (manifest \($0.version))" } ?? "a manifest that cannot be read any more")",
            "records \(figures.firstRecord) to \(host.lastRecord.index), the last of \(Instant.text(host.lastRecord.wall))",
            "events: \(events.open) not done, \(events.parked) parked, \(events.ended) ended and remembered",
            "session: revision \(session.revision), epoch \(session.epoch), "
                + (session.user.map { "user \($0)" } ?? "nobody signed in")
                + (session.isStale ? ", sign-in stale" : ""),
        ]
        lines += session.facts.json.map { "  \($0.key): \($0.value.text())" }
        for scene in host.scenes {
            let window = (try? ClientWindow(JSONReader(scene.window.json))).map { "\(WindowText($0).front)" } ?? ""
            let state = scene.isConnected ? scene.activation.rawValue : "disconnected"
            let parked = scene.parked.isEmpty ? "" : "  \(scene.parked.count) parked"
            lines.append("\(scene.id)  \(state)\(scene.isLocked ? "  locked" : "")  \(window)\(parked)")
        }
        return lines
    }
}
