internal import Basics
package import StrictJSON

extension AppManifest {
    /// The manifest as a manifest file in JSON has it: reading it gives the same manifest. What has its default is left out, and
    /// routes stand in one list, so that their order is kept.
    package var json: JSONObject {
        var object: JSONObject = ["name": .string(name), "version": .string(version)]
        object["appIDs"] = .list(appIDs)
        object["schemes"] = .list(schemes)
        object["associatedDomains"] = .members(associatedDomains) { domain in
            // A file that is not JSON is refused when the manifest is loaded.
            (domain.domain, (try? JSONValue(parsing: domain.association)) ?? .string(domain.association))
        }
        object["markets"] = .list(markets)
        object["locales"] = .list(locales)
        object["facts"] = .members(facts) { ($0.name, .object($0.json)) }
        object["preconditions"] = .members(preconditions) {
            ($0.name, ["holds": $0.holds.json, "flow": .string($0.flow)])
        }
        object["conditions"] = .members(conditions) {
            ($0.name, ["holds": $0.holds.json, "reason": .string($0.reason)])
        }
        object["tabs"] = .members(tabs) { ($0.id, .string($0.root)) }
        object["roots"] = .list(roots) { ["flow": .string($0.flow), "when": $0.when.json] }
        object["lock"] = lock.map { ["flow": .string($0.flow), "when": $0.when.json] }
        object["destinations"] = .members(destinations) { ($0.id, .object($0.json)) }
        object["routes"] = .list(routes) { .object($0.json) }
        object["flows"] = .members(flows) { ($0.name, .object($0.json)) }
        object["intents"] = .members(intents) { ($0.name, .object($0.json)) }
        object["configurations"] = .members(configurations) {
            ($0.name, ["canActivate": $0.canActivate.json, "prefers": $0.prefers.json])
        }
        object["adapters"] = .list(adapters) { .object($0.json) }
        object["notificationCategories"] = .members(notificationCategories) { ($0.id, .object($0.json)) }
        object["policies"] = [
            "whileGated": .string(policies.whileGated.rawValue), "maximumScenes": .integer(policies.maximumScenes),
            "maximumStackDepth": .integer(policies.maximumStackDepth),
        ]
        object["fallback"] = fallback.map {
            ["destination": .string($0.id), "parameters": .texts($0.parameters) ?? [:]]
        }
        return object
    }

    /// Tells this manifest from others that differ in anything: the digest of ``json``, 16 hexadecimal digits.
    package var digest: String {
        JSONValue.object(json).text().utf8.digest
    }
}

// MARK: - Lists and mappings

extension JSONValue {
    /// A list; `nil` for an empty one.
    fileprivate static func list<Element>(_ elements: [Element], _ json: (Element) -> JSONValue) -> JSONValue? {
        elements.isEmpty ? nil : .array(elements.map(json))
    }

    fileprivate static func list(_ texts: [String]) -> JSONValue? { list(texts, JSONValue.string) }

    /// A mapping in the order given; `nil` for an empty one.
    fileprivate static func members<Element>(
        _ elements: [Element],
        _ json: (Element) -> (String, JSONValue)
    ) -> JSONValue? {
        elements.isEmpty ? nil : .object(JSONObject(elements.map(json)))
    }

    /// A mapping of texts, sorted; `nil` for an empty one.
    fileprivate static func texts(_ texts: [String: String]) -> JSONValue? {
        members(texts.sorted { $0.key < $1.key }) { ($0.key, .string($0.value)) }
    }
}

// MARK: - Facts and predicates

extension FactValue {
    /// The value as JSON has it.
    package var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .boolean(let bool): .bool(bool)
        case .strings(let list): .array(list.map(JSONValue.string))
        }
    }
}

extension [String: FactValue] {
    /// The values by name, in the order of the names.
    package var json: JSONObject { JSONObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }) }
}

extension FactDeclaration {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["type": .string(type.rawValue), "scope": .string(scope.rawValue)]
        object["default"] = defaultValue.map(\.json)
        if isSecret { object["secret"] = true }
        return object
    }
}

