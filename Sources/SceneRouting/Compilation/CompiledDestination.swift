internal import Basics

/// A destination with everything that a decision needs already looked up. Immutable. A class so that passing it on costs
/// one reference.
final class CompiledDestination: Sendable {
    let id: String
    let declaration: DestinationDeclaration
    let parameters: [Parameter]
    /// The destinations below it, the tab's root first.
    let ancestry: [CompiledDestination]
    /// Empty for one that is presented over whatever is shown.
    let tab: String
    /// What has to hold for it: of its ancestry and itself, in the order in which it is judged.
    let needs: [Need]
    /// The destinations to which who is led here is led instead, by their positions.
    let variants: [Variant]
    /// Whether a default depends on market or locale.
    let hasVariantDefaults: Bool
    /// Whether the destination itself is pushed or the root of a tab, not presented.
    let isPushed: Bool

    init(
        declaration: DestinationDeclaration,
        parameters: [Parameter],
        ancestry: [CompiledDestination],
        tab: String,
        needs: [Need],
        variants: [Variant] = []
    ) {
        id = declaration.id
        self.declaration = declaration
        self.parameters = parameters
        self.ancestry = ancestry
        self.tab = tab
        self.needs = needs
        self.variants = variants
        hasVariantDefaults = parameters.contains { !$0.declaration.variantDefaults.isEmpty }
        isPushed = if case .modal = declaration.presentation { false } else { true }
    }

    /// Something that has to hold for a destination, by its position.
    enum Need: Hashable, Sendable {
        /// One of the preconditions of the roots, the lock and the manifest. One that looks at no parameter has no owner.
        case precondition(Int, owner: Int?)
        /// One of the conditions of the manifest. The owner is the ancestor whose parameters it looks at, counted from the root;
        /// `nil` for the destination itself.
        case condition(Int, owner: Int?)

        /// The ancestor whose parameters it looks at, counted from the root; `nil` for the destination itself.
        var owner: Int? {
            switch self {
            case .precondition(_, let owner), .condition(_, let owner): owner
            }
        }
    }

    struct Variant: Sendable {
        let when: FactPredicate
        let destination: Int
    }

    struct Parameter: Sendable {
        let declaration: ParameterDeclaration
        let check: ParameterCheck
        /// What makes the placeholders of its values; `nil` if they are no secret, or are worked with themselves.
        var secretKey: SecretKey?

        /// The canonical text of a value, for a secret its placeholder; `nil` if the text is not a value of the type.
        func canonical(_ value: String) -> String? {
            guard let secretKey else { return check.canonical(value.normalizedNFC) }
            if secretKey.hasMade(value) { return value }
            return check.canonical(value.normalizedNFC).map(secretKey.placeholder)
        }

        /// The placeholder of a value whether or not the parameter allows it; the value itself if it is no secret.
        func concealed(_ value: String) -> String {
            guard let secretKey else { return value }
            return canonical(value) ?? secretKey.placeholder(for: value)
        }
    }

    func parameter(_ name: String) -> Parameter? {
        parameters.first { $0.declaration.name == name }
    }

    /// The parameters in canonical form, with defaults.
    /// - Parameter place: the market and locale for defaults that depend on them; without it these are left out.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)`` for a missing, unknown or wrong parameter.
    func normalized(
        _ given: [String: String],
        place: (market: String?, locale: String?)? = nil
    ) throws(RouteError) -> [String: String] {
        try parameters.normalized(given, of: id, place: place)
    }
}

extension [CompiledDestination.Parameter] {
    /// The parameters in canonical form, with defaults, as ``CompiledDestination/normalized(_:place:)`` describes.
    /// - Parameter owner: the destination or intent that has the parameters, for messages.
    func normalized(
        _ given: [String: String],
        of owner: String,
        place: (market: String?, locale: String?)? = nil
    ) throws(RouteError) -> [String: String] {
        // Most requests have all values in canonical form; then nothing is copied.
        var result = given
        var taken = 0
        for parameter in self {
            let name = parameter.declaration.name
            if let place = given.index(forKey: name) {
                let (key, value) = given[place]
                taken += 1
                guard value.excessMark == nil, let canonical = parameter.canonical(value) else {
                    throw .notAllowed(parameter.declaration.isSecret ? nil : value, for: name, parameter.check)
                }
                // Compared by their bytes, because texts in different Unicode forms are equal as strings.
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
                // A misspelt one is what is wrong, not the one that is missing because of it.
                if let error = unknown(in: given, of: owner) { throw error }
                throw .validationFailed(
                    parameter: name,
                    reason: "is missing; \(owner) needs \(parameter.check.expectation)"
                )
            }
        }
        if taken < given.count, let error = unknown(in: given, of: owner) { throw error }
        return result
    }

    /// The error for the first parameter that is none of these.
    private func unknown(in given: [String: String], of owner: String) -> RouteError? {
        let known = names
        guard let extra = given.keys.filter({ !known.contains($0) }).min() else { return nil }
        return .validationFailed(
            parameter: extra,
            reason: known.isEmpty
                ? "\(owner) has no parameters"
                : "\(owner) has no such parameter, only \(known.joined(separator: ", "))"
                    + Spelling.hint(for: extra, among: known)
        )
    }

    private var names: [String] { map(\.declaration.name) }
}

extension CompiledDestination {
    /// What a window shows at this destination.
    func target(_ destination: Destination) -> Target {
        if declaration.isOverCurrent, case .modal(let style) = declaration.presentation {
            return .overCurrent(ModalState(flow: declaration.flow, style: style, stack: [destination]))
        }
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
        return .placed(
            tab: tab,
            path: path,
            modals: modals.map { ModalState(flow: $0.flow, style: $0.style, stack: $0.stack) }
        )
    }

    /// Of this destination's parameters, those of an owner of a need.
    func parameters(_ all: [String: String], of owner: Int?) -> [String: String] {
        owner.map { ancestry[$0].ownParameters(from: all) } ?? all
    }

    /// The parameters that an ancestor takes from those of the destination above it.
    func ownParameters(from all: [String: String]) -> [String: String] {
        var own: [String: String] = [:]
        for parameter in parameters {
            own[parameter.declaration.name] = all[parameter.declaration.name] ?? parameter.declaration.defaultValue
        }
        return own
    }
}

extension RouteError {
    /// - Parameter value: The value that is refused; `nil` for a secret, of which nothing is said.
    static func notAllowed(_ value: String?, for parameter: String, _ check: ParameterCheck) -> RouteError {
        .validationFailed(parameter: parameter, reason: check.objection(to: value))
    }
}
