/// A destination with everything looked up that a decision needs. Immutable; a class so that passing it on costs one
/// reference.
final class CompiledDestination: Sendable {
    let id: String
    let declaration: DestinationDeclaration
    let parameters: [Parameter]
    /// Its ancestry, tab root first, without itself.
    let ancestry: [CompiledDestination]
    let tab: String
    /// Positions of the preconditions of the whole path, each once, in the order they are asked for.
    let preconditions: [Int]
    /// The conditions of the whole path: whose parameters each looks at, and which it is.
    let conditions: [(owner: CompiledDestination?, condition: Int)]
    /// Whether a default depends on market or locale.
    let hasVariantDefaults: Bool
    /// Whether the destination itself is pushed or a root, rather than presented.
    let isPushed: Bool

    init(
        declaration: DestinationDeclaration,
        parameters: [Parameter],
        ancestry: [CompiledDestination],
        tab: String,
        preconditions: [Int],
        conditions: [(owner: CompiledDestination?, condition: Int)]
    ) {
        id = declaration.id
        self.declaration = declaration
        self.parameters = parameters
        self.ancestry = ancestry
        self.tab = tab
        self.preconditions = preconditions
        self.conditions = conditions
        hasVariantDefaults = parameters.contains { !$0.declaration.variantDefaults.isEmpty }
        isPushed = if case .modal = declaration.presentation { false } else { true }
    }

    struct Parameter: Sendable {
        let declaration: ParameterDeclaration
        let check: ParameterCheck
    }

    func parameter(_ name: String) -> Parameter? {
        parameters.first { $0.declaration.name == name }
    }

    /// The parameters in their canonical form, defaults filled in.
    /// - Parameter place: the market and locale whose defaults are meant; without one, a parameter whose default depends
    ///   on them stays absent.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)`` for one that is missing, not allowed or unknown.
    func normalized(
        _ given: [String: String],
        place: (market: String?, locale: String?)? = nil
    ) throws(RouteError) -> [String: String] {
        try parameters.normalized(given, of: id, place: place)
    }
}

extension [CompiledDestination.Parameter] {
    /// The given values in their canonical form, defaults filled in; see ``CompiledDestination/normalized(_:place:)``.
    /// - Parameter owner: whose parameters they are, for messages.
    func normalized(
        _ given: [String: String],
        of owner: String,
        place: (market: String?, locale: String?)? = nil
    ) throws(RouteError) -> [String: String] {
        // Most values come in their canonical form, and most requests whole: then nothing is copied.
        var result = given
        var taken = 0
        for parameter in self {
            let name = parameter.declaration.name
            if let place = given.index(forKey: name) {
                let (key, value) = given[place]
                taken += 1
                guard let canonical = parameter.check.canonical(value.normalizedNFC) else {
                    throw .notAllowed(value, for: name, expected: parameter.check.expectation)
                }
                // By their bytes: texts that are equal to a reader may not be the same.
                if !key.utf8.elementsEqual(name.utf8) || !canonical.utf8.elementsEqual(value.utf8) {
                    result[name] = nil
                    result[name] = canonical
                }
            } else if !parameter.declaration.variantDefaults.isEmpty {
                guard let place else { continue }
                result[name] = parameter.declaration.value(market: place.market, locale: place.locale)
            } else if let value = parameter.declaration.defaultValue {
                result[name] = value
            } else if parameter.declaration.isRequired {
                throw .validationFailed(
                    parameter: name,
                    reason: "is missing; \(owner) needs \(parameter.check.expectation)"
                )
            }
        }
        if taken < given.count, let extra = given.keys.filter({ !names.contains($0) }).min() {
            let known = names
            throw .validationFailed(
                parameter: extra,
                reason: known.isEmpty
                    ? "\(owner) has no parameters"
                    : "\(owner) has no such parameter, only \(known.joined(separator: ", "))"
            )
        }
        return result
    }

    private var names: [String] { map(\.declaration.name) }
}

extension CompiledDestination {
    /// What a window shows when it has arrived at this destination.
    func target(_ destination: Destination) -> Target {
        var path: [Destination] = []
        var modals: [(flow: String?, style: ModalStyle, stack: [Destination])] = []
        for step in ancestry + CollectionOfOne(self) {
            let shown =
                step === self
                ? destination
                : Destination(id: step.id, parameters: step.ownParameters(from: destination.parameters))
            if case .modal(let style) = step.declaration.presentation {
                modals.append((step.declaration.flow, style, [shown]))
            } else if modals.isEmpty {
                path.append(shown)
            } else {
                modals[modals.count - 1].stack.append(shown)
            }
        }
        return Target(
            tab: tab,
            path: path,
            modals: modals.map { ModalState(flow: $0.flow, style: $0.style, stack: $0.stack) }
        )
    }

    /// The parameters of the names that it declares, as an ancestor takes them from what stands above it.
    func ownParameters(from all: [String: String]) -> [String: String] {
        var own: [String: String] = [:]
        for parameter in parameters {
            own[parameter.declaration.name] = all[parameter.declaration.name] ?? parameter.declaration.defaultValue
        }
        return own
    }
}

extension ParameterDeclaration {
    /// The default in a market and locale.
    func value(market: String?, locale: String?) -> String? {
        if let market, let value = variantDefaults[market] { return value }
        if let locale {
            let fitting = variantDefaults.keys.filter { Locales.includes($0, locale) }
            if let narrowest = fitting.max(by: { $0.utf8.count < $1.utf8.count }) { return variantDefaults[narrowest] }
        }
        return defaultValue
    }
}

extension RouteError {
    static func notAllowed(_ value: String, for parameter: String, expected: String) -> RouteError {
        .validationFailed(parameter: parameter, reason: "'\(value.prefix(64))' is not \(expected)")
    }
}
