/// What the types of an app in Swift were written from. The app's code names it, so that a manifest that does not fit them is refused
/// (<doc:/SceneDaemon/TypedRoutes>).
public struct WrittenRoutes: Hashable, Sendable {
    /// The type in which all others are: `Shop`.
    private let type: String
    /// The name of the manifest's file: `shop.yaml`.
    private let source: String
    /// Where the types are: `ShopInSwift/ShopRoutes.swift`.
    private let file: String
    private let declarations: [DeclaredRoute]

    /// What `scenectl app swift` and the plugin write.
    ///
    /// - Parameters:
    ///   - type: The type in which all others are.
    ///   - source: The name of the manifest's file.
    ///   - declarations: What the manifest declares, each by its kind and name (`destination product`), and what Swift sees of it
    ///     (`id: String, ref: String?`).
    ///   - file: The file in which this stands.
    public init(
        _ type: String,
        from source: String,
        _ declarations: [(name: String, form: String)],
        file: String = #fileID
    ) {
        self.type = type
        self.source = source
        self.file = file
        self.declarations = declarations.map { DeclaredRoute(name: $0.name, form: $0.form) }
    }

    /// What the manifest declares and the types lack, the types have and the manifest does not declare, or both have in different forms.
    package func misfits(_ manifest: AppManifest) -> [ManifestProblem] {
        let types = "the types '\(type)' in \(file)"
        let written = Dictionary(declarations.map { ($0.name, $0.form) }) { first, _ in first }
        let declared = DeclaredRoute.all(in: manifest)
        let names = Set(declared.map(\.name))
        let missing = declarations.filter { !names.contains($0.name) }.map { route in
            problem(route, "\(types) have the \(route.title), which is not declared")
        }
        return missing
            + declared.compactMap { route in
                guard let form = written[route.name] else {
                    return problem(route, "the \(route.title) is declared, and \(types) lack it")
                }
                guard form != route.form else { return nil }
                return problem(
                    route,
                    "the \(route.title) is declared with (\(Self.shown(route.form))), and \(types) have it with (\(Self.shown(form)))"
                )
            }
    }

    private func problem(_ route: DeclaredRoute, _ message: String) -> ManifestProblem {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return ManifestProblem(
            key: route.key,
            message: message,
            expected:
                "types written from this manifest: run 'scenectl app swift \(source) --as \(type) --output …/\(name)', or build again if the plugin SceneRoutes writes them"
        )
    }

    /// The longest form that a message repeats, in characters.
    private static let mostShown = 200

    private static func shown(_ form: String) -> String {
        form.count > mostShown ? "\(form.prefix(mostShown))…" : form
    }
}

/// Something that a manifest declares and that the types in Swift have: what it is called, and what Swift sees of it.
package struct DeclaredRoute: Hashable, Sendable {
    /// Its kind and its name: `destination product`, `intent auth.cancelled`.
    package let name: String
    /// The parameters or the type: `id: String, ref: String?`.
    package let form: String

    /// All that a manifest declares, in its order, each name once.
    package static func all(in app: AppManifest) -> [DeclaredRoute] {
        let declared = Dictionary(app.destinations.map { ($0.id, $0) }) { first, _ in first }
        var all = app.destinations.map { of("destination", $0.id, $0.parameters) }
        all += app.intents.map { of("intent", $0.name, $0.parameters) }
        all += app.tabs.map { DeclaredRoute(name: "tab \($0.id)", form: "") }
        for flow in app.flows {
            all.append(of("flow", flow.name, flow.result))
            all += flow.screens.map { screen in
                of("screen", "\(flow.name).\(screen.id)", declared[screen.id]?.parameters ?? screen.parameters)
            }
            all += flow.intents.map { of("intent", "\(flow.name).\($0.name)", $0.parameters) }
        }
        all += app.preconditions.map { DeclaredRoute(name: "precondition \($0.name)", form: "") }
        all += app.facts.map { DeclaredRoute(name: "fact \($0.name)", form: $0.type.swiftType) }
        var seen: Set<String> = []
        return all.filter { seen.insert($0.name).inserted }
    }

    private static func of(_ kind: String, _ name: String, _ parameters: [ParameterDeclaration]) -> DeclaredRoute {
        DeclaredRoute(name: "\(kind) \(name)", form: parameters.map(\.swiftForm).joined(separator: ", "))
    }

    private var words: (kind: Substring, name: Substring) {
        let end = name.firstIndex(of: " ") ?? name.endIndex
        return (name[..<end], name[end...].dropFirst())
    }

    /// As a message names it: `destination 'product'`.
    fileprivate var title: String { "\(words.kind) '\(words.name)'" }

    /// Where it stands in a manifest.
    fileprivate var key: String {
        switch words.kind {
        case "flow", "screen": "flows"
        case "intent" where words.name.contains("."): "flows"
        default: "\(words.kind)s"
        }
    }
}

extension ParameterDeclaration {
    /// Whether code may do without a value.
    package enum Presence: Hashable, Sendable {
        /// There is always one.
        case required
        /// There may be none.
        case optional
        /// This one stands for none.
        case defaulted(String)
    }

    /// Whether code in Swift may do without a value. A default that depends on where the user is is put in when the destination is shown.
    package var presence: Presence {
        switch defaultValue {
        case let value? where variantDefaults.isEmpty: .defaulted(value)
        case nil where isRequired && variantDefaults.isEmpty: .required
        default: .optional
        }
    }

    /// Name, type and default as Swift sees them: `size: Int = 3`. Words are in alphabetical order, because no code depends on theirs.
    fileprivate var swiftForm: String {
        let type = isSecret ? "String" : type.swiftForm
        return switch presence {
        case .required: "\(name): \(type)"
        case .optional: "\(name): \(type)?"
        case .defaulted(let value): "\(name): \(type) = \(value)"
        }
    }
}

extension ParameterType {
    fileprivate var swiftForm: String {
        switch self {
        case .string, .uuid, .date, .pattern: "String"
        case .integer: "Int"
        case .oneOf(let words): words.sorted().joined(separator: "|")
        case .list(let element): "[\(element.swiftForm)]"
        }
    }
}

extension FactDeclaration.FactType {
    /// The type of its values in Swift.
    package var swiftType: String {
        switch self {
        case .string, .date: "String"
        case .integer: "Int"
        case .number: "Double"
        case .boolean: "Bool"
        case .strings: "[String]"
        }
    }
}