extension FactPredicate {
    var json: JSONValue {
        switch self {
        case .always: "always"
        case .signedIn: "signedIn"
        case .freshSignIn: "freshSignIn"
        case .present(let fact): ["present": .string(fact)]
        case .compare(let fact, let comparison, let operand):
            .object(["fact": .string(fact), comparison.member: operand.json])
        case .contains(let fact, let operand): ["fact": .string(fact), "contains": operand.json]
        case .oneOf(let fact, let values):
            ["fact": .string(fact), "oneOf": .array(values.map(\.json))]
        case .appVersion(let comparison, let version):
            ["appVersion": .object([comparison.member: .string(version)])]
        case .period(let from, let until):
            [
                "period": .object(
                    JSONObject(
                        [("from", from), ("until", until)].compactMap { name, moment in
                            moment.map { (name, $0.json) }
                        }
                    )
                )
            ]
        case .all(let parts): ["all": .array(parts.map(\.json))]
        case .any(let parts): ["any": .array(parts.map(\.json))]
        case .not(let part): ["not": part.json]
        }
    }
}

extension FactPredicate.Moment {
    fileprivate var json: JSONValue {
        func relative(_ kind: String, _ name: String, _ offset: Duration) -> JSONValue {
            var object: JSONObject = [kind: .string(name)]
            if offset != .zero {
                object[offset < .zero ? "minus" : "plus"] = .string((offset < .zero ? .zero - offset : offset).words)
            }
            return .object(object)
        }
        return switch self {
        case .date(let seconds): .string(Instant.text(seconds))
        case .fact(let name, let offset): relative("fact", name, offset)
        case .parameter(let name, let offset): relative("parameter", name, offset)
        }
    }
}

extension FactPredicate.Comparison {
    /// The member of a manifest that asks for it.
    var member: String {
        switch self {
        case .equal: "equals"
        case .notEqual: "notEquals"
        case .less, .lessOrEqual, .greater, .greaterOrEqual: rawValue
        }
    }
}

extension FactPredicate.Operand {
    fileprivate var json: JSONValue {
        switch self {
        case .value(let value): value.json
        case .parameter(let name): ["parameter": .string(name)]
        }
    }
}

// MARK: - Destinations and routes

extension DestinationDeclaration {
    fileprivate var json: JSONObject {
        var object: JSONObject = [:]
        switch presentation {
        case .tab(let tab): object["tab"] = .string(tab)
        case .push: break
        case .modal(let style): object["presentation"] = .string(style.rawValue)
        }
        object["ancestry"] = isOverCurrent ? "current" : .list(ancestry)
        object["flow"] = flow.map(JSONValue.string)
        if repeats { object["repeats"] = true }
        object["parameters"] = .members(parameters) { ($0.name, .object($0.json)) }
        object["preconditions"] = .list(preconditions)
        object["conditions"] = .list(conditions)
        object["variants"] = .list(variants) { ["when": $0.when.json, "destination": .string($0.destination)] }
        return object
    }
}

extension ParameterDeclaration {
    fileprivate var json: JSONObject {
        var object = type.json
        if !isRequired, defaultValue == nil, variantDefaults.isEmpty { object["optional"] = true }
        object["default"] = defaultValue.map(JSONValue.string)
        object["defaults"] = .texts(variantDefaults)
        if isSecret { object["secret"] = true }
        return object
    }
}

extension ParameterType {
    fileprivate var json: JSONObject {
        switch self {
        case .string: return ["type": "string"]
        case .uuid: return ["type": "uuid"]
        case .date: return ["type": "date"]
        case .integer(let minimum, let maximum):
            var object: JSONObject = ["type": "integer"]
            object["minimum"] = minimum.map(JSONValue.integer)
            object["maximum"] = maximum.map(JSONValue.integer)
            return object
        case .oneOf(let words): return ["oneOf": .array(words.map(JSONValue.string))]
        case .pattern(let pattern): return ["pattern": .string(pattern)]
        case .list(let element):
            var object = element.json
            object["list"] = true
            return object
        }
    }
}

extension RouteDeclaration {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["pattern": .string(pattern), "destination": .string(destination)]
        object["parameters"] = .texts(parameters)
        object["markets"] = .list(markets)
        object["locales"] = .list(locales)
        if resolvesElsewhere { object["resolvesElsewhere"] = true }
        if ignoresCase { object["ignoresCase"] = true }
        if !isPrinted { object["printed"] = false }
        return object
    }
}

