internal import StrictJSON

/// Finds what is ignored or cannot work in an association file.
struct AssociationLinter {
    private let json: JSONValue
    private let places: JSONPlaces
    private var diagnostics: [AssociationDiagnostic] = []
    private var variables: Set<String> = []
    private var budget = AssociationContext.budget

    private static let services = ["applinks", "webcredentials", "appclips", "activitycontinuation"]
    /// Nobody reads more, and a hostile file could cause very many.
    private static let maximumDiagnostics = 500

    init(_ json: JSONValue, _ text: String) {
        self.json = json
        places = JSONPlaces(of: json, in: text)
    }

    mutating func lint() -> [AssociationDiagnostic] {
        let members = json.objectValue ?? [:]
        if !Self.services.contains(where: { members[$0] != nil }) {
            let known = Self.services.joined(separator: ", ")
            note(.noKnownService, "the file names no service; expected one of \(known)", "", places.place)
        }
        for key in members.keys where !Self.services.contains(key) {
            note(
                .unknownMember,
                "'\(key)' is not a service and is ignored",
                key,
                name(places, key),
                meant: (key, Self.services)
            )
        }
        for service in Self.services.dropFirst() {
            guard let value = members[service] else { continue }
            lintApps(value, child(places, service), at: service)
        }
        if let links = members["applinks"] { lintLinks(links, child(places, "applinks")) }
        return diagnostics.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    // MARK: - Diagnostics

    /// - Parameter meant: A name that is not known, and those that are.
    private mutating func note(
        _ code: AssociationDiagnostic.Code,
        _ message: @autoclosure () -> String,
        _ path: String,
        _ place: JSONPlaces.Place,
        meant: @autoclosure () -> (name: String, known: [String])? = nil
    ) {
        guard diagnostics.count < Self.maximumDiagnostics else { return }
        var message = message()
        if diagnostics.count < Spelling.mostSuggestions, let meant = meant(),
            let nearest = Spelling.nearest(to: meant.name, among: meant.known)
        {
            message += "; did you mean '\(nearest)'?"
        }
        diagnostics.append(
            AssociationDiagnostic(code: code, message: message, path: path, line: place.line, column: place.column)
        )
    }

    private func child(_ places: JSONPlaces, _ key: String) -> JSONPlaces { places[key]?.value ?? places }

    private func name(_ places: JSONPlaces, _ key: String) -> JSONPlaces.Place {
        places[key]?.name ?? places.place
    }

    private func element(_ places: JSONPlaces, _ index: Int) -> JSONPlaces {
        places.elements.indices.contains(index) ? places.elements[index] : places
    }

    private mutating func wrongType(_ value: JSONValue, _ expected: String, _ path: String, _ places: JSONPlaces) {
        note(.wrongType, "is \(value.typeName) and is ignored; expected \(expected)", path, places.place)
    }

    private mutating func checkMembers(_ object: JSONObject, _ known: [String], _ path: String, _ places: JSONPlaces) {
        for key in object.keys where !known.contains(key) {
            note(
                .unknownMember,
                "'\(key)' is not known and is ignored",
                "\(path).\(key)",
                name(places, key),
                meant: (key, known)
            )
        }
    }

    // MARK: - Services

    private mutating func lintApps(_ value: JSONValue, _ places: JSONPlaces, at path: String) {
        guard let service = value.objectValue else { return wrongType(value, "an object with 'apps'", path, places) }
        guard let apps = service["apps"]?.arrayValue else {
            note(.noAppID, "names no app; expected 'apps', a list of app IDs", path, places.place)
            return
        }
        let list = child(places, "apps")
        for (index, app) in apps.enumerated() { lintAppID(app, element(list, index), at: "\(path).apps[\(index)]") }
    }

    private mutating func lintAppID(_ value: JSONValue, _ places: JSONPlaces, at path: String) {
        guard let appID = value.stringValue else { return wrongType(value, "an app ID", path, places) }
        let parts = appID.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count < 2 || parts.contains("") else { return }
        note(
            .malformedAppID,
            "'\(appID)' is not an app ID; expected a team ID, a dot and a bundle ID, such as ABCDE12345.com.example.app",
            path,
            places.place
        )
    }

    private mutating func lintLinks(_ value: JSONValue, _ places: JSONPlaces) {
        let path = "applinks"
        guard let links = value.objectValue else { return wrongType(value, "an object with 'details'", path, places) }
        checkMembers(links, ["apps", "details", "defaults", "substitutionVariables"], path, places)
        if let apps = links["apps"], apps.arrayValue.map({ !$0.isEmpty }) ?? true {
            note(.legacyAppsNotEmpty, "'apps' must be an empty list or absent", "\(path).apps", name(places, "apps"))
        }
        lintVariables(links["substitutionVariables"], child(places, "substitutionVariables"))
        if let defaults = links["defaults"] {
            lintComponent(defaults, child(places, "defaults"), at: "\(path).defaults", isDefaults: true)
        }
        let details = child(places, "details")
        switch links["details"] {
        case .array(let list) where !list.isEmpty:
            for (index, detail) in list.enumerated() {
                lintDetail(detail, element(details, index), links, at: "\(path).details[\(index)]", isKeyed: false)
            }
        case .object(let byApp) where !byApp.isEmpty:
            for (appID, detail) in byApp {
                let path = "\(path).details.\(appID)"
                let parts = appID.split(separator: ".", omittingEmptySubsequences: false)
                if parts.count < 2 || parts.contains("") {
                    note(.malformedAppID, "'\(appID)' is not an app ID", path, name(details, appID))
                }
                lintDetail(detail, child(details, appID), links, at: path, isKeyed: true)
            }
        case .some(let value) where value.arrayValue == nil && value.objectValue == nil:
            wrongType(value, "a list", "\(path).details", details)
        default:
            note(.noDetails, "'details' is empty or missing, so no URL opens any app", path, places.place)
        }
    }

    private mutating func lintVariables(_ value: JSONValue?, _ places: JSONPlaces) {
        guard let value else { return }
        let path = "applinks.substitutionVariables"
        guard let object = value.objectValue else {
            return wrongType(value, "an object of lists of text", path, places)
        }
        variables = Set(object.keys)
        for (key, values) in object {
            let path = "\(path).\(key)"
            if key.isEmpty || key.contains(where: { "$()".contains($0) }) {
                note(
                    .malformedVariable,
                    "'\(key)' is not a variable's name; expected a name without '$', '(' and ')'",
                    path,
                    name(places, key)
                )
            }
            if AssociationPattern.predefined.contains(key) {
                note(.predefinedVariable, "'\(key)' replaces the predefined variable", path, name(places, key))
            }
            let list = child(places, key)
            guard let elements = values.arrayValue else {
                wrongType(values, "a list of text", path, list)
                continue
            }
            for (index, element) in elements.enumerated() {
                let place = self.element(list, index)
                guard let text = element.stringValue else {
                    wrongType(element, "text", "\(path)[\(index)]", place)
                    continue
                }
                guard text.contains("$(") else { continue }
                note(
                    .recursiveVariable,
                    "'\(text)' has a variable, which a variable's value cannot; write its values out",
                    "\(path)[\(index)]",
                    place.place
                )
            }
        }
    }

    private mutating func lintDetail(
        _ value: JSONValue,
        _ places: JSONPlaces,
        _ links: JSONObject,
        at path: String,
        isKeyed: Bool
    ) {
        guard let detail = value.objectValue else { return wrongType(value, "an object", path, places) }
        checkMembers(detail, ["appID", "appIDs", "components", "paths", "defaults"], path, places)
        if !isKeyed { lintAppIDs(detail, places, at: path) }
        if let defaults = detail["defaults"] {
            lintComponent(defaults, child(places, "defaults"), at: "\(path).defaults", isDefaults: true)
        }
        if detail["components"] != nil, detail["paths"] != nil {
            note(
                .componentsAndPaths,
                "has both 'components' and 'paths'; systems since iOS 13 ignore 'paths'",
                "\(path).paths",
                name(places, "paths")
            )
        }
        if let components = detail["components"] {
            lintComponents(components, detail, links, child(places, "components"), at: "\(path).components")
        } else if let paths = detail["paths"] {
            let list = child(places, "paths")
            guard let elements = paths.arrayValue else {
                return wrongType(paths, "a list of text", "\(path).paths", list)
            }
            lintPaths(elements, list, at: "\(path).paths")
        } else {
            note(.noComponents, "has no 'components', so no URL opens the app", path, places.place)
        }
    }

    /// The rules before iOS 13, of which the first that fits decides, too.
    private mutating func lintPaths(_ elements: [JSONValue], _ places: JSONPlaces, at path: String) {
        var shadows: [Shadow] = []
        for (index, element) in elements.enumerated() {
            let place = self.element(places, index)
            guard let text = element.stringValue else {
                wrongType(element, "text", "\(path)[\(index)]", place)
                continue
            }
            let pattern = text.hasPrefix("NOT ") ? String(text.dropFirst(4)) : text
            noteShadowed(pattern, flags: [], index, by: &shadows, takesMore: false, "\(path)[\(index)]", place.place)
        }
    }

    /// A rule that takes every path with a beginning.
    private struct Shadow {
        let beginning: Substring
        /// How it compares; a rule that compares otherwise may take other paths.
        let flags: [Bool]
        let index: Int
    }

    /// Notes a rule whose paths an earlier one all takes, and remembers it if it takes all with a beginning.
    /// - Parameter takesMore: Whether it looks at more than the path, so that it takes not all of its paths.
    /// - Returns: Whether it is such a rule.
    @discardableResult
    private mutating func noteShadowed(
        _ pattern: String,
        flags: [Bool],
        _ index: Int,
        by shadows: inout [Shadow],
        takesMore: Bool,
        _ path: String,
        _ place: JSONPlaces.Place
    ) -> Bool {
        let text = pattern.drop { $0 == "/" }
        if let shadow = shadows.prefix(64).first(where: { $0.flags == flags && text.hasPrefix($0.beginning) }) {
            note(
                .unreachableComponent,
                "can never match: rule \(shadow.index) takes every URL that this one does",
                path,
                place
            )
            return true
        }
        let beginning = text.dropLast()
        guard !takesMore, text.hasSuffix("*"), !beginning.contains(where: { "*?$".contains($0) }) else { return false }
        shadows.append(Shadow(beginning: beginning, flags: flags, index: index))
        return false
    }

    private mutating func lintAppIDs(_ detail: JSONObject, _ places: JSONPlaces, at path: String) {
        if detail["appID"] != nil, detail["appIDs"] != nil {
            note(.bothAppIDForms, "has both 'appID' and 'appIDs'; use 'appIDs'", "\(path).appID", name(places, "appID"))
        }
        if let appID = detail["appID"] { lintAppID(appID, child(places, "appID"), at: "\(path).appID") }
        let list = child(places, "appIDs")
        if let appIDs = detail["appIDs"], let elements = appIDs.arrayValue {
            for (index, appID) in elements.enumerated() {
                lintAppID(appID, element(list, index), at: "\(path).appIDs[\(index)]")
            }
        } else if let appIDs = detail["appIDs"] {
            wrongType(appIDs, "a list of app IDs", "\(path).appIDs", list)
        }
        if AssociationFile.appIDs(.object(detail)).isEmpty {
            note(.noAppID, "names no app; expected 'appIDs', a list of app IDs", path, places.place)
        }
    }

    // MARK: - Components

    private mutating func lintComponents(
        _ value: JSONValue,
        _ detail: JSONObject,
        _ links: JSONObject,
        _ places: JSONPlaces,
        at path: String
    ) {
        guard let components = value.arrayValue else { return wrongType(value, "a list", path, places) }
        let context = AssociationContext(.object(links)).adding(defaults: detail["defaults"])
        var catchAll: Int?
        var seen: [JSONValue: Int] = [:]
        var shadows: [Shadow] = []
        for (index, component) in components.enumerated() {
            let place = element(places, index)
            let path = "\(path)[\(index)]"
            lintComponent(component, place, at: path, isDefaults: false)
            guard var members = component.objectValue else { continue }
            if let catchAll {
                note(
                    .unreachableComponent,
                    "can never match: rule \(catchAll) takes every URL before it",
                    path,
                    place.place
                )
                continue
            }
            members["comment"] = nil
            members["exclude"] = nil
            if let earlier = seen[.object(members)] {
                note(.unreachableComponent, "can never match: rule \(earlier) is the same", path, place.place)
                continue
            }
            seen[.object(members)] = index
            // One that takes everything is looked for below, by what its variables stand for.
            if let pattern = context.member("/", of: component)?.stringValue,
                pattern.contains(where: { $0 != "*" && $0 != "/" })
            {
                let flags = ["caseSensitive", "percentEncoded"].map {
                    context.member($0, of: component)?.boolValue ?? true
                }
                let takesMore = ["?", "#"].contains { context.member($0, of: component) != nil }
                guard
                    !noteShadowed(pattern, flags: flags, index, by: &shadows, takesMore: takesMore, path, place.place)
                else { continue }
            }
            let wasWithinBudget = budget >= 0
            let compiled = AssociationComponent(component, context, budget: &budget)
            if budget < 0, wasWithinBudget {
                let limit = AssociationContext.budget
                let message =
                    "the patterns up to here have more than \(limit) characters with their variables written out; "
                    + "none from here on matches"
                note(.tooComplex, message, path, place.place)
            }
            guard compiled.matchesEverything else { continue }
            catchAll = index
            guard context.member("exclude", of: component)?.boolValue != true, context.member("/", of: component) == nil
            else { continue }
            note(
                .everythingMatches,
                "has no '/', '?' or '#', so it takes every URL; write \"/\": \"*\" if that is meant",
                path,
                place.place
            )
        }
    }

    private mutating func lintComponent(_ value: JSONValue, _ places: JSONPlaces, at path: String, isDefaults: Bool) {
        guard let component = value.objectValue else { return wrongType(value, "an object", path, places) }
        checkMembers(component, ["/", "?", "#", "exclude", "comment", "caseSensitive", "percentEncoded"], path, places)
        for key in ["exclude", "caseSensitive", "percentEncoded"] {
            guard let flag = component[key], flag.boolValue == nil else { continue }
            wrongType(flag, "true or false", "\(path).\(key)", child(places, key))
        }
        let isEncoded = component["percentEncoded"]?.boolValue ?? true
        for key in ["/", "#"] {
            guard let pattern = component[key] else { continue }
            guard let text = pattern.stringValue else {
                wrongType(pattern, "text", "\(path).\(key)", child(places, key))
                continue
            }
            lintPattern(text, isEncoded: isEncoded, child(places, key), at: "\(path).\(key)")
        }
        let place = child(places, "?")
        switch component["?"] {
        case nil: break
        case .string(let text): lintPattern(text, isEncoded: isEncoded, place, at: "\(path).?")
        case .object(let items):
            for (name, value) in items {
                let path = "\(path).?.\(name)"
                guard let text = value.stringValue else {
                    let message = "is \(value.typeName), so the system ignores all of '?'; expected text"
                    note(.queryNotText, message, path, child(place, name).place)
                    continue
                }
                lintPattern(text, isEncoded: isEncoded, child(place, name), at: path)
            }
        case .some(let value): wrongType(value, "text or an object", "\(path).?", place)
        }
    }

    private mutating func lintPattern(_ text: String, isEncoded: Bool, _ places: JSONPlaces, at path: String) {
        if isEncoded, text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
            note(
                .notPercentEncoded,
                "'\(text)' can never match as written; percent-encode it or set \"percentEncoded\": false",
                path,
                places.place
            )
        }
        var rest = Substring(text).unicodeScalars
        while let start = rest.firstIndex(of: "$") {
            rest = rest[start...]
            guard rest.dropFirst().first == "(" else {
                rest = rest.dropFirst()
                continue
            }
            guard let name = AssociationPattern.variableName(rest) else {
                note(.unterminatedVariable, "'$(' without ')' in '\(text)', so nothing matches", path, places.place)
                return
            }
            rest = rest.dropFirst(name.unicodeScalars.count + 3)
            guard !variables.contains(name), !AssociationPattern.predefined.contains(name) else { continue }
            let known = self.variables
            note(
                .undefinedVariable,
                "there is no variable '\(name)', so nothing matches",
                path,
                places.place,
                meant: (name, known.sorted() + AssociationPattern.predefined)
            )
        }
    }
}

extension AssociationFile {
    /// Everything in an association file that is ignored or has probably another effect than meant, in the file's order.
    package static func lint(_ text: String) -> [AssociationDiagnostic] {
        do throws(AssociationError) {
            var linter = AssociationLinter(try json(text), text)
            return linter.lint()
        } catch {
            return [
                AssociationDiagnostic(
                    code: .notJSON,
                    message: error.reason,
                    path: "",
                    line: error.line ?? 1,
                    column: error.column ?? 1
                )
            ]
        }
    }
}
