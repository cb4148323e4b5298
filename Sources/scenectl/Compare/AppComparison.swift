internal import CommandConsole
internal import Basics
internal import SceneClient
internal import SceneRouting
internal import SceneSoak
internal import StrictJSON

/// Two daemons that are sent the same calls, until they differ.
struct AppComparison: Sendable {
    let a: ComparedDaemon
    let b: ComparedDaemon

    /// How often time passes until both are quiet; after that they are compared as they are.
    private static let mostPauses = 24

    /// What is seen of both after some steps.
    struct Played: Sendable {
        var steps: [Step] = []
        /// The time after the last one, in milliseconds on a virtual clock.
        var now = 0
        /// How the events of A stood in the end, by their IDs.
        var receipts: [String: JSONObject] = [:]
        /// What of A was compared after the last step.
        var seen: JSONObject = [:]
        /// What differs after the last step; nothing as long as they are the same.
        var differences: [ComparedPart] = []

        var calls: [SoakCall] { steps.map(\.call) }

        /// Whether A has answered the last step of both alike: with the same error, or none, and its events with the same outcomes.
        func isAnswered(like other: Played) -> Bool {
            let (one, two) = (steps.last, other.steps.last)
            guard one?.refusal?["error"] == two?.refusal?["error"] else { return false }
            let outcomes = outcomes(of: one)
            return outcomes.isEmpty || outcomes == other.outcomes(of: two)
        }

        private func outcomes(of step: Step?) -> [JSONValue?] {
            (step?.call.events ?? []).compactMap { receipts[$0] }.map { $0["outcome"] }
        }
    }

    /// A step that was played.
    struct Step: Sendable {
        let call: SoakCall
        /// When, in milliseconds on a virtual clock.
        let at: Int
        /// With what A has refused it.
        var refusal: JSONObject?
    }

    /// Resets both, and plays steps until they differ or there are no more.
    /// - Parameters:
    ///   - seed: What is random in both daemons.
    ///   - next: The next step, after what is seen of A; `nil` at the end.
    func play(seed: Int, _ next: (_ scenes: [JSONValue]) -> SoakCall?) async throws -> Played {
        var played = Played()
        do {
            async let other: Void = b.reset(seed: seed)
            try await a.reset(seed: seed)
            try await other
            try await play(&played, next)
        } catch var lost as LostDaemon {
            lost.calls = played.calls
            throw lost
        }
        return played
    }

    private func play(_ played: inout Played, _ next: (_ scenes: [JSONValue]) -> SoakCall?) async throws {
        var secrets = SecretPairs()
        var watched: [String] = []
        var call: SoakCall?
        while true {
            var seen = try await take(call, watched, played)
            played.now += ComparedDaemon.pause
            var pauses = 0
            while !(seen.a.isQuiet && seen.b.isQuiet), pauses < Self.mostPauses {
                let before = seen
                seen = try await take(nil, watched + (call?.events ?? []), played)
                (seen.a.refusal, seen.b.refusal) = (before.a.refusal, before.b.refusal)
                (seen.a.unresolved, seen.b.unresolved) = (before.a.unresolved, before.b.unresolved)
                played.now += ComparedDaemon.pause
                pauses += 1
            }
            played.receipts.merge(seen.a.receipts) { $1 }
            if !played.steps.isEmpty { played.steps[played.steps.count - 1].refusal = seen.a.refusal }
            let (one, two) = (seen.a.compared, seen.b.compared)
            played.seen = one
            if one != two { played.differences = ComparedPart.different(one, two, &secrets) }
            guard played.differences.isEmpty else { return }
            watched = seen.a.openEvents
            guard let step = next(seen.a.scenes) else { return }
            played.steps.append(Step(call: step, at: played.now))
            if step.method == WalkStep.advance {
                played.now += step.parameters["milliseconds"]?.integerValue ?? 0
            }
            call = step
        }
    }

    /// - Parameter played: The steps up to this one.
    private func take(_ call: SoakCall?, _ watched: [String], _ played: Played) async throws -> (a: Sight, b: Sight) {
        let (number, last) = (played.steps.count, played.steps.last?.call)
        let step = { @Sendable in last.map { "; step \(number) is \(CallWords($0))" } ?? "" }
        async let other = b.take(call, watching: watched, step)
        let one = try await a.take(call, watching: watched, step)
        return (one, try await other)
    }

