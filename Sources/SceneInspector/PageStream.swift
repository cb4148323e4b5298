internal import Basics
internal import Glibc
internal import NIOCore
internal import SceneClient
internal import SceneVocabulary
internal import StrictJSON
internal import Varlink

/// What an open page is told of a daemon: what there is to do, then its records as they are made, also those of the hosts that follow.
struct PageStream: Sendable {
    let daemon: InspectedDaemon
    let pages: OpenPages
    /// That of the browser, which alone may act with the page.
    let key: String

    /// Writes until the daemon ends or the page is gone.
    func write(_ write: (ByteBuffer) async throws -> Void) async throws {
        do {
            try await pages.keep(of: key) {
                try await LivePage(daemon, key: key, done: pages.done)
            } _: { page, number in
                try await tell(page, number, write)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            try await write(ServerSentEvent.text("ended", ["message": .string(daemon.message(error))]))
        }
    }

    private func tell(_ page: LivePage, _ number: Int, _ write: (ByteBuffer) async throws -> Void) async throws {
        var host: JSONValue?
        do {
            let interfaces = try await page.client.interfaces()
            while true {
                let status = try await page.client.call("io.scened.Manager.GetStatus")
                // A host ends when it is reset, or with the daemon, which does not answer any more.
                guard status["host"] != host else { break }
                host = status["host"]
                var about = about(number, status, interfaces)
                about["done"] = .array(pages.done.list(of: key))
                about["present"] = .object(try await present(page.client, after: status["records"]))
                for (name, value) in try await names(page) { about[name] = value }
                try await write(ServerSentEvent.text("page", about))
                let follower = try await daemon.connect()
                for try await records in follower.followRecordTexts(after: 0) {
                    try await write(ServerSentEvent.records(records))
                    guard
                        records.contains(where: { $0["kind"]?.stringValue == RecordKind.manifestLoaded.rawValue })
                    else { continue }
                    try await write(ServerSentEvent.text("names", names(page)))
                }
            }
            try await write(ServerSentEvent.text("ended", ["message": "The daemon has ended."]))
        } catch let error as SceneClientError {
            try await write(ServerSentEvent.text("ended", ["message": .string(daemon.message(error))]))
        }
    }

    /// What the page has to know before the first record.
    private func about(_ number: Int, _ status: JSONObject, _ interfaces: [VarlinkInterface]) -> JSONObject {
        // An older daemon does not say what the caller may; it refuses.
        let allowed = status["methods"]?.arrayValue?.compactMap(\.stringValue)
        var methods: [JSONValue] = []
        for interface in interfaces where interface.name.hasPrefix("io.scened.") {
            for name in interface.methodNames where allowed?.contains("\(interface.name).\(name)") ?? true {
                methods.append(MethodForm.json(of: name, in: interface))
            }
        }
        var about: JSONObject = ["page": .integer(number), "methods": .array(methods)]
        for name in ["app", "manifestVersion", "version", "host", "clock", "roles"] { about[name] = status[name] }
        about["samples"] = .array(daemon.samples)
        about["copies"] = .array(daemon.copies.map { .string($0.name) })
        return about
    }

    /// What is the case, for the records that tell it may be retained no more: the windows and the session, and the newest record of before.
    private func present(_ client: SceneClient, after index: JSONValue?) async throws -> JSONObject {
        let scenes = try await client.pages(of: "io.scened.Scenes.List").flatMap { $0["scenes"]?.arrayValue ?? [] }
        let session = try await client.call("io.scened.Session.Get")
        return ["index": index ?? 0, "scenes": .array(scenes), "session": session["session"] ?? .object(session)]
    }

    /// What the app declares, for whoever types a name: its facts with their types, intents and flows, and the patterns of its routes.
    private func names(_ page: LivePage) async throws -> JSONObject {
        let client = page.client
        let text = try await client.manifest() ?? "{}"
        let manifest = (try? JSONValue(parsing: text))?.objectValue ?? [:]
        if JSONValue.object(manifest).hasSecrets { page.hasSecrets.withLock { $0 = true } }
        func keys(_ name: String) -> JSONValue {
            .array((manifest[name]?.objectValue ?? [:]).keys.map(JSONValue.string))
        }
        let facts = (manifest["facts"]?.objectValue ?? [:]).map { ($0.key, $0.value["type"] ?? .null) }
        let listed = try await client.call("io.scened.Routing.Routes", ["limit": 1000])
        let routes = listed["routes"]?.arrayValue?.compactMap { $0["pattern"] } ?? []
        return [
            "facts": .object(JSONObject(facts)), "intents": keys("intents"), "flows": keys("flows"),
            "routes": .array(routes),
        ]
    }
}

/// An event of a stream, as the HTML standard has it: lines with a name and a value, and an empty one.
enum ServerSentEvent {
    static func text(_ name: String, _ data: JSONObject) -> ByteBuffer {
        ByteBuffer(string: "event: \(name)\ndata: \(JSONValue.object(data).text(.compact))\n\n")
    }

    /// Records, one a line, as they are written: to make each anew would cost more than all the rest.
    static func records(_ records: [JSONPart]) -> ByteBuffer {
        var buffer = ByteBuffer(string: "event: records\n")
        for record in records {
            buffer.writeString("data: ")
            // White space between its parts would end the line.
            let isWritten = record.written?.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, memchr(start, 0x0A, bytes.count) == nil,
                    memchr(start, 0x0D, bytes.count) == nil
                else { return false }
                buffer.writeBytes(bytes)
                return true
            }
            if isWritten != true { buffer.writeString(record.value.text(.compact)) }
            buffer.writeString("\n")
        }
        buffer.writeString("\n")
        return buffer
    }
}
