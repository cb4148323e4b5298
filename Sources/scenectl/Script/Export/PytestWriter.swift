internal import CommandConsole
internal import SceneRouting
internal import StrictJSON

/// The lines of a test for pytest.
struct PytestWriter {
    let secrets: ScriptSecrets
    var lines: [String] = []
    var imports: Set<String> = []
    var usesClock = false
    var quotes = false
    var names = SourceNames(.snake, reserved: Self.reserved)
    /// The variables of windows and of secrets, by what they are for.
    var windows: [String: String] = [:]
    var secretNames: [String: String] = [:]
    /// What is expected of events at the end.
    var ends: [(number: Int, step: ScriptStep, variable: String, isOfLibrary: Bool)] = []
    /// Whether nothing goes on.
    var isAtRest = true
    /// The holds that are blocks of the test, and how many it makes by calls of the client.
    var blocks: HoldBlocks
    var otherHolds = 0
    /// Where the script's clock stands, and whether the test's may be further.
    var time = 0
    var mayBeLater = false
    var comments: [String] = []

    init(_ steps: [ScriptStep], _ secrets: ScriptSecrets) {
        self.secrets = secrets
        blocks = HoldBlocks(steps)
        for placeholder in secrets.missing {
            let variable = secrets.variable(for: placeholder)
            let name = names.name(variable)
            secretNames[placeholder] = name
            lines.append(
                "\(name) = os.environ[\(SourceText.literal(variable, .python))]  # what \(placeholder) stands for"
            )
        }
    }

    static func comment(_ text: String) -> String { "# \(SourceText.line(text))" }

    // MARK: - Steps

    /// Adds a step, and the next if both are one call.
    /// - Returns: How many steps were added.
    mutating func add(
        _ step: ScriptStep,
        followedBy next: ScriptStep?,
        _ timing: TestTiming,
        number: Int,
        at place: String
    ) throws(CommandError) -> Int {
        try ScriptMethods.check(step, at: place)
        let parameters = secrets.filled(step.parameters)
        let reader = StepMembers(parameters: parameters, step: step, place: place)
        let (interface, method) = step.parts
        if let unknown = parameters.first(where: { ScriptMethods.all[interface]?[method]?.contains($0.key) != true })?
            .key
        {
            throw reader.impossible("pytest", "the package's method has no parameter '\(unknown)'")
        }
        let (first, depth) = (lines.count, blocks.open.count)
        defer { SourceText.indent(&lines, from: first, by: depth) }
        if !lines.isEmpty, blocks.open.last?.first != first { lines.append("") }
        lines.append(Self.comment("Step \(number): \(step.call)"))
        pass(timing.advance)
        if !isAtRest, !Self.waitsItself(step) {
            if timing.isQuiet { rest() } else if timing.isSettled { settle() }
        }
        let error = step.expect?["error"]?.stringValue
        if step.expect?["error"] != nil, error == nil { throw reader.impossible("pytest", "expect.error is no text") }
        if let error {
            try ScriptMethods.check(error: error, at: place)
            return try refused(error, step, parameters, number, reader)
        }
        isAtRest = false
        switch step.call {
        case _ where step.isEvent:
            try event(step, parameters, timing, number, reader)
        case "Scenes.Get", "Scenes.Connect", "Scenes.Disconnect", "Scenes.SetActivation":
            if let method = step.lifeMethod(with: next), let next, let scene = reader.text("scene") {
                lines.append(Self.comment("Step \(number + 1): \(next.call)"))
                let window = window(scene)
                lines.append("\(window).\(method)()")
                try expect(next.expect, of: window, at: place)
                return 2
            }
            try scene(step, parameters, timing, number, reader)
        case "Session.Get" where step.expect != nil: try session(step.expect ?? [:], at: place)
        case "Session.SignIn" where step.expect == nil, "Session.Commit" where step.expect == nil,
            "Session.SignOut" where step.expect == nil, "Session.MarkStale" where step.expect == nil:
            lines.append(sessionCall(method, ScriptStep.given(parameters), reader) ?? general(step, parameters))
        case "Control.Advance" where reader["milliseconds"]?.integerValue != nil && step.expect == nil:
            usesClock = true
            time += reader["milliseconds"]?.integerValue ?? 0
            lines.append("clock.advance(\(reader["milliseconds"]?.integerValue ?? 0))")
            isAtRest = true
        case "Control.Quiesce" where reader["scene"] == nil && step.expect == nil: rest()
        default:
            if try block(step, timing, number, reader) { break }
            if step.call == "Control.Hold" { otherHolds += 1 }
            if step.call == "Control.Release" { otherHolds = max(0, otherHolds - 1) }
            if step.call == "Scenes.Discard", !timing.isQuiet { rest() }
            guard let expect = step.expect else {
                lines.append(general(step, parameters))
                break
            }
            let reply = names.name("reply \(number)")
            lines.append("\(reply) = \(general(step, parameters))")
            try compare(.object(expect), with: reply, isOpen: false, at: place)
        }
        return 1
    }