    /// Plays steps that are given.
    func play(_ calls: [SoakCall], seed: Int) async throws -> Played {
        var rest = calls[...]
        return try await play(seed: seed) { _ in rest.popFirst() }
    }

    /// The fewest of the steps after which they still differ, while A answers the last one as before, played once more. Otherwise
    /// another difference would often be smaller: two ways to refuse what nobody meant.
    /// - Parameter ends: Whether to be content with what has been found.
    func fewest(
        _ found: Played,
        seed: Int,
        until ends: () -> Bool
    ) async throws -> (played: Played, tries: Int) {
        let calls = found.calls
        func shows(_ calls: [SoakCall]) async throws -> Int? {
            let played = try await play(calls, seed: seed)
            return played.differences.isEmpty || !found.isAnswered(like: played) ? nil : played.steps.count
        }
        var fewest = try await FewestSteps(of: calls, until: ends, shows: shows)
        var tries = fewest.tries
        var plain = fewest.steps
        for (index, call) in fewest.steps.enumerated() where !ends() {
            for name in call.embellishments {
                var plainer = plain
                plainer[index] = plainer[index].setting(name, to: nil)
                tries += 1
                if try await shows(plainer) == plain.count { plain = plainer }
            }
        }
        if plain != fewest.steps {
            // A window that only they named is no longer needed.
            fewest = try await FewestSteps(of: plain, until: ends, shows: shows)
            tries += fewest.tries
        }
        let renumbered = try await play(Self.renumbered(fewest.steps), seed: seed)
        // What is chosen by an event's name may need the old one.
        return (renumbered.differences.isEmpty ? try await play(fewest.steps, seed: seed) : renumbered, tries)
    }

    /// The same steps, with events that are named after the step that sends them first.
    private static func renumbered(_ calls: [SoakCall]) -> [SoakCall] {
        var names: [String: String] = [:]
        return calls.enumerated().map { index, call in
            guard WalkStep.isEvent(call), let event = call.parameters["event"]?.stringValue else { return call }
            let name = names[event] ?? "step-\(index + 1)"
            names[event] = name
            return call.setting("event", to: .string(name))
        }
    }
}

extension SoakCall {
    /// The parameters without which it says much the same.
    fileprivate var embellishments: [String] {
        let names =
            switch method {
            case "io.scened.Scenes.Connect": ["configuration", "background"]
            case let method where method.hasPrefix("io.scened.Session."): ["scene"]
            default: [String]()
            }
        return names.filter { parameters[$0] != nil }
    }
}

/// A part of what is compared that differs.
struct ComparedPart: Hashable, Sendable {
    /// Where it is: `windows.one.window`.
    let place: String
    let path: [JSONDifference.Step]
    /// What A and B have there; `nil` for nothing.
    let a: JSONValue?
    let b: JSONValue?

    /// Every part that differs. A placeholder of a secret may stand for another if it always does.
    static func different(_ a: JSONObject, _ b: JSONObject, _ secrets: inout SecretPairs) -> [ComparedPart] {
        let (one, two) = (JSONValue.object(a), JSONValue.object(b))
        let parts = JSONDifference.between(one, two, &secrets).map { difference in
            ComparedPart(
                place: difference.place,
                path: difference.path,
                a: one.value(at: difference.path),
                b: difference.found
            )
        }
        // What only B has.
        var none = SecretPairs()
        let more = JSONDifference.between(two, one, &none).filter { $0.found == nil }.map { difference in
            ComparedPart(
                place: difference.place,
                path: difference.path,
                a: nil,
                b: two.value(at: difference.path)
            )
        }
        return parts + more.filter { part in !parts.contains { $0.place == part.place } }
    }

    /// What a daemon has, as people write it.
    static func text(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null?: "nothing"
        // A window that the other has not.
        case .object(let object)? where object["coordinators"] != nil && object["activation"] != nil:
            [
                object["activation"]?.stringValue,
                object["window"]?.objectValue.flatMap(WrittenValue.init).map { "\($0)" },
            ]
            .compactMap(\.self).joined(separator: ", ")
        case .object(let object)?: WrittenValue(object).map { "\($0)" } ?? JSONValue.object(object).text()
        case .string(let text)?: text.isEmpty ? "\"\"" : text
        case let value?: value.text()
        }
    }
}

extension JSONValue {
    fileprivate func value(at path: [JSONDifference.Step]) -> JSONValue? {
        path.reduce(self) { value, step in
            switch step {
            case .member(let name): value?[name]
            case .element(let index):
                value?.arrayValue.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        }
    }
}
