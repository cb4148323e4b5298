/// Compiles a manifest for the engine and finds everything that is wrong with it.
struct ManifestCompilation {
    let manifest: AppManifest
    private(set) var destinations: [CompiledDestination] = []
    private(set) var compiled: [Int: CompiledDestination] = [:]
    /// Those of the destinations, in the order of the manifest.
    private(set) var parameters: [[CompiledDestination.Parameter]] = []
    let destinationNames: NameList
    let configurationNames: NameList
    let preconditionNames: NameList
    let conditionNames: NameList
    let factNames: NameList
    let flowNames: NameList
    let tabNames: NameList
    let schemeNames: NameList
    let domainNames: NameList
    let marketNames: NameList
    let localeNames: NameList
    private let placeNames: NameList
    /// What can be said of predicates.
    let reading: PredicateReading
    /// The positions in the manifest of the compiled routes.
    var positions: [ObjectIdentifier: Int] = [:]
    private var patterns = PatternCache()
    /// What makes the placeholders of secrets; `nil` to work with their values.
    private let secrets: SecretKey?
    private let preconditionIndex: [String: Int]
    /// By position: whether the precondition looks at parameters.
    private let looksAtParameters: [Bool]
    private let conditionIndex: [String: Int]
    /// The conditions that look at the user. They are judged after the preconditions.
    let personalConditions: Set<String>
    private(set) var destinationIndex: [String: Int] = [:]
    /// From the most specific to the least.
    var routes: [CompiledRoute] = []
    /// In the order of the manifest.
    var routesInOrder: [CompiledRoute] = []
    /// The intents of the app and of its flows, with their parameters compiled.
    var intents: [(flow: String?, declaration: IntentDeclaration, parameters: [CompiledDestination.Parameter])] = []
    /// The compiled parameters of the screens that only flows use, by flow and screen; none of a screen without.
    var flowScreens: [String: [String: [CompiledDestination.Parameter]]] = [:]
    /// The compiled values of what flows hand over, by flow; none of a flow that declares none.
    var flowResults: [String: [CompiledDestination.Parameter]] = [:]
    /// What flows may be started with, by flow.
    var startParameters: [String: StartParameters] = [:]
    private(set) var associations = AssociationSet(appIDs: [], domains: [])
    var problems: [ManifestProblem] = []

    /// - Parameters:
    ///   - warns: whether to look for warnings, too.
    ///   - secrets: What makes the placeholders of secrets; `nil` to work with their values.
    init(_ manifest: AppManifest, warns: Bool, secrets: SecretKey? = nil) {
        self.manifest = manifest
        self.secrets = secrets
        destinationNames = NameList(manifest.destinations.map(\.id))
        configurationNames = NameList(manifest.configurations.map(\.name))
        preconditionNames = NameList(manifest.preconditions.map(\.name))
        let preconditions = manifest.impliedPreconditions + manifest.preconditions
        looksAtParameters = preconditions.map(\.holds.usesParameter)
        conditionNames = NameList(manifest.conditions.map(\.name))
        reading = PredicateReading(manifest.facts)
        factNames = NameList(manifest.facts.map(\.name))
        flowNames = NameList(manifest.flows.map(\.name))
        tabNames = NameList(manifest.tabs.map(\.id))
        schemeNames = NameList(manifest.schemes.map { $0.lowercased() })
        domainNames = NameList(manifest.associatedDomains.map(\.domain))
        marketNames = NameList(manifest.markets)
        localeNames = NameList(manifest.locales)
        placeNames = NameList(manifest.markets + manifest.locales)
        preconditionIndex = NameList(preconditions.map(\.name)).index
        conditionIndex = conditionNames.index
        personalConditions = manifest.personalConditions
        compileDestinations()
        compileRoutes()
        compileAssociations()
        checkReferences()
        // Errors make other things look suspicious, so warnings have to wait until there are none.
        if warns, !problems.contains(where: { $0.severity == .error }) { findWarnings() }
    }

    mutating func error(_ key: String, _ message: String, expected: String? = nil, suggestion: String? = nil) {
        guard problems.count < Self.maximumProblems else { return }
        problems.append(ManifestProblem(key: key, message: message, expected: expected, suggestion: suggestion))
    }