    /// Whether the package's method waits until everything is done.
    static func waitsItself(_ step: ScriptStep) -> Bool {
        ["Scenes.Connect", "Scenes.Disconnect"].contains(step.call) && step.expect?["error"] == nil
    }

    mutating func rest() {
        lines.append("app.settle()")
        isAtRest = true
    }

    /// Waits until nothing goes on but what waits for a hold or for time.
    mutating func settle() {
        usesClock = true
        lines.append("clock.advance(0)")
        isAtRest = true
    }

    mutating func pass(_ milliseconds: Int) {
        time += milliseconds
        guard milliseconds > 0 else { return }
        usesClock = true
        // Where the test had to wait for what the script did not wait for, its clock is further.
        lines.append(mayBeLater ? "clock.advance(max(0, \(time) - clock.now))" : "clock.advance(\(milliseconds))")
        isAtRest = true
    }

    mutating func event(
        _ step: ScriptStep,
        _ parameters: JSONObject,
        _ timing: TestTiming,
        _ number: Int,
        _ reader: StepMembers
    ) throws(CommandError) {
        let waits = timing.isAwaited && otherHolds == 0
        let isExpected = step.expect != nil
        if let call = libraryCall(step, reader, waits: waits) {
            isAtRest = waits
            guard isExpected else { return lines.append(call) }
            let variable = names.name(Self.words[step.parts.method] ?? "event")
            lines.append("\(variable) = \(call)")
            ends.append((number, step, variable, true))
        } else {
            var parameters = parameters
            parameters["wait"] = "admitted"
            guard isExpected else { return lines.append(general(step, parameters)) }
            let variable = names.name("reply \(number)")
            lines.append("\(variable) = \(general(step, parameters))")
            ends.append((number, step, variable, false))
        }
    }

    mutating func scene(
        _ step: ScriptStep,
        _ parameters: JSONObject,
        _ timing: TestTiming,
        _ number: Int,
        _ reader: StepMembers
    ) throws(CommandError) {
        guard let scene = reader.text("scene") else {
            let reply = names.name("reply \(number)")
            lines.append("\(reply) = \(general(step, parameters))")
            if let expect = step.expect { try compare(.object(expect), with: reply, isOpen: false, at: reader.place) }
            return
        }
        let isKnown = windows[scene] != nil
        if ["Scenes.Connect", "Scenes.Disconnect"].contains(step.call), !timing.isQuiet, isKnown,
            blocks.holder(of: scene) == nil
        {
            lines.append("# The package waits here until everything is done, which the script did not.")
            mayBeLater = true
        }
        switch step.call {
        case "Scenes.Get": if step.expect == nil { return lines.append(general(step, parameters)) }
        case "Scenes.Disconnect": lines.append("\(window(scene)).disconnect()")
        case "Scenes.SetActivation":
            if let hold = blocks.holder(of: scene) {
                throw reader.impossible("pytest", "the call waits for the hold '\(hold)', which ends after it")
            }
            if !timing.isQuiet { rest() }
            isAtRest = false
            lines.append(general(step, parameters))
        default:
            let given = ScriptStep.given(parameters)
            let isPlain = given.keys.allSatisfy { $0 == "configuration" }
            if !isKnown, isPlain {
                let variable = names.name(scene, otherwise: "window")
                windows[scene] = variable
                let configuration = given["configuration"].map { ", configuration=\(value($0))" } ?? ""
                lines.append("\(variable) = app.window(\(value(.string(scene)))\(configuration))")
            } else {
                let variable = window(scene)
                lines.append("\(variable).connect(\(connecting(given)))")
            }
        }
        try expect(step.expect, of: window(scene), at: reader.place)
    }

    /// The arguments with which a window is connected again.
    mutating func connecting(_ given: JSONObject) -> String {
        given.map { name, value in
            name == "window" ? "restore=\(typed("window", value))" : "\(name)=\(typed(name, value))"
        }.joined(separator: ", ")
    }

    /// A call that has to be refused.
    mutating func refused(
        _ error: String,
        _ step: ScriptStep,
        _ parameters: JSONObject,
        _ number: Int,
        _ reader: StepMembers
    ) throws(CommandError) -> Int {
        if step.mayWaitForTime, !isAtRest { rest() }
        imports.insert(error)
        let expected = step.expect?["parameters"]?.objectValue ?? [:]
        let variable = expected.isEmpty ? nil : names.name("refused")
        let call = (step.isEvent ? libraryCall(step, reader, waits: true) : nil) ?? general(step, parameters)
        lines.append("with pytest.raises(\(error))\(variable.map { " as \($0)" } ?? ""):")
        lines.append("    \(call)")
        if let variable {
            try compare(.object(expected), with: "\(variable).value", isOpen: false, at: reader.place)
        }
        return 1
    }

    /// The variable of a window that was opened, or is named here for the first time.
    mutating func window(_ scene: String) -> String {
        if let variable = windows[scene] { return variable }
        let variable = names.name(scene, otherwise: "window")
        windows[scene] = variable
        lines.append("\(variable) = app.window(\(value(.string(scene))), connect=False)")
        return variable
    }
}
