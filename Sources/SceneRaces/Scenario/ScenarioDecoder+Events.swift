internal import SceneEntryPoints
internal import SceneManifest
internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON

extension ScenarioDecoder {
    /// Reads a step that submits an event.
    mutating func submission(_ step: Part) -> (ScenarioStep.Action, String)? {
        let until = reader.choice(step.parts["until"], at: step.key("until"), of: ReceiptStage.self) ?? .settled
        // A step that is about nothing but its window has it as its value.
        let isOfWindow = step.verb == "back" || step.verb == "dismiss"
        var scene: String?
        if let node = isOfWindow ? step.value : step.parts["scene"] {
            scene = name(node, at: step.key(isOfWindow ? step.verb : "scene"), among: scenes, "window")
            if scene == nil { return nil }
        }
        let place = scene.map { " in \($0)" } ?? ""
        if step.verb == "openurl", case .list = step.value.value {
            guard let urls = urlSet(step) else { return nil }
            let names = urls.events.compactMap(\.targetContentIdentifier).map(shown).joined(separator: ", ")
            return (.submitSet(urls, scene: scene, until: until), "openurl \(names) at once\(place)")
        }
        if let kind = EntryKind(verb: step.verb) {
            guard let event = entryEvent(kind, step) else { return nil }
            return (.submit(.entry(event), scene: scene, until: until), event.phrase(shown) + place)
        }
        if scene == nil {
            reader.report(
                "'scene' is missing",
                at: step.key,
                step.value.place,
                expected: "the window in which it happens"
            )
            return nil
        }
        guard let (action, text) = sceneAction(step) else { return nil }
        return (.submit(.action(action), scene: scene, until: until), text + place)
    }

    /// A URL as reports show it, with placeholders for secrets.
    private func shown(_ url: String) -> String {
        guard app.hasSecrets, let engine = try? RoutingEngine(manifest: app, secrets: .shared) else { return url }
        return engine.concealed(url: url)
    }

    /// Reads URLs that are opened at once.
    private mutating func urlSet(_ step: Part) -> URLSet? {
        let key = step.key(step.verb)
        var urls: [String] = []
        for (index, node) in reader.list(step.value, at: key).enumerated() {
            guard let url = reader.text(node, at: "\(key)[\(index)]") else { return nil }
            urls.append(url)
        }
        let source = step.parts["sourceApplication"]
        do throws(JSONFieldError) {
            return try URLSet(
                urls,
                sourceApplication: source.flatMap { reader.text($0, at: step.key("sourceApplication")) }
            )
        } catch {
            reader.report("\(error.path): found \(error.found)", at: key, step.value.place, expected: error.expected)
            return nil
        }
    }

    private mutating func entryEvent(_ kind: EntryKind, _ step: Part) -> EntryEvent? {
        let key = step.key(step.verb)
        var json: JSONObject
        if kind == .url {
            guard let url = reader.text(step.value, at: key) else { return nil }
            json = ["url": .string(url)]
            json["sourceApplication"] = step.parts["sourceApplication"]?.json
        } else {
            guard let object = step.value.json.objectValue else {
                reader.report("is \(step.value.kind)", at: key, step.value.place, expected: "a mapping")
                return nil
            }
            // A payload alone is a push that was opened, or a silent one.
            json = kind == .push && object["payload"] == nil ? ["payload": .object(object)] : object
        }
        do throws(JSONFieldError) {
            return try EntryEvent(kind: kind, json: json)
        } catch {
            reader.report("\(error.path): found \(error.found)", at: key, step.value.place, expected: error.expected)
            return nil
        }
    }

    private mutating func sceneAction(_ step: Part) -> (SceneAction, String)? {
        let key = step.key(step.verb)
        guard let word = reader.text(step.value, at: key) else { return nil }
        switch step.verb {
        case "intent":
            // Several flows may declare one of the same name.
            let known = KnownNames((app.intents + app.flows.flatMap(\.intents)).map(\.name)).list
            guard name(step.value, at: key, among: known, "intent") != nil else { return nil }
            let intent = Intent(name: word, parameters: texts("parameters", of: step))
            let reporter = reader.text(step.parts["from"], at: step.key("from"))
            return (.intent(intent, from: reporter), "intent \(word)\(reporter.map { " from \($0)" } ?? "")")
        case "back": return (.gesture(.back), "back")
        case "dismiss": return (.gesture(.dismiss), "dismiss")
        case "tap":
            return name(step.value, at: key, among: app.tabs.map(\.id), "tab").map {
                (.gesture(.selectTab($0)), "tap \($0)")
            }
        case "swipe":
            let cancelled = reader.boolean(step.parts["cancelled"], at: step.key("cancelled")) ?? false
            guard let direction = name(step.value, at: key, among: ["back", "down"], "swipe") else { return nil }
            let gesture: Gesture =
                direction == "back" ? .swipeBack(cancelled: cancelled) : .swipeDown(cancelled: cancelled)
            return (.gesture(gesture), "swipe \(direction)\(cancelled ? ", cancelled" : "")")
        default:
            guard name(step.value, at: key, among: app.flows.map(\.name), "flow") != nil else { return nil }
            let result = reader.text(step.parts["result"], at: step.key("result")) ?? "completed"
            let user = user(step.parts["user"], at: step.key("user"))
            let facts = facts(step.parts["facts"], at: step.key("facts"))
            let values = texts("values", of: step)
            return read(step, key) { () throws(AdmissionError) in
                try SceneAction.finishFlow(word, result: result, user: user, facts: facts, values: values)
            }.map { ($0, "finish \(word) \(result)") }
        }
    }

    /// The texts of a member of a step, by name.
    private mutating func texts(_ member: String, of step: Part) -> [String: String] {
        let key = step.key(member)
        var texts: [String: String] = [:]
        for member in reader.named(step.parts[member], at: key) {
            texts[member.key] = reader.text(member.value, at: "\(key).\(member.key)")
        }
        return texts
    }

    private mutating func read(
        _ step: Part,
        _ key: String,
        _ make: () throws(AdmissionError) -> SceneAction
    ) -> SceneAction? {
        do throws(AdmissionError) {
            return try make()
        } catch {
            reader.report("\(error)", at: key, step.value.place)
            return nil
        }
    }
}

extension EntryKind {
    fileprivate init?(verb: String) {
        if verb == "openurl" {
            self = .url
        } else {
            self.init(rawValue: verb)
        }
    }
}

extension EntryEvent {
    /// The event in a few words.
    /// - Parameter shown: Says how a URL is shown.
    fileprivate func phrase(_ shown: (String) -> String) -> String {
        switch content {
        case .url(let open): "openurl \(shown(open.url))"
        case .activity(let activity): "activity \(activity.activityType)"
        case .push(let push): "push, \(push.interaction)"
        case .widget(let tap): "tap the widget \(tap.kind)"
        case .shortcut(let item): "quick action \(item.type)"
        }
    }
}