    /// Nobody reads more.
    static let maximumProblems = 500
    /// The maximum number of words of a type.
    static let maximumWords = 4096
    /// The maximum number of a destination's parameters, ancestors, preconditions and conditions each, which keeps quadratic
    /// checks cheap.
    static let maximumParts = 64

    mutating func warning(_ key: String, _ message: String, expected: String? = nil, suggestion: String? = nil) {
        guard problems.count < Self.maximumProblems else { return }
        problems.append(
            ManifestProblem(severity: .warning, key: key, message: message, expected: expected, suggestion: suggestion)
        )
    }

    /// Reports a name that does not exist; returns whether it does.
    @discardableResult
    mutating func check(_ name: String, isOneOf names: [String], _ what: String, at key: String) -> Bool {
        check(name, isOneOf: NameList(names), what, at: key)
    }

    /// Reports a name that does not exist; returns whether it does.
    @discardableResult
    mutating func check(_ name: String, isOneOf names: NameList, _ what: String, at key: String) -> Bool {
        guard !names.contains(name) else { return true }
        guard problems.count < Self.maximumProblems else { return false }
        let all = names.names
        error(
            key,
            "there is no \(what) '\(name)'",
            expected: all.isEmpty ? nil : "one of \(all.prefix(20).joined(separator: ", "))",
            suggestion: problems.count < Spelling.mostSuggestions ? Spelling.nearest(to: name, among: all) : nil
        )
        return false
    }

    // MARK: - Destinations

    private mutating func compileDestinations() {
        for declaration in manifest.destinations {
            let key = "destinations.\(declaration.id)"
            if destinationIndex[declaration.id] != nil { error(key, "the destination is declared twice") }
            destinationIndex[declaration.id] = parameters.count
            parameters.append(compile(declaration.parameters, at: key))
        }
        for index in manifest.destinations.indices { _ = compilePath(index) }
        destinations = manifest.destinations.indices.compactMap { compiled[$0] }
    }

    /// Compiles parameters. One whose type is wrong is reported, and can then be any text.
    ///
    /// - Parameter member: The member that has them.
    mutating func compile(
        _ parameters: [ParameterDeclaration],
        at key: String,
        as member: String = "parameters"
    ) -> [CompiledDestination.Parameter] {
        var names: Set<String> = []
        if parameters.count > Self.maximumParts {
            error(
                "\(key).\(member)",
                "there are \(parameters.count) parameters",
                expected: "at most \(Self.maximumParts)"
            )
        }
        return parameters.prefix(Self.maximumParts).map { parameter in
            let key = "\(key).\(member).\(parameter.name)"
            if !names.insert(parameter.name).inserted { error(key, "the parameter is declared twice") }
            let check = compile(parameter.type, at: key)
            var declaration = parameter
            if let value = parameter.defaultValue {
                if let canonical = check.canonical(value.normalizedNFC) {
                    declaration.defaultValue = canonical
                } else {
                    error("\(key).default", "'\(value)' is not allowed", expected: check.expectation)
                }
            }
            for (place, value) in parameter.variantDefaults.sorted(by: { $0.key < $1.key }) {
                self.check(
                    place,
                    isOneOf: placeNames,
                    "market or locale",
                    at: "\(key).defaults.\(place)"
                )
                if let canonical = check.canonical(value.normalizedNFC) {
                    declaration.variantDefaults[place] = canonical
                } else {
                    error("\(key).defaults.\(place)", "'\(value)' is not allowed", expected: check.expectation)
                }
            }
            checkSecret(declaration, at: key)
            return CompiledDestination.Parameter(
                declaration: declaration,
                check: check,
                secretKey: declaration.isSecret ? secrets : nil
            )
        }
    }

    private mutating func compile(_ type: ParameterType, at key: String) -> ParameterCheck {
        switch type {
        case .integer(let minimum?, let maximum?) where minimum > maximum:
            error(key, "the minimum \(minimum) is above the maximum \(maximum)")
        case .oneOf(let words) where words.isEmpty || words.contains(""):
            error("\(key).oneOf", "the list or one of its words is empty", expected: "a list of words")
        case .oneOf(let words) where words.count > Self.maximumWords:
            error("\(key).oneOf", "there are \(words.count) words", expected: "at most \(Self.maximumWords)")
        case .list(of: .list):
            error(key, "a URL cannot contain a list of lists", expected: "a list of single values")
        default: break
        }
        do {
            return try ParameterCheck(type, patterns: &patterns)
        } catch {
            self.error(
                "\(key).pattern",
                error.description,
                expected: "a pattern of literals, classes, groups, alternatives and quantifiers"
            )
            return .string
        }
    }

