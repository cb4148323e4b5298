internal import Basics
internal import StrictJSON
internal import Varlink

/// One connection, of which is known with which host it was made.
final class HostConnection: Sendable {
    let client: VarlinkClient
    let host: String
    /// The index of a record that was there already, and when that was found out.
    private let newest: Guarded<(index: Int, time: Duration?)>

    /// Asks the daemon which host it has.
    init(_ client: VarlinkClient, at time: Duration) async throws(CallFailure) {
        self.client = client
        let status = try await Self.status(client)
        host = status.host
        newest = Guarded((status.index, time))
    }

    /// The same connection after a reset.
    init(_ client: VarlinkClient, _ host: String) {
        self.client = client
        self.host = host
        newest = Guarded((0, nil))
    }

    /// All records that are still to be made come after this one.
    var index: Int { newest.withLock(\.index) }

    func isOlder(than time: Duration) -> Bool { newest.withLock { $0.time.map { $0 < time } ?? true } }

    /// Asks how far the records are, and whether the host is the same.
    func look(at time: Duration) async throws(CallFailure) {
        let status = try await Self.status(client)
        guard status.host == host else {
            throw CallFailure(.answered, .hostChanged(from: host, to: status.host, event: nil))
        }
        newest.withLock { $0 = (max($0.index, status.index), time) }
    }

    private static func status(_ client: VarlinkClient) async throws(CallFailure) -> (host: String, index: Int) {
        let reply = try await ask(client, "io.scened.Manager.GetStatus", [:])
        do throws(SceneClientError) {
            return try SceneClient.read { () throws(JSONFieldError) in
                let reader = JSONReader(reply)
                return (try reader["host"].text(), try reader["records"].integer())
            }
        } catch {
            throw CallFailure(.answered, error)
        }
    }

    /// Asks something before a call is made.
    private static func ask(
        _ client: VarlinkClient,
        _ method: String,
        _ parameters: JSONObject
    ) async throws(CallFailure) -> JSONObject {
        do {
            return try await client.call(method, parameters)
        } catch {
            throw CallFailure(sent: error).beforeCall
        }
    }

    /// Makes a call.
    func make(_ call: inout RepeatedCall) async throws(CallFailure) -> JSONObject {
        do {
            guard call.tells else { return try await client.call(call.method, call.parameters) }
            var last: JSONObject?
            for try await reply in client.callMore(call.method, call.parameters) {
                try call.tell(reply)
                last = reply
            }
            guard let last else { throw VarlinkClientError.connectionClosed }
            return last
        } catch let failure as CallFailure {
            throw failure
        } catch {
            let failure = CallFailure(sent: error)
            let sent = VarlinkCall(method: call.method, parameters: call.parameters, more: call.tells)
            guard failure.kind == .lost, sent.excess != nil else { throw failure }
            // It would be refused again.
            throw CallFailure(.answered, failure.error.explained(by: sent))
        }
    }

    // MARK: - What has become of an event

    /// The reply to events that were sent before; `nil` if they are to be sent again, because they were not admitted, or to wait for
    /// them: the daemon knows them by their ID.
    func reply(known call: RepeatedCall, since doubt: RepeatedCall.Doubt) async throws(CallFailure) -> JSONObject? {
        guard host == doubt.host else {
            throw CallFailure(.answered, .hostChanged(from: doubt.host, to: host, event: call.event))
        }
        var receipts: [JSONValue] = []
        for event in call.events {
            do throws(CallFailure) {
                receipts.append(
                    try await Self.ask(client, "io.scened.Events.Get", ["event": .string(event)])["receipt"] ?? .null
                )
            } catch {
                guard case .unknownEvent = error.error.refusal else { throw error }
                // A set is admitted as a whole.
                try await expectNeverAdmitted(event, call, since: doubt)
                return nil
            }
        }
        guard receipts.allSatisfy(call.isEnough) else { return nil }
        return call.parameters["urls"] == nil ? ["receipt": receipts.first ?? .null] : ["receipts": .array(receipts)]
    }

    /// The daemon does not know the event: because it was never admitted, or because too many others have ended since. The records tell.
    private func expectNeverAdmitted(
        _ event: String,
        _ call: RepeatedCall,
        since doubt: RepeatedCall.Doubt
    ) async throws(CallFailure) {
        typealias Forgotten = SceneClientError.Forgotten
        func unsure(_ reason: String) -> CallFailure {
            CallFailure(.answered, .unsure(method: call.method, event: call.event, reason: reason))
        }
        let admitted: JSONObject = [
            "event": .string(event), "kinds": [.string(RecordKind.eventAdmitted.rawValue)], "limit": 1,
        ]
        var after = doubt.index
        while true {
            let (page, next) = try await records(after: after, admitted)
            if let record = page.first(where: { $0["kind"]?.stringValue == RecordKind.eventAdmitted.rawValue }) {
                throw unsure(
                    "it was admitted (record \(record["index"]?.integerValue ?? 0)), and \(Forgotten.outcome.rawValue)"
                )
            }
            guard next > after else { break }
            after = next
        }
        // Asked last: what is there now was there before.
        let first = try await records(after: doubt.index, ["limit": 1]).page.first
        if let first,
            first["index"]?.integerValue != doubt.index + 1 || first["kind"]?.stringValue == RecordKind.gap.rawValue
        {
            throw unsure("the daemon does not know it, and \(Forgotten.records.rawValue)")
        }
    }

    private func records(
        after: Int,
        _ query: JSONObject
    ) async throws(CallFailure) -> (page: [JSONObject], next: Int) {
        var query = query
        query["after"] = .integer(after)
        let reply = try await Self.ask(client, "io.scened.Records.Read", query)
        return ((reply["records"]?.arrayValue ?? []).compactMap(\.objectValue), reply["next"]?.integerValue ?? after)
    }
}
