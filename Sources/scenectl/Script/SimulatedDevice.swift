internal import Basics
internal import CommandConsole
internal import SceneRouting
internal import SceneVocabulary
internal import StrictJSON

/// What is known of the simulator while a script is written: by it the first window is the app's launch, and the last one its end.
struct SimulatedDevice {
    /// The scenes whose windows are connected.
    private var windows: Set<String> = []
    /// How many were connected under a name of the daemon's.
    private var unnamed = 0

    enum Action {
        /// Lines of the shell, and what to know of them.
        case run([String], remarks: [String] = [])
        case byHand(String)
        case nothing(String)
    }

    /// What a step is on a simulator.
    /// - Parameter parameters: The step's, with values in place of placeholders.
    /// - Throws: What is wrong with the step.
    mutating func action(
        for step: ScriptStep,
        _ parameters: JSONObject,
        at place: String
    ) throws(CommandError) -> Action {
        try ScriptMethods.check(step, at: place)
        let reader = StepMembers(parameters: parameters, step: step, place: place)
        let (interface, method) = step.parts
        switch interface {
        case "Events": return try event(method, reader)
        case "Scenes": return try window(method, reader)
        case "Session": return try session(method, reader)
        case "Control": return try control(method, reader)
        default: return .nothing("It concerns the daemon only.")
        }
    }

    // MARK: - Events

    private func event(_ method: String, _ reader: StepMembers) throws(CommandError) -> Action {
        let scene = reader.text("scene").map { ["The system chooses the window; the script names '\($0)'."] } ?? []
        switch method {
        case "OpenURL":
            let remark =
                reader.text("sourceApplication").map {
                    ["No app is named as the one that opens it; the script names '\($0)'."]
                } ?? []
            return .run([Self.open(try reader.needed("url"))], remarks: scene + remark)
        case "OpenURLs":
            let urls = try reader.texts("urls")
            var order = Array(urls.indices)
            if let given = reader["order"]?.arrayValue?.compactMap(\.integerValue) {
                guard given.sorted() == urls.indices.map({ $0 + 1 }) else {
                    throw reader.expected("order", "the places 1 to \(urls.count), each once")
                }
                order = given.map { $0 - 1 }
            }
            return .run(
                order.map { Self.open(urls[$0]) },
                remarks: scene + ["They come one by one: the app does not get them as one set."]
            )
        case "ContinueActivity":
            let type = reader.text("activityType")
            guard type == "NSUserActivityTypeBrowsingWeb", let page = reader.text("webpageURL") else {
                return .byHand(
                    "continue the activity '\(reader.shown("activityType"))', from another device or by Siri, Spotlight or a drag"
                )
            }
            return .run([Self.open(page)], remarks: scene)
        case "Push": return try push(reader, remarks: scene)
        case "TapWidget":
            guard let url = reader.text("url"), !Self.isWeb(url) else {
                return .byHand("tap the widget '\(reader.shown("kind"))'")
            }
            return .run(
                [Self.open(url)],
                remarks: scene + ["Its widget hands this URL to the app as any other app would."]
            )
        case "PerformShortcut":
            return .byHand("press the app's icon for long, and choose the quick action '\(reader.shown("type"))'")
        case "SendIntent": return .byHand("do in \(reader.window) what reports '\(reader.shown("name"))'")
        case "Gesture":
            let what =
                switch reader.text("gesture").flatMap(Gesture.Name.init) {
                case .back: "tap the back button"
                case .swipeBack: "swipe back from the edge"
                case .dismiss: "tap the button that closes what is presented"
                case .swipeDown: "pull the sheet down"
                case .selectTab: "tap the tab '\(reader.shown("tab"))'"
                case nil: throw reader.expected("gesture", oneOf: Gesture.Name.self)
                }
            return .byHand("\(what) in \(reader.window)\(reader["cancelled"] == true ? ", but let go half way" : "")")
        case "FinishFlow":
            let user = reader.parameters["user"] == nil ? "" : " as '\(reader.shown("user"))'"
            let done = reader.text("result") == "cancelled" ? "cancel" : "complete"
            return .byHand("\(done) the flow '\(reader.shown("flow"))' in \(reader.window)\(user)")
        case "Get": return .nothing("simctl cannot say how an event stands.")
        default: throw reader.impossible("a simulator")
        }
    }

