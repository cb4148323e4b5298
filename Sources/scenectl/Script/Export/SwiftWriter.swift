internal import CommandConsole
internal import SceneRouting
internal import StrictJSON

/// The lines of a test for Swift Testing.
struct SwiftWriter {
    let secrets: ScriptSecrets
    var lines: [String] = []
    var quotes = false
    var checksRefusals = false
    var names = SourceNames(.camel, reserved: Self.reserved)
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

    init(_ steps: [ScriptStep], _ secrets: ScriptSecrets) {
        self.secrets = secrets
        blocks = HoldBlocks(steps)
        for placeholder in secrets.missing {
            let variable = secrets.variable(for: placeholder)
            let name = names.name(variable)
            secretNames[placeholder] = name
            let literal = SourceText.literal(variable, .swift)
            lines.append(
                "let \(name) = try #require(ProcessInfo.processInfo.environment[\(literal)])  // what \(placeholder) stands for"
            )
        }
    }

    static func comment(_ text: String) -> String { "// \(SourceText.line(text))" }

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
        if step.expect?["error"] == nil { try ScriptMethods.check(step, at: place) }
        let parameters = secrets.filled(step.parameters)
        let reader = StepMembers(parameters: parameters, step: step, place: place)
        let (first, depth) = (lines.count, blocks.open.count)
        defer { SourceText.indent(&lines, from: first, by: depth) }
        if !lines.isEmpty, blocks.open.last?.first != first { lines.append("") }
        lines.append(Self.comment("Step \(number): \(step.call)"))
        pass(timing.advance)
        if !isAtRest, !Self.waitsItself(step) {
            if timing.isQuiet { rest() } else if timing.isSettled { settle() }
        }
        let error = step.expect?["error"]?.stringValue
        if step.expect?["error"] != nil, error == nil { throw reader.impossible("Swift", "expect.error is no text") }
        if let error {
            try ScriptMethods.check(error: error, at: place)
            return try refused(step, parameters, number, reader)
        }
        isAtRest = false
        switch step.call {
        case _ where step.isEvent: event(step, parameters, timing, number, reader)
        case "Scenes.Get", "Scenes.Connect", "Scenes.Disconnect", "Scenes.SetActivation", "Scenes.Discard":
            if let method = step.lifeMethod(with: next), let next, let scene = reader.text("scene") {
                lines.append(Self.comment("Step \(number + 1): \(next.call)"))
                lines.append("try await \(window(scene)).\(method)()")
                try expect(next.expect, of: window(scene), number, at: place)
                return 2
            }
            try scene(step, parameters, timing, number, reader)
        case "Session.Get" where step.expect != nil: try session(step.expect ?? [:], number, at: place)
        case "Session.SignIn" where step.expect == nil, "Session.Commit" where step.expect == nil,
            "Session.SignOut" where step.expect == nil, "Session.MarkStale" where step.expect == nil:
            let given = ScriptStep.given(parameters)
            lines.append(
                sessionCall(step.parts.method, given, reader).map { "try await \($0)" }
                    ?? "_ = \(general(step, parameters))"
            )
        case "Control.Advance" where reader["milliseconds"]?.integerValue != nil && step.expect == nil:
            time += reader["milliseconds"]?.integerValue ?? 0
            lines.append("try await app.clock.advance(by: .milliseconds(\(reader["milliseconds"]?.integerValue ?? 0)))")
            isAtRest = true
        case "Control.Quiesce" where reader["scene"] == nil && step.expect == nil: rest()
        default:
            if try block(step, timing, number, reader) { break }
            if step.call == "Control.Hold" { otherHolds += 1 }
            if step.call == "Control.Release" { otherHolds = max(0, otherHolds - 1) }
            try other(step, parameters, number, reader)
        }
        return 1
    }

    /// Whether the library's method waits until everything is done.
    static func waitsItself(_ step: ScriptStep) -> Bool {
        ["Scenes.Connect", "Scenes.Disconnect", "Scenes.Discard"].contains(step.call) && step.expect?["error"] == nil
    }

    mutating func rest() {
        lines.append("try await app.settle()")
        isAtRest = true
    }

    /// Waits until nothing goes on but what waits for a hold or for time.
    mutating func settle() {
        lines.append("try await app.clock.advance(by: .zero)")
        isAtRest = true
    }

    mutating func pass(_ milliseconds: Int) {
        time += milliseconds
        guard milliseconds > 0 else { return }
        // Where the test had to wait for what the script did not wait for, its clock is further.
        lines.append(
            mayBeLater
                ? "try await app.clock.advance(by: max(.zero, .milliseconds(\(time)) - app.clock.now))"
                : "try await app.clock.advance(by: .milliseconds(\(milliseconds)))"
        )
        isAtRest = true
    }

    /// A call of the client, and what is expected of its reply.
    mutating func other(_ step: ScriptStep, _ parameters: JSONObject, _ number: Int, _ reader: StepMembers)
        throws(CommandError)
    {
        guard let expect = step.expect, !expect.isEmpty else {
            return lines.append("_ = \(general(step, parameters))")
        }
        let reply = names.name("reply \(number)")
        lines.append("let \(reply) = \(general(step, parameters))")
        try compare(.object(expect), with: reply, isOptional: false, at: reader.place)
    }

    mutating func event(
        _ step: ScriptStep,
        _ parameters: JSONObject,
        _ timing: TestTiming,
        _ number: Int,
        _ reader: StepMembers
    ) {
        let waits = timing.isAwaited && otherHolds == 0
        if let call = libraryCall(step, reader, waits: waits) {
            isAtRest = waits
            guard step.expect != nil else { return lines.append("try await \(call)") }
            let variable = names.name(PytestWriter.words[step.parts.method] ?? "event")
            lines.append("let \(variable) = try await \(call)")
            ends.append((number, step, variable, true))
        } else {
            var parameters = parameters
            parameters["wait"] = "admitted"
            guard step.expect != nil else { return lines.append("_ = \(general(step, parameters))") }
            let variable = names.name("reply \(number)")
            lines.append("let \(variable) = \(general(step, parameters))")
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
        guard let scene = reader.text("scene") else { return try other(step, parameters, number, reader) }
        let given = ScriptStep.given(parameters)
        if Self.waitsItself(step), !timing.isQuiet, windows[scene] != nil, blocks.holder(of: scene) == nil {
            lines.append("// The library waits here until everything is done, which the script did not.")
            mayBeLater = true
        }
        switch step.call {
        case "Scenes.Get": if step.expect == nil { return lines.append("_ = \(general(step, parameters))") }
        case "Scenes.Disconnect": lines.append("try await \(window(scene)).disconnect()")
        case "Scenes.Discard":
            lines.append("try await \(window(scene)).discard()")
            if step.expect != nil { leaveOut("the window as it was when it was discarded") }
            return
        case "Scenes.SetActivation":
            if let hold = blocks.holder(of: scene) {
                throw reader.impossible("Swift", "the call waits for the hold '\(hold)', which ends after it")
            }
            if !timing.isQuiet { rest() }
            isAtRest = false
            lines.append("_ = \(general(step, parameters))")
        default:
            let isPlain = given.keys.allSatisfy { $0 == "configuration" } && given.hasOnlyTexts
            let configuration = given["configuration"].map { "configuration: \(text($0))" }
            if windows[scene] == nil, isPlain {
                open(scene, configuration.map { ", \($0)" } ?? "")
            } else if windows[scene] != nil, isPlain {
                lines.append("try await \(window(scene)).connect(\(configuration ?? ""))")
            } else {
                lines.append("_ = \(general(step, parameters))")
            }
        }
        try expect(step.expect, of: window(scene), number, at: reader.place)
    }

    /// A call that has to be refused.
    mutating func refused(
        _ step: ScriptStep,
        _ parameters: JSONObject,
        _ number: Int,
        _ reader: StepMembers
    ) throws(CommandError) -> Int {
        if step.mayWaitForTime, !isAtRest { rest() }
        checksRefusals = true
        let variable = names.name("refused")
        let call =
            (step.isEvent ? libraryCall(step, reader, waits: true) : nil).map { "_ = try await \($0)" }
            ?? "_ = \(general(step, parameters))"
        lines += ["let \(variable) = await #expect(throws: SceneClientError.self) {", "    \(call)", "}"]
        var expect = step.expect ?? [:]
        expect = JSONObject(expect.filter { $0.key == "error" || $0.key == "parameters" }.map { ($0.key, $0.value) })
        try compare(.object(expect), with: "refusal(\(variable))", isOptional: false, at: reader.place)
        return 1
    }

    /// The variable of a window that was opened, or is there and gets one here.
    mutating func window(_ scene: String) -> String {
        if let variable = windows[scene] { return variable }
        return open(scene, "")
    }

    @discardableResult
    mutating func open(_ scene: String, _ more: String) -> String {
        let variable = names.name(scene, otherwise: "window")
        windows[scene] = variable
        lines.append("let \(variable) = try await app.window(\(SourceText.literal(scene, .swift))\(more))")
        return variable
    }
}

extension JSONObject {
    /// Whether all its members are texts.
    fileprivate var hasOnlyTexts: Bool { allSatisfy { $0.value.stringValue != nil } }
}