// MARK: - Flows and intents

extension FlowDeclaration {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["style": .string(style.rawValue)]
        object["screens"] = .list(screens) { screen in
            guard screen.hidesBack || !screen.parameters.isEmpty else { return .string(screen.id) }
            var object: JSONObject = ["id": .string(screen.id)]
            if screen.hidesBack { object["hidesBack"] = true }
            object["parameters"] = .members(screen.parameters) { ($0.name, .object($0.json)) }
            return .object(object)
        }
        object["start"] = .list(start) { ["when": $0.when.json, "screen": .string($0.screen)] }
        object["intents"] = .members(intents) { ($0.name, .object($0.json)) }
        if completionNeedsUser { object["completionNeedsUser"] = true }
        object["completion"] = .list(completion, \.json)
        object["result"] = .members(result) { ($0.name, .object($0.json)) }
        object["after"] = .members(after) { sequel in
            var object: JSONObject = [:]
            object["completed"] = .list(sequel.completed, \.json)
            object["cancelled"] = .list(sequel.cancelled, \.json)
            return (sequel.flow, .object(object))
        }
        return object
    }
}

extension IntentDeclaration {
    fileprivate var json: JSONObject {
        var object: JSONObject = [:]
        object["parameters"] = .members(parameters) { ($0.name, .object($0.json)) }
        object["screens"] = .list(screens)
        object["effects"] = .list(effects, \.json)
        return object
    }
}

extension ValueSource {
    var json: JSONValue {
        switch self {
        case .literal(let value): value.json
        case .parameter(let name): ["parameter": .string(name)]
        case .fact(let name): ["fact": .string(name)]
        }
    }
}

// MARK: - Windows, adapters and notifications

extension ContentPredicate {
    fileprivate var json: JSONValue {
        switch self {
        case .constant(let bool): .bool(bool)
        case .equals(let text): ["equals": .string(text)]
        case .beginsWith(let text): ["beginsWith": .string(text)]
        case .endsWith(let text): ["endsWith": .string(text)]
        case .contains(let text): ["contains": .string(text)]
        case .like(let text): ["like": .string(text)]
        case .all(let parts): ["all": .array(parts.map(\.json))]
        case .any(let parts): ["any": .array(parts.map(\.json))]
        case .not(let part): ["not": part.json]
        }
    }
}

extension AdapterDeclaration {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["name": .string(name), "priority": .integer(priority)]
        object["kinds"] = .array(kinds.map(JSONValue.string))
        object["when"] = .list(conditions) { condition in
            switch condition {
            case .present(let path): ["present": .string(path)]
            case .equals(let path, let values):
                ["path": .string(path), "oneOf": .array(values.map(JSONValue.string))]
            case .matches(let path, let pattern): ["path": .string(path), "matches": .string(pattern)]
            }
        }
        switch mapping {
        case .url(let template): object["url"] = .string(template)
        case .destination(let id, let parameters, let parametersFrom):
            object["destination"] = .string(id)
            object["parameters"] = .texts(parameters)
            object["parametersFrom"] = parametersFrom.map(JSONValue.string)
        case .handled: object["handled"] = true
        }
        object["user"] = user.map(JSONValue.string)
        return object
    }
}

extension NotificationCategory {
    fileprivate var json: JSONObject {
        var object: JSONObject = [:]
        if reportsDismissal { object["customDismissAction"] = true }
        object["user"] = user.map(JSONValue.string)
        object["presented"] = presented.map { .object($0.json) }
        object["dismissed"] = dismissed.map { .object($0.json) }
        object["actions"] = .members(actions) { ($0.id, .object($0.json)) }
        return object
    }
}

extension NotificationAction {
    fileprivate var json: JSONObject {
        var object: JSONObject = [:]
        if isForeground { object["foreground"] = true }
        if takesText { object["text"] = true }
        if needsAuthentication { object["authenticationRequired"] = true }
        if isDestructive { object["destructive"] = true }
        for (name, value) in intent?.json ?? [:] { object[name] = value }
        return object
    }
}

extension NotificationAction.Handover {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["intent": .string(name)]
        object["parameters"] = .texts(parameters)
        return object
    }
}
