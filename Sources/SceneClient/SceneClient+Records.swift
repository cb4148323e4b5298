package import StrictJSON
internal import Varlink

extension SceneClient {
    /// Reads a page of records after an index, and returns the index to pass for the next page; it stays the same at the end.
    /// - Parameters:
    ///   - after: The index of the last record that is known; 0 to begin with the first.
    ///   - scene: Only records about this scene.
    ///   - event: Only records about this event.
    ///   - kinds: Only records of these kinds.
    ///   - limit: The most records in a page; by default the daemon's.
    public func records(
        after: Int = 0,
        scene: String? = nil,
        event: String? = nil,
        kinds: [RecordKind]? = nil,
        limit: Int? = nil
    ) async throws(SceneClientError) -> (records: [ClientRecord], next: Int) {
        try await records(after: after, scene: scene, event: event, named: kinds?.map(\.rawValue), limit: limit)
    }

    /// Reads a page of records of some kinds or families of kinds, by their names.
    package func records(
        after: Int = 0,
        scene: String? = nil,
        event: String? = nil,
        named kinds: [String]?,
        limit: Int? = nil
    ) async throws(SceneClientError) -> (records: [ClientRecord], next: Int) {
        let reply = try await call("io.scened.Records.Read", Self.query(after, scene, event, kinds, limit))
        return try Self.page(reply)
    }

    /// Reads the records after an index, then each page of new ones as it comes. Leaving the sequence closes this client, unless it
    /// goes on when its connection is lost (<doc:LostConnections>): then the sequence has a connection of its own.
    ///
    /// The sequence ends with the host. It throws a ``SceneClientError``: a refusal ``DaemonError/cutOff(next:)`` if the daemon
    /// stopped before everything was read, or ``SceneClientError/connectionLost(reason:)`` if nothing was read for so long that
    /// the daemon closed the connection.
    public func followRecords(
        after: Int = 0,
        scene: String? = nil,
        event: String? = nil,
        kinds: [RecordKind]? = nil
    ) -> some AsyncSequence<[ClientRecord], any Error> & Sendable {
        followRecords(after: after, scene: scene, event: event, named: kinds?.map(\.rawValue))
    }

    /// Follows records of some kinds or families of kinds, by their names.
    package func followRecords(
        after: Int = 0,
        scene: String? = nil,
        event: String? = nil,
        named kinds: [String]?
    ) -> some AsyncSequence<[ClientRecord], any Error> & Sendable {
        Pages(texts: followRecordTexts(Self.query(after, scene, event, kinds, nil)))
    }

    /// Follows all records like ``followRecords(after:scene:event:kinds:)``, without decoding them.
    package func followRecordTexts(after: Int) -> RecordTexts {
        followRecordTexts(Self.query(after, nil, nil, nil, nil))
    }

    private func followRecordTexts(_ query: JSONObject) -> RecordTexts {
        switch way {
        case .once(let client): RecordTexts(source: .once(client.callMore(LastingRecords.method, query)))
        case .lasting(let connection): RecordTexts(source: .lasting(connection, query))
        }
    }

    private static func query(
        _ after: Int,
        _ scene: String?,
        _ event: String?,
        _ kinds: [String]?,
        _ limit: Int?
    ) -> JSONObject {
        let query: JSONObject = [
            "after": .integer(after), "scene": .text(scene), "event": .text(event),
            "kinds": kinds.map { .array($0.map(JSONValue.string)) } ?? .null,
            "limit": limit.map(JSONValue.integer) ?? .null,
        ]
        return query.withoutNulls
    }

    fileprivate static func records(_ reply: JSONObject) throws(SceneClientError) -> [ClientRecord] {
        try read { () throws(JSONFieldError) in try JSONReader(reply)["records"].elements().map(ClientRecord.init) }
    }

    fileprivate static func page(_ reply: JSONObject) throws(SceneClientError) -> (records: [ClientRecord], next: Int) {
        let records = try records(reply)
        return (records, try read { () throws(JSONFieldError) in try JSONReader(reply)["next"].integer() })
    }
}

/// The pages of a stream of records, decoded.
private struct Pages: AsyncSequence, Sendable {
    let texts: RecordTexts

    func makeAsyncIterator() -> Iterator { Iterator(base: texts.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var base: RecordTexts.Iterator

        mutating func next() async throws -> [ClientRecord]? {
            try await base.next().map { try SceneClient.records(["records": .array($0.map(\.value))]) }
        }
    }
}

/// The pages of a stream of records, not decoded; each record is a JSON object. It throws a ``SceneClientError``.
package struct RecordTexts: AsyncSequence, Sendable {
    enum Source: Sendable {
        case once(VarlinkReplies)
        case lasting(LastingConnection, JSONObject)
    }

    let source: Source

    package func makeAsyncIterator() -> Iterator {
        switch source {
        case .once(let replies): Iterator(base: .once(replies.makeAsyncIterator()))
        case .lasting(let connection, let query): Iterator(base: .lasting(LastingRecords(connection, query)))
        }
    }

    package struct Iterator: AsyncIteratorProtocol {
        enum Base {
            case once(VarlinkReplies.Iterator)
            case lasting(LastingRecords)

            mutating func nextPart() async throws -> JSONPart?? {
                switch self {
                case .once(var replies):
                    defer { self = .once(replies) }
                    return try await replies.nextPart()
                case .lasting(var records):
                    defer { self = .lasting(records) }
                    return try await records.nextPart()
                }
            }
        }

        var base: Base

        package mutating func next() async throws -> [JSONPart]? {
            let reply: JSONPart??
            do {
                reply = try await base.nextPart()
            } catch is CancellationError {
                throw CancellationError()
            } catch let error as SceneClientError {
                throw error
            } catch {
                throw SceneClientError(error, path: "")
            }
            guard let reply else { return nil }
            let records = reply?["records"]?.elements ?? []
            guard reply?["records"]?.isArray ?? false, records.allSatisfy(\.isObject),
                reply?["next"]?.integerValue != nil
            else {
                // Decoding throws the error that says what is wrong.
                _ = try SceneClient.page(reply?.objectValue ?? [:])
                return []
            }
            return records
        }
    }
}
