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
        guard let row = try rows("SELECT * FROM host", of: "host").first else { return nil }
        let halves: (Int64?, Int64?) = (try row.valueIfAny("firstHalf"), try row.valueIfAny("secondHalf"))
        var key: SecretKey?
        if let first = halves.0, let second = halves.1 {
            key = SecretKey(UInt64(bitPattern: first), UInt64(bitPattern: second))
        }
        let seed: Int64 = try row.value("seed")
        var host = try KeptHost(
            id: row.text("id"),
            seed: UInt64(bitPattern: seed),
            secretKey: key,
            manifest: one("manifest"),
            session: one("session"),
            wall: row.value("lastWall")
        )
        host.formerManifests = try rows("SELECT json FROM manifest ORDER BY rowid", of: "manifest").dropLast().map {
            try $0.decoded("json", by: coder)
        }
        host.lastMadeEvent = try row.value("lastMadeEvent")
        host.lastMadeScene = try row.value("lastMadeScene")
        host.openedScenes = try row.value("openedScenes")
        let lastTime: Int = try row.value("lastTime")
        host.lastRecord = (try row.value("lastRecord"), .nanoseconds(lastTime), try row.value("lastWall"))
        host.scenes = try rows("SELECT * FROM scene ORDER BY number", of: "scene").map { row in
            var scene: KeptScene = try row.decoded("json", by: coder)
            if try row.value("unlocked") { scene.isLocked = false }
            if try row.value("closing") { host.closing.insert(scene.id) }
            return scene
        }
        for row in try rows("SELECT * FROM purpose", of: "purpose") {
            host.purposes[try row.text("scene")] = try row.decoded("json", by: coder)
        }
        for row in try rows("SELECT * FROM ticket", of: "ticket") {
            let last: Int = try row.value("last")
            host.lastTickets.updateValue(last, forKey: try row.textIfAny("scene"))
        }
        let ended = "SELECT * FROM event WHERE ended IS NOT NULL ORDER BY ended DESC LIMIT \(events)"
        host.events =
            try rows("SELECT * FROM event WHERE ended IS NULL ORDER BY place", of: "event").map(event)
            + rows(ended, of: "event").reversed().map(event)
        host.choices = try rows("SELECT * FROM choice ORDER BY place", of: "choice").map { row in
            (user: try row.textIfAny("user"), try row.text("destination"), try row.text("variant"))
        }
        return host
    }

    /// The ID of the host; `nil` if none has begun.
    var host: String? {
        get throws { try String.fetchOne(db, sql: "SELECT id FROM host").flatMap { try StateText.text($0) } }
    }

    private func rows(_ sql: String, of table: String) throws -> [StoredRow] {
        try Row.fetchAll(db, sql: sql).map { StoredRow($0, of: table) }
    }

    /// What the newest row of a table says.
    private func one<Value: Decodable>(_ table: String) throws -> Value {
        guard let row = try rows("SELECT json FROM \(table) ORDER BY rowid DESC LIMIT 1", of: table).first else {
            throw WrongValue(place: "table \(table)", problem: "expected a row, because there is a host, found none")
        }
        return try row.decoded("json", by: coder)
    }

    private func event(_ row: StoredRow) throws -> KeptEvent {
        var event: KeptEvent = try row.decoded("admitted", by: coder)
        if !row.isNull("receipt") { event.receipt = try row.decoded("receipt", by: coder) }
        event.attempt = try row.value("attempt")
        let effects: String = try row.value("effects")
        event.effects = effects.isEmpty ? [] : try row.decoded("effects", by: coder, asList: true)
        return event
    }
}
