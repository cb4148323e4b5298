import SceneEntryPoints
import SceneManifest
import SceneRouting
import StrictJSON
import TestFixtures

@testable import SceneRuntime

/// The records of a short visit to the shop, and the entries that the daemon would write for them.
enum JournalledShop {
    static let host = "0123456789abcdef0123456789abcdef"

    /// The records of a user who signs in, looks at the cart, and signs out.
    static func records(host id: String = host) async throws -> [JSONObject] {
        let host = try SceneHost(id: id, manifest: try AppManifest.builtInShop())
        try host.connect(scene: "A")
        _ = try await host.session.signIn(user: "anna")
        let admission = try host.admit(Submission(.url("qcommerce://cart"), scene: "A"))
        _ = await host.receipt(of: admission)
        await host.quiesce()
        _ = await host.session.signOut()
        await host.quiesce()
        await host.drain()
        return host.records.read(after: 0).records.map(\.json)
    }

    /// The entry of a record.
    static func entry(_ record: JSONObject, started: Int = 1) -> JSONObject {
        var entry: JSONObject = [
            "SCENED_RECORD_JSON": .object(record), "SCENED_HOST_STARTED": .string(String(started)),
        ]
        entry["SCENED_HOST"] = record["host"]
        entry["SCENED_INDEX"] = record["index"].map { .string($0.text()) }
        return entry
    }

    /// Writes entries in order and waits until the journal has them.
    static func write(_ entries: [JSONObject], to journal: PrivateJournal) throws {
        let probe = try journal.command([Command.probe, "records"])
        for entry in entries { probe.send(JSONValue.object(entry).text() + "\n") }
        probe.end()
        _ = try journal.command(["journalctl", "--sync"]).end()
    }
}
