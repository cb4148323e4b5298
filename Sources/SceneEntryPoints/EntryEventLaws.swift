package import StrictJSON

/// What holds for every event, whatever bytes it came from; a fuzzer looks for bytes for which it does not.
package enum EntryEventLaws {
    /// Reads bytes as an event and checks the laws: the first byte chooses the kind, the rest is its JSON form.
    ///
    /// - What was decoded is decoded from its own JSON again as the same event, also by way of text.
    /// - The same event gets the same answer from the same adapters.
    /// - An error and a refusal have something to say.
    /// - A cold start carries it once, in connection options that are read again as the same.
    /// - Returns: the law that is broken, or `nil`. Bytes that are no event break none.
    package static func broken(by bytes: Span<UInt8>, adapters: AdapterChain) -> String? {
        guard bytes.count > 1 else { return nil }
        let kinds = EntryKind.allCases
        let kind = kinds[Int(bytes[0]) % kinds.count]
        guard case .object(let json)? = try? JSONValue(parsing: bytes.extracting(1..<bytes.count)) else { return nil }
        return broken(by: json, as: kind, adapters: adapters)
    }

    /// As ``broken(by:adapters:)``, of what is JSON already.
    package static func broken(by json: JSONObject, as kind: EntryKind, adapters: AdapterChain) -> String? {
        let event: EntryEvent
        do throws(JSONFieldError) {
            event = try EntryEvent(kind: kind, json: json)
        } catch {
            let isEmpty = error.path.steps.isEmpty || error.expected.isEmpty || error.found.isEmpty
            return isEmpty ? "the error says nothing: \(error)" : nil
        }
        do throws(JSONFieldError) {
            guard try EntryEvent(kind: kind, json: event.json) == event else { return "its JSON is another event" }
        } catch {
            return "its JSON is no event: \(error)"
        }
        guard (try? JSONValue(parsing: JSONValue.object(event.json).text())) == .object(event.json) else {
            return "its JSON does not survive being written"
        }
        return broken(by: event, adapters) ?? broken(byColdDeliveryOf: event)
    }

    private static func broken(byColdDeliveryOf event: EntryEvent) -> String? {
        guard let cold = event.coldDelivery else { return event.isNavigating ? "no scene connects for it" : nil }
        guard (try? ConnectionOptions(cold.options.json)) == cold.options else { return "its options do not survive" }
        let carried = cold.options.events + (cold.following.map { [$0] } ?? [])
        guard carried == [event] || (carried.isEmpty && !event.isNavigating) else { return "it is not carried once" }
        return nil
    }

    private static func broken(by event: EntryEvent, _ adapters: AdapterChain) -> String? {
        let answers = [0, 1].map { _ in Result { () throws(EntryRefusal) in try adapters.adapt(event) } }
        guard answers[0] == answers[1] else { return "the same event got two answers" }
        if case .failure(let refusal) = answers[0], refusal.reason.isEmpty { return "the refusal says nothing" }
        return nil
    }
}
