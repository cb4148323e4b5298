internal import GRDB

/// The tables of the database.
///
/// A text that an app, a client or a person has chosen stands as JSON, in quotes, because SQLite ends a text at its first NUL.
enum StateSchema {
    /// The newest format, the database's `user_version`.
    static let format = 2

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
                    -- A StateMark.
                    CREATE TABLE mark (clean INTEGER NOT NULL);
                    INSERT INTO mark VALUES (0);
                    CREATE TABLE host (
                        id TEXT NOT NULL, seed INTEGER NOT NULL, firstHalf INTEGER, secondHalf INTEGER,
                        lastMadeEvent INTEGER NOT NULL, lastMadeScene INTEGER NOT NULL, openedScenes INTEGER NOT NULL,
                        lastRecord INTEGER NOT NULL, lastTime INTEGER NOT NULL, lastWall REAL NOT NULL
                    );
                    CREATE TABLE manifest (json TEXT NOT NULL);
                    CREATE TABLE session (json TEXT NOT NULL);
                    -- Whether the lock does not ask about it any more since that was written.
                    CREATE TABLE scene (
                        id TEXT PRIMARY KEY, number INTEGER NOT NULL, json TEXT NOT NULL, unlocked INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    -- What scenes are for.
                    CREATE TABLE purpose (scene TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
                    -- The scene is NULL in JSON for the app itself.
                    CREATE TABLE ticket (scene TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
                    -- As it was admitted, and what has changed since. Effects stand side by side, with commas.
                    CREATE TABLE event (
                        place INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, admitted TEXT NOT NULL, receipt TEXT,
                        attempt INTEGER NOT NULL, effects TEXT NOT NULL, ended INTEGER
                    );
                    CREATE INDEX ended ON event (ended) WHERE ended IS NOT NULL;
                    -- Users for whom something was chosen, by when that was first; NULL in JSON for nobody.
                    CREATE TABLE chooser (place INTEGER PRIMARY KEY, user TEXT NOT NULL UNIQUE);
                    CREATE TABLE choice (
                        place INTEGER PRIMARY KEY, user TEXT NOT NULL, destination TEXT NOT NULL, variant TEXT NOT NULL,
                        UNIQUE (user, destination)
                    );
                    -- Times are in nanoseconds on the host's clock.
                    CREATE TABLE record (
                        number INTEGER PRIMARY KEY, kind TEXT NOT NULL, scene TEXT, event TEXT, time INTEGER NOT NULL,
                        json TEXT NOT NULL
                    );
                    -- What records are removed together, and how many and how long they are.
                    CREATE TABLE segment (
                        first INTEGER PRIMARY KEY, last INTEGER NOT NULL, count INTEGER NOT NULL, bytes INTEGER NOT NULL
                    );
                    PRAGMA user_version = 1;
                    """
            )
        }
        // Whether the app has closed the scene's window, which is about to go.
        migrator.registerMigration("2") { db in
            try db.execute(
                sql: """
                    ALTER TABLE scene ADD COLUMN closing INTEGER NOT NULL DEFAULT 0;
                    PRAGMA user_version = 2;
                    """
            )
        }
        return migrator
    }
}

/// How a database was left, as it says itself.
enum StateMark: Int {
    /// Somebody has it open, or ended without closing it: what was changed last may be in the log of changes alone.
    case open
    /// All is in the database, which was whole.
    case closed
    /// All is in the database, a copy, which nobody has looked through.
    case copy

    init(_ db: Database) throws {
        self = try Int.fetchOne(db, sql: "SELECT clean FROM mark").flatMap(Self.init(rawValue:)) ?? .open
    }

    func write(_ db: Database) throws {
        try db.execute(sql: "UPDATE mark SET clean = ?", arguments: [rawValue])
    }
}
