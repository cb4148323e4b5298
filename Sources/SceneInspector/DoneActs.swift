internal import Basics
internal import StrictJSON

/// What each browser has done, for the page that it loads again. It stays in this process, for a browser would write it to its disk. What
/// the manifest calls secret is not in it (``ConcealedCall``).
struct DoneActs: Sendable {
    /// One call: `nil` until it was answered.
    private struct Act {
        let number: Int
        var json: JSONObject?
    }

    private struct Log {
        var last = 0
        var acts: [Act] = []
    }

    private let logs = Guarded<[String: Log]>([:])
    /// The most calls that are kept of one browser: more than somebody makes by hand.
    private static let most = 1000

    /// The calls of a browser that were answered, in the order in which they were made.
    func list(of key: String) -> [JSONValue] {
        logs.withLock { $0[key]?.acts.compactMap { $0.json.map(JSONValue.object) } ?? [] }
    }

    /// A call begins: its number.
    func begin(of key: String) -> Int {
        logs.withLock { logs in
            var log = logs[key, default: Log()]
            log.last += 1
            log.acts.append(Act(number: log.last, json: nil))
            log.acts.removeFirst(max(log.acts.count - Self.most, 0))
            logs[key] = log
            return log.last
        }
    }

    /// A call was answered. Of a reply only what the page shows is kept.
    func end(_ number: Int, of key: String, _ call: JSONObject, _ answer: JSONObject) {
        var kept = answer
        kept["parameters"] = nil
        if let told = answer["told"] { kept["message"] = told }
        if let reply = answer["reply"]?.objectValue {
            kept["reply"] = .object(
                JSONObject(
                    reply.filter { ["hold", "receipt", "receipts"].contains($0.key) }.map { ($0.key, $0.value) }
                )
            )
        }
        logs.withLock { logs in
            guard let place = logs[key]?.acts.firstIndex(where: { $0.number == number }) else { return }
            var json = call
            json["answer"] = .object(kept)
            // Something else was done while it waited.
            json["isMeanwhile"] = .bool(logs[key]?.last != number)
            logs[key]?.acts[place].json = json
        }
    }

    /// Nothing came of a call.
    func forget(_ number: Int, of key: String) {
        logs.withLock { $0[key]?.acts.removeAll { $0.number == number } }
    }
}
