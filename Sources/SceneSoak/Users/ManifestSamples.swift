package import Basics
package import SceneRouting
package import SceneVocabulary

/// Links, places and values of an app, generated from what its manifest declares.
///
/// Each type of parameter has a few values, so that users of an app meet at the same ones: what one approves, another waits for.
package struct ManifestSamples: Sendable {
    /// Places that may be asked for, with values for their parameters.
    package private(set) var places: [Destination] = []
    /// URLs that a route takes, whoever is signed in.
    package private(set) var links: [String] = []
    /// The destinations that have routes, but for which no URL could be generated.
    package private(set) var without: [String] = []
    private let manifest: AppManifest
    private var values: [ParameterType: [String]] = [:]
    /// All of these values, for facts.
    private var texts = Self.words
    /// The values of the parameters, and of what variants depend on, that facts are compared with, by fact, so that conditions hold for some and not for others.
    private var compared: [String: [String]] = [:]
    /// The names of parameters that say who signs in.
    private let userNames: Set<String>

    /// How many values each type has, and how many places each destination with parameters.
    private static let each = 12

    /// Samples of an app; the same seed gives the same ones.
    /// - Throws: Nothing for a manifest that has been checked.
    package init(_ manifest: AppManifest, seed: UInt64) throws(ManifestProblems) {
        self.manifest = manifest
        let effects = manifest.flows.flatMap(\.effects) + manifest.intents.flatMap(\.effects)
        userNames = Set(
            ["user"]
                + effects.compactMap { effect in
                    if case .complete(let user?, _) = effect.unconditional { user } else { nil }
                }
        )
        var random = SplitMix(seed: seed)
        for parameter in manifest.parameters where values[parameter.type] == nil {
            let samples = (0..<Self.each).compactMap { _ in Self.value(of: parameter.type, &random) }
            let different = samples.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            values[parameter.type] = different
            texts += different
        }
        for (fact, name) in (manifest.preconditions.map(\.holds) + manifest.conditions.map(\.holds)).flatMap(
            \.comparisons
        ) {
            let types = manifest.parameters.filter { $0.name == name }.map(\.type)
            compared[fact, default: []] += types.flatMap { values[$0] ?? [] }
        }
        // What leads to a variant, and what does not.
        for (fact, text) in manifest.destinations.flatMap(\.variants).flatMap(\.when.texts) {
            if compared[fact, default: []].isEmpty { compared[fact] = Array(Self.words.prefix(1)) }
            compared[fact, default: []].append(text)
        }
        let engine = try RoutingEngine(manifest: manifest)
        let routed = Set(manifest.routes.map(\.destination))
        for destination in manifest.destinations {
            let count = places.count
            let before = links.count
            for _ in 0..<(destination.parameters.isEmpty ? 1 : Self.each) {
                guard let parameters = parameters(destination.parameters, user: "user-0", &random) else { break }
                let place = Destination(id: destination.id, parameters: parameters)
                if places[count...].contains(place) { continue }
                places.append(place)
                for url in engine.urls(for: place, context: RoutingContext()) where engine.canOpen(url) {
                    links.append(url)
                }
            }
            if links.count == before, routed.contains(destination.id) { without.append(destination.id) }
        }
    }

    /// Values for parameters: those that are shown, mostly, where the names are the same, and a user's name for who signs in.
    /// `nil` if there is no value for one that has to be given.
    package func parameters(
        _ declarations: [ParameterDeclaration],
        shown: [String: String] = [:],
        user: String,
        _ random: inout SplitMix
    ) -> [String: String]? {
        var parameters: [String: String] = [:]
        for declaration in declarations {
            let isNeeded = declaration.isRequired && declaration.defaultValue == nil
            if !isNeeded, random.below(2) == 0 { continue }
            if userNames.contains(declaration.name), declaration.type == .string {
                parameters[declaration.name] = user
            } else if let value = shown[declaration.name], declaration.type.mayBe(value), random.below(4) > 0,
                // Where a secret is shown, its placeholder is, which is no value.
                !SecretPlaceholder.isOne(value)
            {
                parameters[declaration.name] = value
            } else if let samples = values[declaration.type], !samples.isEmpty {
                parameters[declaration.name] = random.pick(samples)
            } else if isNeeded {
                return nil
            }
        }
        return parameters
    }

    /// A value for one of the app's facts; `nil` if it has none.
    package func fact(_ random: inout SplitMix) -> (name: String, value: FactValue)? {
        // The session's market and locale decide which links there are.
        let facts = manifest.facts.filter { !["market", "locale"].contains($0.name) }
        guard !facts.isEmpty else { return nil }
        let fact = random.pick(facts)
        let texts = compared[fact.name].flatMap { $0.isEmpty ? nil : $0 } ?? texts
        let value: FactValue =
            switch fact.type {
            case .string: .string(random.pick(texts))
            case .integer: .integer(random.below(4))
            case .number: .number(Double(random.below(8)) / 2)
            case .boolean: .boolean(random.below(4) == 0)
            case .strings: .strings(random.below(3) == 0 ? [] : [random.pick(texts)])
            case .date: .string(random.pick(Self.dates))
            }
        return (fact.name, value)
    }

    private static let words = ["a", "b7", "tea", "summer"]

    /// Dates by which every period has ended, or has not begun, and some on the first day of 1970, at which clocks of tests begin.
    static let dates = [
        "1970-01-01T00:00:00Z", "1970-01-01T00:01:00Z", "1970-01-01T01:00:00Z", "1970-01-02T00:00:00Z",
        "2100-01-01T00:00:00Z",
    ]

    /// A value of a type; `nil` if its pattern cannot be read.
    static func value(of type: ParameterType, _ random: inout SplitMix) -> String? {
        switch type {
        case .string: return random.pick(words)
        case .oneOf(let choices): return choices.isEmpty ? nil : random.pick(choices)
        case .date: return random.pick(dates)
        case .pattern(let pattern): return PatternSample(pattern)?.text(&random)
        case .integer(let minimum, let maximum):
            let least = minimum ?? min(0, maximum ?? 0)
            let (width, isTooWide) = (maximum ?? .max).subtractingReportingOverflow(least)
            return "\(least + random.below((isTooWide ? 999 : min(max(width, 0), 999)) + 1))"
        case .uuid:
            let digits = Array("0123456789abcdef")
            return [8, 4, 4, 4, 12].map { count in
                String((0..<count).map { _ in random.pick(digits) })
            }.joined(separator: "-")
        case .list(let element):
            let values = (0...random.below(2)).compactMap { _ in value(of: element, &random) }
            guard !values.isEmpty else { return nil }
            return values.map { $0.replacing("%", with: "%25").replacing(",", with: "%2C") }.joined(separator: ",")
        }
    }
}

