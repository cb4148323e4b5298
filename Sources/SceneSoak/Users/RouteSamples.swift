internal import SceneClient
internal import Basics
internal import StrictJSON

/// URLs of an app, generated from its routes and checked by its routing engine.
struct RouteSamples: Sendable {
    /// URLs that a route takes, whoever is signed in.
    private(set) var urls: [String] = []
    /// Destinations for which no URL could be generated.
    private(set) var without: [String] = []

    /// How many samples are generated per destination.
    private static let each = 12

    /// Asks the daemon for its routes, generates values, has the daemon print URLs with them, and keeps those that resolve.
    init(_ client: SceneClient, seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let pages = try await client.pages(of: "io.scened.Routing.Routes")
        let routes = pages.flatMap { $0["routes"]?.arrayValue ?? [] }
        var captures: [String: [String: String]] = [:]
        var order: [String] = []
        for route in routes {
            // A destination in braces is a parameter that names another destination.
            guard let destination = route["destination"]?.stringValue, !destination.hasPrefix("{") else { continue }
            if captures[destination] == nil { order.append(destination) }
            for (name, value) in route["captures"]?.objectValue ?? [:] {
                captures[destination, default: [:]][name] = value.stringValue ?? ""
            }
            captures[destination, default: [:]].merge([:]) { $1 }
        }
        for destination in order {
            let values = captures[destination] ?? [:]
            var found: [String] = []
            for _ in 0..<(values.isEmpty ? 1 : Self.each) {
                var parameters = JSONObject()
                for (name, expected) in values.sorted(by: { $0.key < $1.key }) {
                    if let value = Self.value(expected, &random) { parameters[name] = .string(value) }
                }
                found += await Self.urls(of: destination, parameters, client)
            }
            if found.isEmpty { without.append(destination) }
            urls += found
        }
    }

    private static func urls(of destination: String, _ parameters: JSONObject, _ client: SceneClient) async -> [String]
    {
        let place: JSONValue = ["id": .string(destination), "parameters": .object(parameters)]
        // If there is no URL or it does not resolve, the values were wrong, and the caller notices that there is none.
        guard let reply = try? await client.call("io.scened.Routing.Print", ["destination": place]) else { return [] }
        var urls: [String] = []
        for url in (reply["urls"]?.arrayValue ?? []).compactMap(\.stringValue) {
            if (try? await client.call("io.scened.Routing.Resolve", ["url": .string(url)])) != nil { urls.append(url) }
        }
        return urls
    }

    /// A value for a parameter as `Routes` describes it; `nil` if the description is not understood.
    static func value(_ expected: String, _ random: inout SplitMix) -> String? {
        func after(_ prefix: String) -> String? {
            expected.hasPrefix(prefix) ? String(expected.dropFirst(prefix.count)) : nil
        }
        if let words = after("one of ") {
            let choices = words.split(separator: "'", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            return choices.isEmpty ? nil : random.pick(choices)
        }
        if let pattern = after("text that matches ") { return PatternSample(pattern)?.text(&random) }
        if expected.hasPrefix("a UUID") {
            let digits = Array("0123456789abcdef")
            let text = String((0..<32).map { _ in random.pick(digits) })
            return [8, 4, 4, 4, 12].reduce(into: (parts: [String](), rest: text[...])) { state, length in
                state.parts.append(String(state.rest.prefix(length)))
                state.rest = state.rest.dropFirst(length)
            }.parts.joined(separator: "-")
        }
        if expected.hasPrefix("an integer") {
            let numbers = expected.split(separator: " ").compactMap { Int($0) }
            if numbers.count == 2, numbers[0] <= numbers[1] {
                return "\(numbers[0] + random.below(min(numbers[1] - numbers[0], 999) + 1))"
            }
            return "\(numbers.first ?? random.below(1_000))"
        }
        if expected.hasPrefix("a text") { return random.pick(["a", "b7", "tea", "summer"]) }
        if let element = after("one or more values, each ") { return value(element, &random) }
        return nil
    }
}
