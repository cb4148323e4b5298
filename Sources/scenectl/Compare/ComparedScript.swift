internal import CommandConsole
internal import SceneClient
internal import SceneSoak
internal import StrictJSON

/// A difference as a script, which expects what A does: of each event how it stands in the end, and at last the windows, what each of them
/// shows, and the session. Where only B has something, it expects that there is nothing.
struct ComparedScript {
    private let steps: [ScriptStep]

    /// A script of what was played on A.
    init(_ played: AppComparison.Played, on a: ComparedDaemon) async throws {
        var seen = JSONValue.object(played.seen)
        // A window or an event that only B has is not asked for: the list of windows and A's refusal say that there is none. Nor are the
        // parameters of another error: A's has no such.
        for part in played.differences where part.a == nil && part.path.count > 2 {
            let isOfAnotherError = played.differences.contains { $0.path == [part.path[0], .member("error")] }
            if isOfAnotherError, part.path[1] == .member("parameters") { continue }
            seen = seen.setting(.null, at: part.path[...])
        }
        let expected = Expected(seen: seen, differences: played.differences.map(\.path))
        let end = a.isVirtual ? played.now : 0
        var steps = played.steps.enumerated().filter { $1.call.method != WalkStep.advance }.map { index, step in
            var parameters = step.call.parameters
            parameters["wait"] = nil
            let isLast = index == played.steps.count - 1
            return ScriptStep(
                at: a.isVirtual ? step.at : 0,
                call: String(step.call.method.dropFirst("io.scened.".count)),
                parameters: parameters,
                isQuiet: !a.isVirtual,
                expect: expected.reply(
                    to: step,
                    played.receipts,
                    refusal: isLast ? seen["refused"]?.objectValue : step.refusal
                )
            )
        }
        steps += Record.ending(expected.windows, expected.session, at: end)
        if let link = played.calls.last?.link,
            played.differences.contains(where: { $0.path.first == .member("resolve") })
        {
            steps.append(
                ScriptStep(
                    at: end,
                    call: String(Sight.resolving.dropFirst("io.scened.".count)),
                    parameters: ["url": .string(link)],
                    expect: seen["resolve"]?.objectValue.map(Expected.error) ?? ["resolution": [:]]
                )
            )
        }
        let names = (seen["windows"]?.objectValue ?? [:]).keys.map { JSONValue.object(["id": .string($0)]) }
        steps.append(ScriptStep(at: end, call: "Scenes.List", expect: ["scenes": .array(names)]))
        steps[0].start = a.isVirtual ? ComparedDaemon.start : nil
        steps[0].seed = try await a.answer { try await $0.seed() }
        steps[0].manifest = try await a.answer {
            try await $0.call("io.scened.Manager.GetStatus")["manifest"]?.stringValue
        }
        self.steps = steps
    }

    /// As a file has it: a step a line.
    var text: String { steps.map { JSONValue.object($0.json).text() + "\n" }.joined() }

    /// Plays it as `scenectl play --reset` does: what comes otherwise than it expects.
    /// - Parameter isJudged: Whether its expectations have to be possible in the daemon's app.
    func differences(on daemon: ComparedDaemon, named name: String, isJudged: Bool) async throws -> [String] {
        do {
            return try await daemon.conversation({ "; it plays \(name)" }) { client, conversation in
                do {
                    try await Play.check(steps, in: name, client, expectations: isJudged)
                    try await ScriptWindows.check(steps, in: name, client, resets: true)
                } catch let error as CommandError {
                    return [error.message]
                }
                _ = try await client.reset(seed: steps[0].seed, start: daemon.isVirtual ? steps[0].start : nil)
                let player = ScriptPlayer(
                    pace: daemon.isVirtual ? .virtual(settles: false) : .restful,
                    secrets: try ScriptSecrets([], for: steps, in: name),
                    connect: { try await conversation.connect() },
                    show: { _, _ in conversation.hear() }
                )
                return try await player.play(steps, from: daemon.isVirtual ? 0 : steps[0].at).map(\.description)
            }
        } catch var lost as LostDaemon {
            lost.script = name
            throw lost
        }
    }

    /// What is expected of replies, by what was seen of A.
    private struct Expected {
        let seen: JSONValue
        /// Where A and B differ.
        let differences: [[JSONDifference.Step]]

        /// The members in which the windows or events of this name differ.
        private func members(of kind: String, _ name: String) -> [String] {
            differences.compactMap { path in
                guard path.count > 2, path.starts(with: [.member(kind), .member(name)]),
                    case .member(let member) = path[2]
                else { return nil }
                return member
            }
        }

        /// A member as people write it, unless the difference is in what they leave out.
        private func written(_ member: String, _ value: JSONValue, of kind: String, _ name: String) -> JSONValue {
            let path: [JSONDifference.Step] = [.member(kind), .member(name), .member(member)]
            guard member == "window", let object = value.objectValue, let text = WrittenValue(object),
                !differences.contains(where: { $0.count > path.count && $0.starts(with: path) })
            else { return value }
            return .string("\(text)")
        }

        /// A refusal.
        static func error(_ refusal: JSONObject) -> JSONObject {
            let name = refusal["error"]?.stringValue ?? ""
            var expected: JSONObject = ["error": .string(name.split(separator: ".").last.map(String.init) ?? name)]
            if let parameters = refusal["parameters"]?.objectValue, !parameters.isEmpty {
                expected["parameters"] = .object(parameters)
            }
            return expected
        }

        func reply(to step: AppComparison.Step, _ all: [String: JSONObject], refusal: JSONObject?) -> JSONObject? {
            if let refusal { return Self.error(refusal) }
            let receipts = step.call.events.compactMap { event -> JSONValue? in
                guard let receipt = seen["events"]?[event]?.objectValue ?? all[event] else { return nil }
                var names = ["scene", "outcome", "reason", "answer"]
                for name in members(of: "events", event) where !names.contains(name) { names.append(name) }
                return .object(
                    JSONObject(
                        names.compactMap { name in
                            receipt[name].map { (name, written(name, $0, of: "events", event)) }
                        }
                    )
                )
            }
            guard let first = receipts.first else { return nil }
            return step.call.parameters["urls"] == nil ? ["receipt": first] : ["receipts": .array(receipts)]
        }

        var windows: [(id: String, expected: JSONObject)] {
            (seen["windows"]?.objectValue ?? [:]).map { id, window in
                var names = ["activation", "connected", "locked", "window", "parked"]
                for name in members(of: "windows", id) where !names.contains(name) { names.append(name) }
                let expected = names.compactMap { name -> (String, JSONValue)? in
                    guard let value = window[name] else { return name == "window" ? (name, .null) : nil }
                    return (name, written(name, value, of: "windows", id))
                }
                return (id, JSONObject(expected))
            }
        }

        var session: JSONObject {
            let session = seen["session"]?.objectValue ?? [:]
            return JSONObject(
                ["user", "stale", "facts"].map { ($0, session[$0] ?? .null) }
            )
        }
    }
}

extension JSONValue {
    /// The same with another value at a place, if there is something that can have it.
    fileprivate func setting(_ value: JSONValue, at path: ArraySlice<JSONDifference.Step>) -> JSONValue {
        guard let step = path.first else { return value }
        let rest = path.dropFirst()
        switch (step, self) {
        case (.member(let name), .object(var members)):
            members[name] = (members[name] ?? (rest.isEmpty ? .null : [:])).setting(value, at: rest)
            return .object(members)
        case (.element(let index), .array(var elements)) where elements.indices.contains(index):
            elements[index] = elements[index].setting(value, at: rest)
            return .array(elements)
        default: return self
        }
    }
}
