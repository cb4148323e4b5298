#if canImport(UIKit) && !os(watchOS)
    internal import SceneEntryPoints
    internal import SceneNavigation
    internal import SceneRouting
    internal import SceneRuntime
    internal import StrictJSON

    // Events as the calls of the socket API that bring a daemon the same.
    extension EntryKind {
        /// The call that injects such an event; its parameters are the event's JSON.
        var call: String {
            switch self {
            case .url: "Events.OpenURL"
            case .activity: "Events.ContinueActivity"
            case .push: "Events.Push"
            case .widget: "Events.TapWidget"
            case .shortcut: "Events.PerformShortcut"
            }
        }
    }

    extension SceneAction {
        /// The call that does the same, with its parameters but for the scene.
        var call: (call: String, parameters: JSONObject) {
            switch self {
            case .intent(let intent, let reporter):
                var parameters: JSONObject = ["name": .string(intent.name)]
                if !intent.parameters.isEmpty {
                    parameters["parameters"] = .object(JSONObject(texts: intent.parameters))
                }
                parameters["from"] = reporter.map(JSONValue.string)
                return ("Events.SendIntent", parameters)
            case .gesture(let gesture):
                var parameters: JSONObject = ["gesture": .string(gesture.name.rawValue)]
                if case .selectTab(let tab) = gesture { parameters["tab"] = .string(tab) }
                if gesture.isCancelled { parameters["cancelled"] = true }
                return ("Events.Gesture", parameters)
            case .finishFlow(let flow, .cancelled):
                return ("Events.FinishFlow", ["flow": .string(flow), "result": "cancelled"])
            case .finishFlow(let flow, .completed(let completion)):
                var parameters: JSONObject = ["flow": .string(flow), "result": "completed"]
                parameters["user"] = completion.user.map(JSONValue.string)
                if !completion.facts.isEmpty { parameters["facts"] = .object(completion.facts.json) }
                if !completion.values.isEmpty { parameters["values"] = .object(JSONObject(texts: completion.values)) }
                return ("Events.FinishFlow", parameters)
            }
        }
    }

    extension JSONObject {
        /// Texts by name, in the order of the names.
        fileprivate init(texts: [String: String]) {
            self.init(texts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) })
        }
    }
#endif
