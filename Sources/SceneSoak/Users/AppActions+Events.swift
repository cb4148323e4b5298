internal import Basics
internal import SceneRouting
internal import SceneVocabulary
internal import StrictJSON

/// Events from outside that the app's adapters take, and the actions of its notifications.
extension AppActions {
    /// A push: tapped, presented, silent, or answered by an action of its category.
    func push(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        if !manifest.notificationCategories.isEmpty, random.below(3) == 0 { return action(&user, &random) }
        let adapters = manifest.adapters(of: .push)
        let choice = random.below(10)
        if choice == 0 {
            let silent: JSONObject = ["payload": ["aps": ["content-available": 1]]]
            return EventCalls.inside(user, .push, "Push", silent)
        }
        var payload: JSONObject = [:]
        if !adapters.isEmpty {
            payload = members(for: random.pick(adapters), .push, &random)["payload"]?.objectValue ?? [:]
        }
        payload["aps"] = ["alert": "Have a look", "sound": "default"]
        if choice < 3 || adapters.isEmpty {
            return EventCalls.inside(user, .push, "Push", ["payload": .object(payload), "interaction": "present"])
        }
        user.state = .browsing
        return EventCalls.to(&user, .push, "Push", ["payload": .object(payload), "interaction": "open"])
    }

    /// An action of a notification, or its dismissal if the app hears of it.
    private func action(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        let category = random.pick(manifest.notificationCategories)
        var event: JSONObject = [:]
        let adapters = manifest.adapters(of: .push)
        let action = category.actions.isEmpty ? nil : random.pick(category.actions)
        if action?.isForeground ?? false, !adapters.isEmpty {
            event = members(for: random.pick(adapters), .push, &random)
        }
        if let path = category.user.flatMap(EventPath.init), random.below(3) > 0 {
            event = path.setting(.string(SessionCalls.name(user)), in: event)
        }
        for handover in category.handovers {
            guard let intent = manifest.intents.first(where: { $0.name == handover.name }) else { continue }
            let values = samples.parameters(intent.parameters, user: SessionCalls.name(user), &random) ?? [:]
            for (name, path) in handover.parameters.sorted(by: { $0.key < $1.key }) {
                guard let value = values[name], let path = EventPath(path) else { continue }
                event = path.setting(.string(value), in: event)
            }
        }
        var payload = event["payload"]?.objectValue ?? [:]
        payload["aps"] = ["alert": "Have a look", "category": .string(category.id)]
        var parameters: JSONObject = ["payload": .object(payload)]
        guard let action, random.below(4) > 0 else {
            // A dismissal of which the app does not hear never comes.
            parameters["interaction"] = category.reportsDismissal && random.below(2) == 0 ? "dismiss" : "present"
            return EventCalls.inside(user, .push, "Push", parameters)
        }
        parameters["interaction"] = "action"
        parameters["action"] = .string(action.id)
        if action.takesText { parameters["text"] = event["text"] ?? "Thanks" }
        return action.isForeground
            ? EventCalls.to(&user, .push, "Push", parameters) : EventCalls.inside(user, .push, "Push", parameters)
    }

