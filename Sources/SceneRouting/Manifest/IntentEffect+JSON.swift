internal import SceneVocabulary
internal import StrictJSON

extension IntentEffect {
    /// The effect as a manifest file in JSON has it. One without a condition is written as short as it can be read.
    var json: JSONValue {
        guard case .when = self else { return object.word.map(JSONValue.string) ?? .object(object) }
        var (object, effect, conditions) = (unconditional.object, self, [FactPredicate]())
        while case .when(let condition, let inner) = effect {
            conditions.append(condition)
            effect = inner
        }
        object["when"] = conditions.count == 1 ? conditions[0].json : FactPredicate.all(conditions).json
        return .object(object)
    }

    /// The effect as a mapping, without its condition. What takes no value has none.
    private var object: JSONObject {
        switch self {
        case .route(let destination, let parameters):
            return Self.showing("route", destination, parameters)
        case .set(let fact, let source): return ["set": .string(fact), "value": source.json]
        case .append(let fact, let source): return ["append": .string(fact), "value": source.json]
        case .remove(let fact, let source): return ["remove": .string(fact), "value": source.json]
        case .add(let fact, let source): return ["add": .string(fact), "value": source.json]
        case .reset(let fact): return ["reset": .string(fact)]
        case .signOut: return ["signOut": .null]
        case .markStale: return ["markStale": .null]
        case .push(let screen, let parameters, let animated):
            return Self.move(Self.showing("push", screen, parameters), animated)
        case .replace(let screen, let parameters, let animated):
            return Self.move(Self.showing("replace", screen, parameters), animated)
        case .pop(1, let animated): return Self.move(["back": .null], animated)
        case .pop(let count, let animated): return Self.move(["pop": .integer(count)], animated)
        case .popTo(let screen, let animated): return Self.move([NavOp.Name.popTo.rawValue: .string(screen)], animated)
        case .popToRoot(let animated): return Self.move(["popToRoot": .null], animated)
        case .start(let flow, let parameters, let animated):
            return Self.move(Self.showing("start", flow, parameters), animated)
        case .complete(let user, let result):
            var members: JSONObject = [:]
            members["user"] = user.map(JSONValue.string)
            if !result.isEmpty { members["result"] = Self.sources(result) }
            return ["complete": members.isEmpty ? .null : .object(members)]
        case .cancel: return ["cancel": .null]
        case .answer(let values): return ["answer": Self.sources(values)]
        case .openWindow(let destination, let parameters, let configuration):
            var object = Self.showing("openWindow", destination, parameters)
            object["configuration"] = configuration.map(JSONValue.string)
            return object
        case .closeWindow: return ["closeWindow": .null]
        case .closeWindows(let destination, let parameters):
            return Self.showing("closeWindow", destination, parameters)
        case .refreshWindow: return ["refreshWindow": .null]
        case .refreshWindows(let destination, let parameters):
            return Self.showing("refreshWindow", destination, parameters)
        case .when(_, let effect): return effect.object
        }
    }
}

extension IntentEffect {
    private static func showing(_ name: String, _ id: String, _ parameters: [String: ValueSource]) -> JSONObject {
        var object: JSONObject = [name: .string(id)]
        if !parameters.isEmpty {
            object["parameters"] = sources(parameters)
        }
        return object
    }

    private static func sources(_ sources: [String: ValueSource]) -> JSONValue {
        .object(JSONObject(sources.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
    }

    private static func move(_ move: JSONObject, _ animated: Bool) -> JSONObject {
        var object = move
        if !animated { object["animated"] = false }
        return object
    }
}

extension JSONObject {
    /// The only key, if it says everything.
    fileprivate var word: String? {
        guard count == 1, let member = first(where: { _ in true }), member.value == .null else { return nil }
        return member.key
    }
}