extension ParameterType {
    /// Whether a value may be of this type, as far as can be told without matching a pattern: a screen may show the default of a
    /// parameter of another type.
    fileprivate func mayBe(_ value: String) -> Bool {
        switch self {
        case .oneOf(let choices): choices.contains(value)
        case .integer: Int(value) != nil
        case .date: Instant.seconds(value) != nil
        case .string, .uuid, .pattern, .list: true
        }
    }
}

extension AppManifest {
    /// The parameters of everything that declares any.
    fileprivate var parameters: [ParameterDeclaration] {
        var parameters = destinations.flatMap(\.parameters) + intents.flatMap(\.parameters)
        for flow in flows {
            parameters += flow.intents.flatMap(\.parameters) + flow.result
            parameters += flow.screens.flatMap(\.parameters)
        }
        return parameters
    }
}

extension FactPredicate {
    /// The facts that it compares with parameters, each with the parameter's name.
    fileprivate var comparisons: [(fact: String, parameter: String)] {
        switch self {
        case .contains(let fact, .parameter(let name)), .compare(let fact, _, .parameter(let name)): [(fact, name)]
        case .all(let parts), .any(let parts): parts.flatMap(\.comparisons)
        case .not(let part): part.comparisons
        default: []
        }
    }
}

extension FactPredicate {
    /// The facts that it compares with texts, each with the text.
    fileprivate var texts: [(fact: String, text: String)] {
        switch self {
        case .contains(let fact, .value(.string(let text))), .compare(let fact, _, .value(.string(let text))):
            [(fact, text)]
        case .oneOf(let fact, let values):
            values.compactMap { if case .string(let text) = $0 { (fact, text) } else { nil } }
        case .all(let parts), .any(let parts): parts.flatMap(\.texts)
        case .not(let part): part.texts
        default: []
        }
    }
}

extension RoutingEngine {
    /// Whether a link leads somewhere, and the system would hand it to the app.
    fileprivate func canOpen(_ url: String) -> Bool {
        guard (try? match(url: url, context: RoutingContext())) != nil else { return false }
        guard url.hasPrefix("https:") else { return true }
        if case .match = association(for: url) { return true }
        return false
    }
}
