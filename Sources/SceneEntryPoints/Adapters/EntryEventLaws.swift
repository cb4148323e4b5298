package import StrictJSON

/// Laws that hold for every event, whatever it was read from. Fuzzers look for input that breaks one.
package enum EntryEventLaws {
    /// Reads an event of this kind from its JSON form and checks the laws:
    ///
    /// - The event is read again from its own JSON as the same event, also by way of text.
    /// - The same event gets the same answer from the same adapters.
    /// - No error and no refusal is empty.
    /// - A cold start carries the event once.
    /// - Returns: the law that is broken; `nil` if none is, or if the JSON is not an event.
    package static func broken(by json: JSONObject, as kind: EntryKind, adapters: AdapterChain) -> String? {
        let event: EntryEvent
        do throws(JSONFieldError) {
            event = try EntryEvent(kind: kind, json: json)
        } catch {
            let isEmpty = error.path.steps.isEmpty || error.expected.isEmpty || error.found.isEmpty
            return isEmpty ? "a part of the error is empty: \(error)" : nil
        }
        do throws(JSONFieldError) {
            guard try EntryEvent(kind: kind, json: event.json) == event else { return "its JSON is another event" }
        } catch {
            return "its JSON is not an event: \(error)"
        }
        guard (try? JSONValue(parsing: JSONValue.object(event.json).text())) == .object(event.json) else {
            return "its JSON is different once it is written and read"
        }
        return broken(by: event, adapters) ?? broken(byColdDeliveryOf: event)
    }

    /// Reads a set of URLs from the parameters of the call that opens it and checks the laws: it has as many events as URLs, each is
    /// what the URL alone would be, no two are the same, and the laws of an event hold for each.
    /// - Returns: the law that is broken; `nil` if none is, or if the URLs are no set.
    package static func broken(byURLsOf json: JSONObject, adapters: AdapterChain) -> String? {
        let urls = (json["urls"]?.arrayValue ?? []).compactMap(\.stringValue)
        let source = json["sourceApplication"]?.stringValue
        let set: URLSet
        do throws(JSONFieldError) {
            set = try URLSet(urls, sourceApplication: source)
        } catch {
            let isEmpty = error.path.steps.isEmpty || error.expected.isEmpty || error.found.isEmpty
            return isEmpty ? "a part of the error is empty: \(error)" : nil
        }
        guard URLSet.sizes.contains(urls.count), set.events.count == urls.count, Set(set.events).count == urls.count
        else {
            return "it has \(set.events.count) events for \(urls.count) URLs"
        }
        for (url, event) in zip(urls, set.events) {
            guard (try? EntryEvent.url(url, sourceApplication: source)) == event else {
                return "a URL alone is another event"
            }
            if let law = broken(by: event.json, as: .url, adapters: adapters) { return law }
        }
        return nil
    }

    private static func broken(byColdDeliveryOf event: EntryEvent) -> String? {
        guard let cold = event.coldDelivery else { return event.isNavigating ? "no scene connects for it" : nil }
        let carried = cold.options.events + (cold.following.map { [$0] } ?? [])
        guard carried == [event] || (carried.isEmpty && !event.isNavigating) else {
            return "a cold start does not carry it exactly once"
        }
        return nil
    }

    private static func broken(by event: EntryEvent, _ adapters: AdapterChain) -> String? {
        let answers = [0, 1].map { _ in Result { () throws(EntryRefusal) in try adapters.adapt(event) } }
        guard answers[0] == answers[1] else { return "the same event got two answers" }
        if case .failure(let refusal) = answers[0], refusal.reason.isEmpty { return "the refusal has no reason" }
        return nil
    }
}
