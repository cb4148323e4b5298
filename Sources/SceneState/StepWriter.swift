internal import Basics
internal import GRDB
internal import SceneRouting
internal import SceneRuntime
internal import SceneVocabulary
internal import StrictJSON

/// Writes steps into the database, within transactions of its caller.
///
/// What it knows of the database by itself is right as long as every transaction has succeeded.
struct StepWriter {
    private let path: String
    private let retention: StateRetention
    private let coder = StateCoder()

    /// What the host's row says that changes with most steps; `nil` if no host has begun.
    private var host: Host?
    /// The same, as the row says it.
    private var written: Host?
    /// The end of an event that was noted last, and how many were since events were removed.
    private var lastEnd: Int
    private var untrimmedEnds = 0
    private var choosers: Int
    /// The records, oldest first.
    private var segments: [Segment]
    /// Whether the newest segment is not as its row says.
    private var isSegmentNew = false
    private var records: (count: Int, bytes: Int)

    private struct Host: Hashable {
        var lastMadeEvent = 0
        var lastMadeScene = 0
        var openedScenes = 0
        var lastRecord = 0
        var lastTime = 0
        var lastWall: Double
    }

    private struct Segment {
        let first: Int
        var last: Int
        var count = 0
        var bytes = 0
    }

    init(path: String, retention: StateRetention, _ db: Database) throws {
        self.path = path
        self.retention = retention
        host = try Row.fetchOne(db, sql: "SELECT * FROM host").map { row in
            let row = StoredRow(row, of: "host")
            return Host(
                lastMadeEvent: try row.value("lastMadeEvent"),
                lastMadeScene: try row.value("lastMadeScene"),
                openedScenes: try row.value("openedScenes"),
                lastRecord: try row.value("lastRecord"),
                lastTime: try row.value("lastTime"),
                lastWall: try row.value("lastWall")
            )
        }
        written = host
        lastEnd = try Int.fetchOne(db, sql: "SELECT max(ended) FROM event WHERE ended IS NOT NULL") ?? 0
        choosers = try Int.fetchOne(db, sql: "SELECT count(*) FROM chooser") ?? 0
        segments = try Row.fetchAll(db, sql: "SELECT * FROM segment ORDER BY first").map { row in
            let row = StoredRow(row, of: "segment")
            return Segment(
                first: try row.value("first"),
                last: try row.value("last"),
                count: try row.value("count"),
                bytes: try row.value("bytes")
            )
        }
        records = segments.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.bytes) }
    }

    // MARK: - A transaction

    /// Writes a step.
    /// - Parameter wall: The date when it was handed over, in seconds since 1970.
    /// - Throws: An error of the database, or ``StateError/noHost(path:)``.
    mutating func write(_ step: KeptStep, wall: Double, _ db: Database) throws {
        guard host != nil else { throw StateError.noHost(path: path) }
        for change in step.changes { try write(change, db) }
        for record in step.records { try write(record, wall: wall, db) }
    }

    /// Puts a new host in the place of all that was there.
    mutating func begin(_ new: KeptHost, _ db: Database) throws {
        for table in [
            "host", "manifest", "session", "scene", "purpose", "ticket", "event", "chooser", "choice", "record",
            "segment",
        ] {
            try db.execute(sql: "DELETE FROM \(table)")
        }
        let halves = new.secretKey?.halves
        try db.execute(
            sql: "INSERT INTO host VALUES (?, ?, ?, ?, 0, 0, 0, 0, 0, ?)",
            arguments: [
                StateText.of(new.id), Int64(bitPattern: new.seed), halves.map { Int64(bitPattern: $0.0) },
                halves.map { Int64(bitPattern: $0.1) }, new.lastRecord.wall,
            ]
        )
        try db.execute(sql: "INSERT INTO manifest VALUES (?)", arguments: [coder.text(new.manifest)])
        try db.execute(sql: "INSERT INTO session VALUES (?)", arguments: [coder.text(new.session)])
        host = Host(lastWall: new.lastRecord.wall)
        written = host
        (lastEnd, untrimmedEnds, choosers) = (0, 0, 0)
        (segments, isSegmentNew, records) = ([], false, (0, 0))
    }

    /// Writes what a transaction's steps have in common, and removes what is no longer kept. It comes last in each.
    mutating func finish(_ db: Database) throws {
        try writeSegment(db)
        while segments.count > 1, records.count > retention.records || records.bytes > retention.recordBytes {
            let oldest = segments.removeFirst()
            records = (records.count - oldest.count, records.bytes - oldest.bytes)
            try run("DELETE FROM record WHERE number BETWEEN ? AND ?", [oldest.first, oldest.last], db)
            try run("DELETE FROM segment WHERE first = ?", [oldest.first], db)
        }
        if untrimmedEnds >= retention.trimming {
            try run(
                """
                DELETE FROM event WHERE ended IS NOT NULL AND ended <= (
                    SELECT ended FROM event WHERE ended IS NOT NULL ORDER BY ended DESC LIMIT 1 OFFSET ?
                )
                """,
                [retention.events],
                db
            )
            untrimmedEnds = 0
        }
        guard let host, host != written else { return }
        try run(
            """
            UPDATE host SET lastMadeEvent = ?, lastMadeScene = ?, openedScenes = ?, lastRecord = ?, lastTime = ?, lastWall = ?
            """,
            [
                host.lastMadeEvent, host.lastMadeScene, host.openedScenes, host.lastRecord, host.lastTime,
                host.lastWall,
            ],
            db
        )
        written = host
    }

    // MARK: - Changes

    private mutating func write(_ change: KeptChange, _ db: Database) throws {
        switch change {
        case .session(let session): try run("UPDATE session SET json = ?", [coder.text(session)], db)
        case .manifest(let manifest): try write(manifest, db)
        case .scene(let scene): try write(scene, db)
        case .sceneGone(let id):
            try run("DELETE FROM scene WHERE id = ?", [StateText.of(id)], db)
            try run("DELETE FROM purpose WHERE scene = ?", [StateText.of(id)], db)
            try run("DELETE FROM ticket WHERE scene = ?", [StateText.of(id)], db)
        case .purpose(let scene, let destination):
            try run(
                "INSERT OR REPLACE INTO purpose VALUES (?, ?)",
                [StateText.of(scene), coder.text(destination)],
                db
            )
        case .unlocked(let scene):
            try run("UPDATE scene SET unlocked = 1 WHERE id = ?", [StateText.of(scene)], db)
        case .closing(let scene):
            try run("UPDATE scene SET closing = 1 WHERE id = ?", [StateText.of(scene)], db)
        case .event(let event): try write(event, db)
        case .began(let key, let attempt):
            try run("UPDATE event SET attempt = ? WHERE key = ?", [attempt, StateText.key(key)], db)
        case .effect(let key, let effect):
            try run(
                "UPDATE event SET effects = iif(effects = '', ?1, effects || ',' || ?1) WHERE key = ?2",
                [coder.text(effect), StateText.key(key)],
                db
            )
        case .outcome(let key, let receipt):
            try run(
                "UPDATE event SET receipt = ?, ended = coalesce(ended, ?) WHERE key = ?",
                [coder.text(receipt), end(receipt), StateText.key(key)],
                db
            )
        case .choice(let user, let destination, let variant):
            try choose(variant, of: StateText.of(destination), for: StateText.of(user), db)
        }
    }

    /// The newest row is in force.
    private func write(_ manifest: KeptManifest, _ db: Database) throws {
        let json = try coder.text(manifest)
        try run("DELETE FROM manifest WHERE json = ?", [json], db)
        try run("INSERT INTO manifest VALUES (?)", [json], db)
        try run(
            "DELETE FROM manifest WHERE rowid <= (SELECT rowid FROM manifest ORDER BY rowid DESC LIMIT 1 OFFSET ?)",
            [KeptChange.mostManifests],
            db
        )
    }

    private mutating func write(_ scene: KeptScene, _ db: Database) throws {
        if let number = StateText.number(of: scene.id, after: "scene-") {
            host?.lastMadeScene.grow(to: number)
        }
        host?.openedScenes.grow(to: scene.number)
        try run(
            """
            INSERT INTO scene VALUES (?, ?, ?, 0, 0)
            ON CONFLICT (id) DO UPDATE SET number = excluded.number, json = excluded.json, unlocked = 0
            """,
            [StateText.of(scene.id), scene.number, coder.text(scene)],
            db
        )
    }

    private mutating func write(_ event: KeptEvent, _ db: Database) throws {
        if event.isKeyMade, let number = StateText.number(of: event.key.id, after: "auto-") {
            host?.lastMadeEvent.grow(to: number)
        }
        if let ticket = event.receipt.ticket {
            try run(
                "INSERT OR REPLACE INTO ticket VALUES (?, ?)",
                [StateText.of(event.receipt.scene), ticket],
                db
            )
        }
        // What the host has forgotten and knows no more by this key gives way.
        try run(
            "INSERT OR REPLACE INTO event VALUES (NULL, ?, ?, NULL, ?, ?, ?)",
            [
                StateText.key(event.key), coder.text(event), event.attempt,
                event.effects.map { try coder.text($0) }.joined(separator: ","), end(event.receipt),
            ],
            db
        )
    }

    /// The place in the order of ends of an event with this receipt; `nil` if it has not ended.
    private mutating func end(_ receipt: Receipt) -> Int? {
        guard receipt.outcome.isTerminal else { return nil }
        lastEnd += 1
        untrimmedEnds += 1
        return lastEnd
    }

    /// Keeps a choice where one for the same stands, and as many users as a host does.
    private mutating func choose(_ variant: String, of destination: String, for user: String, _ db: Database) throws {
        try run("INSERT OR IGNORE INTO chooser VALUES (NULL, ?)", [user], db)
        if db.changesCount > 0 {
            choosers += 1
            if choosers > VariantMemory.users {
                let oldest = "SELECT user FROM chooser ORDER BY place LIMIT 1"
                try run("DELETE FROM choice WHERE user = (\(oldest))", [], db)
                try run("DELETE FROM chooser WHERE user = (\(oldest))", [], db)
                choosers -= 1
            }
        }
        try run(
            """
            INSERT INTO choice VALUES (NULL, ?, ?, ?)
            ON CONFLICT (user, destination) DO UPDATE SET variant = excluded.variant
            """,
            [user, destination, StateText.of(variant)],
            db
        )
    }

    // MARK: - Records

    /// The index of the newest record that was written; 0 for none.
    var newestRecord: Int { host?.lastRecord ?? 0 }

    private mutating func write(_ record: SceneRuntime.Record, wall: Double, _ db: Database) throws {
        var json = JSONText()
        record.write(to: &json)
        let time = record.time.nanoseconds
        let subject = record.subject
        try run(
            "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)",
            [
                record.index, record.kind.rawValue, subject.scene.map { StateText.of($0) },
                subject.event.map { StateText.of($0) }, time, String(decoding: json.bytes, as: UTF8.self),
            ],
            db
        )
        host?.lastRecord = record.index
        host?.lastTime = time
        host?.lastWall = wall
        if segments.last.map({ $0.count >= retention.segment }) ?? true {
            try writeSegment(db)
            segments.append(Segment(first: record.index, last: record.index))
        }
        let newest = segments.count - 1
        segments[newest].last = record.index
        segments[newest].count += 1
        segments[newest].bytes += json.count
        isSegmentNew = true
        records = (records.count + 1, records.bytes + json.count)
    }

    private mutating func writeSegment(_ db: Database) throws {
        guard isSegmentNew, let newest = segments.last else { return }
        try run(
            "INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?)",
            [newest.first, newest.last, newest.count, newest.bytes],
            db
        )
        isSegmentNew = false
    }

    private func run(_ sql: String, _ arguments: StatementArguments, _ db: Database) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension Int {
    fileprivate mutating func grow(to other: Int) { self = Swift.max(self, other) }
}