    /// Compiles a destination. Its ancestors are compiled without their own ancestry, so a cycle does no harm.
    private mutating func compilePath(_ index: Int) -> CompiledDestination {
        let declaration = manifest.destinations[index]
        let key = "destinations.\(declaration.id)"
        var path: [Int] = []
        if declaration.ancestry.count > Self.maximumParts {
            error("\(key).ancestry", "the ancestry is too long", expected: "at most \(Self.maximumParts) destinations")
        }
        for (position, ancestor) in declaration.ancestry.prefix(Self.maximumParts).enumerated() {
            let key = "\(key).ancestry[\(position)]"
            guard check(ancestor, isOneOf: destinationNames, "destination", at: key) else { continue }
            guard ancestor != declaration.id, let known = destinationIndex[ancestor], !path.contains(known) else {
                error(
                    key,
                    "'\(ancestor)' is in its own ancestry",
                    expected: "every ancestor once, without the destination"
                )
                continue
            }
            if manifest.destinations[known].isOverCurrent {
                error(
                    key,
                    "'\(ancestor)' is presented over whatever is shown, so nothing has a place above it",
                    expected: "destinations that are not declared with 'ancestry: current'"
                )
                continue
            }
            path.append(known)
        }
        checkAncestors(index, path, key)
        let tab = tab(index, path, key)
        let ancestry = path.map { bare($0) }
        if max(declaration.preconditions.count, declaration.conditions.count) > Self.maximumParts {
            error(key, "needs too much", expected: "at most \(Self.maximumParts) preconditions and as many conditions")
        }
        for (position, name) in declaration.preconditions.enumerated() {
            check(name, isOneOf: preconditionNames, "precondition", at: "\(key).preconditions[\(position)]")
        }
        for (position, name) in declaration.conditions.enumerated() {
            check(name, isOneOf: conditionNames, "condition", at: "\(key).conditions[\(position)]")
        }
        let result = CompiledDestination(
            declaration: declaration,
            parameters: parameters[index],
            ancestry: ancestry,
            tab: tab,
            needs: needs(of: path + [index]),
            variants: declaration.variants.prefix(Self.maximumParts).compactMap { variant in
                destinationIndex[variant.destination].map { .init(when: variant.when, destination: $0) }
            }
        )
        compiled[index] = result
        return result
    }

    /// What has to hold for the last of these destinations, in the order in which it is judged: the conditions of the whole path
    /// that look at nobody, its preconditions, each once, and its other conditions.
    private func needs(of path: [Int]) -> [CompiledDestination.Need] {
        let isOverCurrent = path.last.map { manifest.destinations[$0].isOverCurrent } ?? false
        // A locked window shows nothing new, nor anything over what it shows.
        let implied = (manifest.lockPosition.map { [$0] } ?? []) + (isOverCurrent ? [] : Array(manifest.roots.indices))
        var preconditions: [CompiledDestination.Need] = implied.map { .precondition($0, owner: nil) }
        var first: [CompiledDestination.Need] = []
        var last: [CompiledDestination.Need] = []
        for (position, step) in path.enumerated() {
            let owner = position < path.count - 1 ? position : nil
            for name in manifest.destinations[step].preconditions.prefix(Self.maximumParts) {
                guard let known = preconditionIndex[name] else { continue }
                let need = CompiledDestination.Need.precondition(known, owner: looksAtParameters[known] ? owner : nil)
                if !preconditions.contains(need) { preconditions.append(need) }
            }
            for name in manifest.destinations[step].conditions.prefix(Self.maximumParts) {
                guard let known = conditionIndex[name] else { continue }
                let need = CompiledDestination.Need.condition(known, owner: owner)
                if personalConditions.contains(name) { last.append(need) } else { first.append(need) }
            }
        }
        return first + preconditions + last
    }

    /// A destination as an ancestor, of which only its own parameters matter.
    private func bare(_ index: Int) -> CompiledDestination {
        CompiledDestination(
            declaration: manifest.destinations[index],
            parameters: parameters[index],
            ancestry: [],
            tab: "",
            needs: []
        )
    }

