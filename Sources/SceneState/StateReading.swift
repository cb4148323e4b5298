internal import GRDB
internal import SceneRouting
internal import SceneRuntime

/// Reads everything that a host has to find again.
struct StateReading {
    private let coder = StateCoder()
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// - Parameter events: How many events that have ended are remembered.
    /// - Returns: `nil` if no host has begun.
    func host(events: Int) throws -> KeptHost? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM host") else { return nil }
        let halves: (Int64?, Int64?) = (row["firstHalf"], row["secondHalf"])
        var key: SecretKey?
        if let first = halves.0, let second = halves.1 {
            key = SecretKey(UInt64(bitPattern: first), UInt64(bitPattern: second))
        }
        var host = try KeptHost(
            id: text(row["id"]),
            seed: UInt64(bitPattern: row["seed"]),
            secretKey: key,
            manifest: one("manifest"),
            session: one("session"),
            wall: row["lastWall"]
        )
        host.formerManifests = try rows("SELECT json FROM manifest ORDER BY rowid").dropLast().map { row in
            try coder.value(from: row["json"])
        }
        host.lastMadeEvent = row["lastMadeEvent"]
        host.lastMadeScene = row["lastMadeScene"]
        host.openedScenes = row["openedScenes"]
        host.lastRecord = (row["lastRecord"], .nanoseconds(row["lastTime"] as Int), row["lastWall"])
        host.scenes = try rows("SELECT * FROM scene ORDER BY number").map { row in
            var scene: KeptScene = try coder.value(from: row["json"])
            if row["unlocked"] { scene.isLocked = false }
            if row["closing"] { host.closing.insert(scene.id) }
            return scene
        }
        for row in try rows("SELECT * FROM purpose") {
            host.purposes[try text(row["scene"])] = try coder.value(from: row["json"])
        }
        for row in try rows("SELECT * FROM ticket") {
            host.lastTickets.updateValue(row["last"], forKey: try StateText.text(row["scene"]))
        }
        host.events =
            try rows("SELECT * FROM event WHERE ended IS NULL ORDER BY place").map(event)
            + rows("SELECT * FROM event WHERE ended IS NOT NULL ORDER BY ended DESC LIMIT \(events)").reversed().map(
                event
            )
        host.choices = try rows("SELECT * FROM choice ORDER BY place").map { row in
            (user: try StateText.text(row["user"]), try text(row["destination"]), try text(row["variant"]))
        }
        return host
    }

    /// The ID of the host; `nil` if none has begun.
    var host: String? {
        get throws { try String.fetchOne(db, sql: "SELECT id FROM host").flatMap { try StateText.text($0) } }
    }

    private func rows(_ sql: String) throws -> [Row] { try Row.fetchAll(db, sql: sql) }

    private func one<Value: Decodable>(_ table: String) throws -> Value {
        guard let json = try String.fetchOne(db, sql: "SELECT json FROM \(table) ORDER BY rowid DESC") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "there is a host, and no \(table) of it")
        }
        return try coder.value(from: json)
    }

    private func text(_ json: String) throws -> String {
        guard let text = try StateText.text(json) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "expected a text, found \(json)")
        }
        return text
    }

    private func event(_ row: Row) throws -> KeptEvent {
        var event: KeptEvent = try coder.value(from: row["admitted"])
        if let receipt = row["receipt"] as String? { event.receipt = try coder.value(from: receipt) }
        event.attempt = row["attempt"]
        let effects: String = row["effects"]
        event.effects = effects.isEmpty ? [] : try coder.value(from: "[\(effects)]")
        return event
    }
}