    /// What no URL has as it is, and no terminal should be shown, is sent as its percent encoding.
    private static func open(_ url: String) -> String {
        let sent = url.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: PercentEncoding.encode(String(scalar))
            default: String(scalar)
            }
        }
        return "simctl openurl \"$device\" \(sent.joined().shellWord)"
    }

    private static func isWeb(_ url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return scheme == "https" || scheme == "http"
    }

    /// As much as `simctl push` takes, in bytes.
    private static let largestPayload = 4096

    private func push(_ reader: StepMembers, remarks: [String]) throws(CommandError) -> Action {
        guard let payload = reader["payload"]?.objectValue else { throw reader.expected("payload", "an object") }
        if reader["voip"] == true { return .byHand("send the VoIP push; simctl sends none") }
        guard let aps = payload["aps"]?.objectValue else {
            return .byHand("send the push; simctl takes none without 'aps'")
        }
        if aps["content-state"] != nil { return .byHand("send the push of the Live Activity; simctl sends none") }
        let text = JSONValue.object(payload).text()
        guard text.utf8.count <= Self.largestPayload else {
            return .byHand("send the push; it has more than the \(Self.largestPayload) bytes that simctl takes")
        }
        // What the payload names goes before; without a name there, the argument says it.
        let bundle = payload["Simulator Target Bundle"] == nil ? " \"$bundle\"" : ""
        let send = ["simctl push \"$device\"\(bundle) - <<'PAYLOAD'", text, "PAYLOAD"]
        let then: String? =
            switch reader.text("interaction") {
            case "present": nil
            case "dismiss": "clear the notification from the list"
            case "action":
                "choose the notification's action '\(reader.shown("action"))'"
                    + (reader.parameters["text"] == nil ? "" : ", and type '\(reader.shown("text"))'")
            case "open": "tap the notification"
            case nil: aps["alert"] == nil ? nil : "tap the notification"
            default: throw reader.expected("interaction", "one of present, open, dismiss, action")
            }
        return .run(send + (then.map { ["by_hand \($0.shellWord)"] } ?? []), remarks: remarks)
    }

    // MARK: - Windows

    private static let launch = Action.run(["simctl launch \"$device\" \"$bundle\""])

    private mutating func window(_ method: String, _ reader: StepMembers) throws(CommandError) -> Action {
        let scene = reader.text("scene")
        let isOnly = windows.count + unnamed <= 1
        switch method {
        case "Connect":
            let isFirst = windows.isEmpty && unnamed == 0
            if let scene { windows.insert(scene) } else { unnamed += 1 }
            guard isFirst else {
                return .byHand(
                    "open another window of the app\(scene.map { _ in ", '\(reader.shown("scene"))'" } ?? "") (on an iPad)"
                )
            }
            guard reader["background"] != true else {
                return .byHand("have the system start the app in the background")
            }
            guard case .run(let lines, _) = Self.launch else { return Self.launch }
            return .run(
                lines,
                remarks: reader["window"] == nil
                    ? [] : ["The window to restore is what the app itself has kept, if anything."]
            )
        case "Disconnect", "Discard":
            if let scene, windows.remove(scene) != nil {} else { unnamed = max(0, unnamed - 1) }
            guard isOnly else { return .byHand("close \(reader.window)") }
            return .run(
                ["simctl terminate \"$device\" \"$bundle\""],
                remarks: ["The app ends with its last window, and so does what it keeps in memory."]
            )
        case "SetActivation":
            switch reader.text("activation").flatMap(Activation.init) {
            case .foregroundActive where isOnly, .foregroundInactive where isOnly: return Self.launch
            case .foregroundActive, .foregroundInactive: return .byHand("bring \(reader.window) to the front")
            case .background: return .byHand("go to the Home Screen")
            case .unattached: return .nothing("No simulator has such a state to be seen.")
            case nil: throw reader.expected("activation", oneOf: Activation.self)
            }
        case "Get", "List": return .byHand("compare what the app shows with what is expected")
        default: throw reader.impossible("a simulator")
        }
    }

    // MARK: - Session and control

    private func session(_ method: String, _ reader: StepMembers) throws(CommandError) -> Action {
        switch method {
        case "SignIn": return .byHand("sign in as '\(reader.shown("user"))'")
        case "SignOut": return .byHand("sign out")
        case "MarkStale": return .byHand("let the app's server refuse the user's token")
        case "Commit": return .byHand("bring the app's session to what the step says")
        case "Get": return .byHand("compare the app's session with what is expected")
        default: throw reader.impossible("a simulator")
        }
    }

    private mutating func control(_ method: String, _ reader: StepMembers) throws(CommandError) -> Action {
        switch method {
        case "Hold", "Await", "Release": return .nothing("Nothing can be held in a simulator.")
        case "Quiesce": return .byHand("wait until the app is at rest")
        case "Advance": return .nothing("A simulator's clock cannot be moved.")
        case "Reset":
            windows = []
            unnamed = 0
            return .byHand("delete the app, and install it again")
        default: throw reader.impossible("a simulator")
        }
    }
}