    /// A widget, a Handoff, a Spotlight item or a quick action that one of the app's adapters takes; `nil` if none does.
    func event(_ kind: ActionKind, _ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall? {
        let adapters = manifest.adapters(of: kind)
        guard !adapters.isEmpty else { return nil }
        var parameters = members(for: random.pick(adapters), kind, &random)
        user.state = .browsing
        switch kind {
        case .widget:
            if parameters["kind"] == nil { parameters["kind"] = "widget" }
            return EventCalls.to(&user, kind, "TapWidget", parameters)
        case .shortcut:
            if parameters["type"] == nil { parameters["type"] = "shortcut" }
            return EventCalls.to(&user, kind, "PerformShortcut", parameters)
        default:
            if parameters["activityType"] == nil { parameters["activityType"] = "com.example.activity" }
            if kind == .handoff { parameters["handoff"] = true }
            return EventCalls.to(&user, kind, "ContinueActivity", parameters)
        }
    }

    /// The members of an event that an adapter takes, as its declaration says.
    private func members(for adapter: AdapterDeclaration, _ kind: ActionKind, _ random: inout SplitMix) -> JSONObject {
        var event = AdapterSample(adapter, members: AdapterDeclaration.members(of: adapter.kinds))
        switch adapter.mapping {
        case .url(let template):
            if let url = samples.links.isEmpty ? nil : random.pick(samples.links) { event.fill(template, with: url) }
        case .destination(let id, let parameters, let parametersFrom):
            let places = samples.places.filter { place in
                guard id.hasPrefix("{") else { return place.id == id }
                // Any place, if the event can name all of its parameters.
                return parametersFrom != nil || place.parameters.keys.allSatisfy { parameters[$0] != nil }
            }
            guard !places.isEmpty else { break }
            let place = random.pick(places)
            event.fill(id, with: place.id)
            for (name, template) in parameters.sorted(by: { $0.key < $1.key }) {
                if let value = place.parameters[name] { event.fill(template, with: value) }
            }
            if let parametersFrom { event.set(.object(JSONObject(texts: place.parameters)), at: parametersFrom) }
        case .handled: break
        }
        if let user = adapter.user, random.below(2) == 0 { event.set(.string("user-\(random.below(16))"), at: user) }
        return event.meetingConditions(&random)
    }
}

extension AppManifest {
    /// The adapters that take events of this kind of action.
    func adapters(of kind: ActionKind) -> [AdapterDeclaration] {
        adapters.filter { adapter in
            let isSpotlight = adapter.conditions.contains { condition in
                if case .equals("activityType", let types) = condition {
                    types.contains("com.apple.corespotlightitem")
                } else {
                    false
                }
            }
            return switch kind {
            case .push: adapter.kinds.contains("push")
            case .widget: adapter.kinds.contains("widget")
            case .shortcut: adapter.kinds.contains("shortcut")
            case .spotlight: adapter.kinds.contains("activity") && isSpotlight
            case .handoff: adapter.kinds.contains("activity") && !isSpotlight
            default: false
            }
        }
    }
}

/// An event under construction, so that an adapter takes it and makes of it what it should.
private struct AdapterSample {
    private let adapter: AdapterDeclaration
    /// The members that events of its kinds have; another name in braces is a capture.
    private let members: [String]
    private var event: JSONObject = [:]
    private var captures: [String: String] = [:]

    init(_ adapter: AdapterDeclaration, members: [String]) {
        self.adapter = adapter
        self.members = members
    }

    mutating func set(_ value: JSONValue, at path: String) {
        if let path = EventPath(path) { event = path.setting(value, in: event) }
    }

    /// Gives what stands in braces a value with which the template becomes `text`, as far as that is possible.
    mutating func fill(_ template: String, with text: String) {
        guard let pieces = try? BracedText.pieces(template) else { return }
        var rest = text[...]
        for piece in pieces {
            switch piece {
            case .literal(let literal): rest = rest.hasPrefix(literal) ? rest.dropFirst(literal.count) : rest
            case .braced(let name):
                let value = String(rest)
                rest = ""
                if EventPath(name).map({ members.contains($0.root) }) ?? false {
                    set(.string(value), at: name)
                } else {
                    captures[name] = value
                }
            }
        }
    }

    /// The event, with what the adapter's conditions ask for besides.
    func meetingConditions(_ random: inout SplitMix) -> JSONObject {
        var event = event
        for condition in adapter.conditions {
            switch condition {
            case .equals(let path, let texts):
                guard !texts.isEmpty, let path = EventPath(path) else { continue }
                event = path.setting(.string(random.pick(texts)), in: event)
            case .matches(let path, let pattern):
                guard let path = EventPath(path), let pieces = try? BracedText.pieces(pattern) else { continue }
                let text = pieces.map { piece in
                    switch piece {
                    case .literal(let literal): literal
                    case .braced(let name): captures[name] ?? "1"
                    }
                }.joined()
                event = path.setting(.string(text), in: event)
            case .present(let path):
                guard let path = EventPath(path), path.value(in: event) == nil else { continue }
                event = path.setting("1", in: event)
            }
        }
        return event
    }
}