    private mutating func tab(_ index: Int, _ path: [Int], _ key: String) -> String {
        let declaration = manifest.destinations[index]
        if case .tab = declaration.presentation, !path.isEmpty || declaration.isOverCurrent {
            error("\(key).ancestry", "the root of a tab cannot have an ancestry", expected: "no ancestry")
        }
        if declaration.isOverCurrent {
            if case .push = declaration.presentation {
                error(
                    "\(key).ancestry",
                    "'\(declaration.id)' is pushed, and only what is presented can be over whatever is shown",
                    expected: "a 'presentation' such as 'sheet', or a list of destinations"
                )
            } else if !declaration.ancestry.isEmpty {
                error("\(key).ancestry", "it is both 'current' and a list", expected: "one of them")
            }
            return ""
        }
        for middle in path.dropFirst() {
            guard case .tab = manifest.destinations[middle].presentation else { continue }
            let id = manifest.destinations[middle].id
            error(
                "\(key).ancestry",
                "'\(id)' is the root of a tab",
                expected: "the root of a tab only at the beginning of the ancestry"
            )
        }
        let root = manifest.destinations[path.first ?? index]
        guard case .tab(let tab) = root.presentation else {
            let example = manifest.tabs.first?.root ?? "home"
            error(
                path.isEmpty ? "\(key).ancestry" : "\(key).ancestry[0]",
                "'\(root.id)' is not the root of a tab",
                expected: "an ancestry that begins with the root of a tab, such as '\(example)'"
            )
            return ""
        }
        if path.isEmpty, case .tab = declaration.presentation {
            check(tab, isOneOf: tabNames, "tab", at: "\(key).tab")
        }
        return tab
    }

    /// Checks that each ancestor can take its parameters from the destination's parameters of the same names and types.
    private mutating func checkAncestors(_ index: Int, _ path: [Int], _ key: String) {
        for step in path {
            let ancestor = manifest.destinations[step].id
            for parameter in parameters[step] {
                let name = parameter.declaration.name
                let isNeeded = parameter.declaration.isRequired && parameter.declaration.defaultValue == nil
                guard let own = parameters[index].first(where: { $0.declaration.name == name }) else {
                    guard isNeeded else { continue }
                    error(
                        "\(key).parameters",
                        "the ancestor '\(ancestor)' requires the parameter '\(name)'",
                        expected: "a parameter '\(name)' here too"
                    )
                    continue
                }
                if own.check != parameter.check {
                    error(
                        "\(key).parameters.\(name)",
                        "the ancestor '\(ancestor)' has a parameter of this name with another type",
                        expected: parameter.check.expectation
                    )
                }
                if isNeeded, !own.declaration.isRequired, own.declaration.defaultValue == nil {
                    error(
                        "\(key).parameters.\(name)",
                        "the ancestor '\(ancestor)' requires it",
                        expected: "a required parameter"
                    )
                }
            }
        }
    }

    // MARK: - Associated domains

    private mutating func compileAssociations() {
        var domains: [AssociationSet.Domain] = []
        for declaration in manifest.associatedDomains {
            let key = "associatedDomains.\(declaration.domain)"
            let name = declaration.domain.hasPrefix("*.") ? String(declaration.domain.dropFirst(2)) : declaration.domain
            guard HostName.canonical(name) == name else {
                error(
                    key,
                    "'\(declaration.domain)' is not a domain",
                    expected: "a domain in lower case ASCII such as shop.example, or *.shop.example",
                    suggestion: HostName.canonical(name)
                )
                continue
            }
            do {
                domains.append(
                    .init(name: declaration.domain, file: try AssociationFile(parsing: declaration.association))
                )
            } catch {
                self.error(
                    key,
                    "the association file cannot be read: \(error)",
                    expected: "an apple-app-site-association file"
                )
            }
        }
        associations = AssociationSet(appIDs: manifest.appIDs, domains: domains)
    }
}

extension AppManifest {
    /// Everything wrong with the manifest, errors and, if there are none, warnings; a manifest without errors compiles.
    /// - Parameter warns: Whether to look for warnings.
    package func problems(warns: Bool = true) -> [ManifestProblem] {
        ManifestCompilation(self, warns: warns).problems
    }
}
