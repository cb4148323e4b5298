package import StrictJSON
internal import Varlink

extension SceneClient {
    /// Records after an index, and the index to pass next time.
    public func records(
        after: Int = 0,
        scene: String? = nil,
        event: String? = nil,
        kinds: [RecordKind]? = nil,
        limit: Int? = nil
    ) async throws(SceneClientError) -> (records: [ClientRecord], next: Int) {
        try await records(after: after, scene: scene, event: event, named: kinds?.map(\.rawValue), limit: limit)
    }

    /// Records after an index, of kinds and families of kinds by their names.
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

    /// Records after an index, then those that come; until the sequence is left, which closes this client.
    ///
    /// It ends with the host that it follows, and throws a ``SceneClientError``: ``DaemonError/cutOff(next:)`` if the daemon stopped
    /// before everything was read, or ``SceneClientError/connectionLost(reason:)`` if nothing was read for so long that
    /// it could not even be told that.
    public func followRecords(
        after: Int = 0,
        scene: String? = nil,
        event: String? = nil,
        kinds: [RecordKind]? = nil
    ) -> some AsyncSequence<[ClientRecord], any Error> & Sendable {
        followRecords(after: after, scene: scene, event: event, named: kinds?.map(\.rawValue))
    }

    /// Follows records of kinds and families of kinds by their names.
    package func followRecords(
        after: Int = 0,
        scene: String? = nil,
        event: String? = nil,
        named kinds: [String]?
    ) -> some AsyncSequence<[ClientRecord], any Error> & Sendable {
        Pages(
            texts: RecordTexts(
                replies: client.callMore("io.scened.Records.Read", Self.query(after, scene, event, kinds, nil))
            )
        )
    }

    /// Follows all records as ``followRecords(after:scene:event:kinds:)`` does; no values are made of them yet.
    package func followRecordTexts(after: Int) -> RecordTexts {
        RecordTexts(replies: client.callMore("io.scened.Records.Read", Self.query(after, nil, nil, nil, nil)))
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
        // Nothing is said of what is not asked for.
        return JSONObject(query.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
    }

    fileprivate static func records(_ reply: JSONObject) throws(SceneClientError) -> [ClientRecord] {
        try read { () throws(JSONFieldError) in try JSONReader(reply)["records"].elements().map(ClientRecord.init) }
    }

    fileprivate static func page(_ reply: JSONObject) throws(SceneClientError) -> (records: [ClientRecord], next: Int) {
        let records = try records(reply)
        return (records, try read { () throws(JSONFieldError) in try JSONReader(reply)["next"].integer() })
    }
}

/// The pages of a stream of records as values.
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

/// The pages of a stream of records, with the errors of a client. Each record is an object.
package struct RecordTexts: AsyncSequence, Sendable {
    let replies: VarlinkReplies

    package func makeAsyncIterator() -> Iterator { Iterator(base: replies.makeAsyncIterator()) }

    package struct Iterator: AsyncIteratorProtocol {
        var base: VarlinkReplies.Iterator

        package mutating func next() async throws -> [JSONPart]? {
            let reply: JSONPart??
            do {
                reply = try await base.nextPart()
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                throw SceneClientError(error, path: "")
            }
            guard let reply else { return nil }
            let records = reply?["records"]?.elements ?? []
            guard reply?["records"]?.isArray ?? false, records.allSatisfy(\.isObject),
                reply?["next"]?.integerValue != nil
            else {
                // It says what is wrong.
                _ = try SceneClient.page(reply?.objectValue ?? [:])
                return []
            }
            return records
        }
    }
}
