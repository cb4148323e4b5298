internal import SceneClient
internal import StrictJSON

/// Plays a script on a daemon, step by step, and compares the replies with the script's expectations.
struct ScriptPlayer {
    /// How time passes.
    enum Pace {
        /// The daemon's virtual clock is advanced to each step's time.
        /// - Parameter settles: Whether each step begins when nothing before it goes on but with time.
        case virtual(settles: Bool)
        /// The script's intervals divided by this.
        case real(speed: Double)
        /// No intervals: each step begins when everything before it is done.
        case restful
    }

    let pace: Pace
    /// What the script leaves out.
    let secrets: ScriptSecrets
    let connect: @Sendable () async throws -> SceneClient
    /// Called with each step and its result.
    let show: (_ step: ScriptStep, _ result: Result<JSONObject, SceneClientError>) -> Void

    /// What came otherwise than a script expects it.
    struct Difference: CustomStringConvertible {
        /// The number of the step, from 1.
        let step: Int
        /// What was called; `nil` if it is what goes before the step.
        let call: String?
        /// What differs.
        let text: String

        init(_ number: Int, _ step: ScriptStep?, _ text: String) {
            (self.step, call, self.text) = (number, step?.call, text)
        }

        var description: String { "step \(step)\(call.map { ", \($0)" } ?? ""): \(text)" }
    }

    /// How long to wait until everything is done, in milliseconds of real time.
    private static let patience = 10_000

    /// Whether the daemon's clock is virtual.
    static func isVirtual(_ client: SceneClient) async throws -> Bool {
        do throws(SceneClientError) {
            try await client.advance(by: .zero)
            return true
        } catch {
            // To a user who may not advance the clock it is a real one.
            switch error.refusal {
            case .realClock, .permissionDenied: return false
            default: throw error
            }
        }
    }

    /// Plays the steps.
    /// - Parameter begins: Where the script begins, in milliseconds as steps have it: at most the first step's time.
    /// - Returns: The differences from what was expected.
    func play(_ steps: [ScriptStep], from begins: Int) async throws -> [Difference] {
        let client = try await connect()
        let start = ContinuousClock.now
        var pairs = SecretPairs()
        var differences: [Difference] = []
        var events: [(number: Int, step: ScriptStep, events: [String])] = []
        var waiting: [(number: Int, step: ScriptStep, answer: Answer)] = []
        var now = begins
        // They are the connection's, and end with it.
        var holds: Set<String> = []
        // What holds have caught that no step has expected yet.
        var early: [String: [Result<JSONObject, SceneClientError>]] = [:]
        for (index, step) in steps.enumerated() {
            switch pace {
            case .virtual where step.at > now:
                try await client.advance(by: .milliseconds(step.at - now))
            case .real(let speed):
                try await Task.sleep(until: start + .seconds(Double(step.at - (steps.first?.at ?? 0)) / 1_000 / speed))
            case .virtual, .restful: break
            }
            now = step.at
            if step.isQuiet {
                try await rest(client, index, &differences)
            } else if case .restful = pace {
                try await rest(client, index, besides: holds, &differences)
            } else if step.isSettled || settlesAlways {
                try await settle(client, index, &differences)
            }
            let number = index + 1
            if step.mayWaitForTime, isVirtual || !holds.isEmpty {
                let answer = Answer(
                    Task { [connect, secrets] in await Self.perform(step, secrets, try await connect()) }
                )
                guard let result = try await answer.within(Self.moment) else {
                    waiting.append((number, step, answer))
                    continue
                }
                differences += try check(step, result, number, &pairs)
                continue
            }
            if step.call == "Control.Await", let hold = step.hold {
                var others = early[hold] ?? []
                let result = try await caught(step, client, index, pairs, &others, &differences)
                early[hold] = others
                differences += try check(step, result, number, &pairs)
                continue
            }
            let result = await Self.perform(step, secrets, client)
            if case .success(let reply) = result { Self.note(step, reply, &holds) }
            if step.call == "Control.Hold", let hold = step.hold { early[hold] = nil }
            if step.isEvent, step.expect?["error"] == nil, case .success(let reply) = result {
                show(step, result)
                events.append((number, step, Self.receipts(in: reply).compactMap { $0["event"]?.stringValue }))
            } else {
                differences += try check(step, result, number, &pairs)
            }
        }
        for (number, step, answer) in waiting {
            if let result = try await answer.within(.milliseconds(Self.patience)) {
                differences += try check(step, result, number, &pairs)
            } else if holds.isEmpty || step.expect != nil {
                differences.append(Difference(number, step, "not answered within \(Self.patience) ms"))
            }
        }
        try await rest(client, steps.count - 1, besides: holds, &differences)
        for (number, step, events) in events where step.expect != nil {
            var receipts: [JSONValue] = []
            for event in events {
                receipts.append(
                    try await client.call("io.scened.Events.Get", ["event": .string(event)])["receipt"] ?? .null
                )
            }
            let reply: JSONObject =
                step.isSet ? ["receipts": .array(receipts)] : ["receipt": receipts.first ?? .null]
            differences += JSONDifference.between(.object(step.expect ?? [:]), .object(reply), &pairs)
                .map { Difference(number, step, "\($0)") }
        }
        return differences
    }

    private var isVirtual: Bool { if case .virtual = pace { true } else { false } }

    private var settlesAlways: Bool { if case .virtual(settles: true) = pace { true } else { false } }

    /// Notes which holds stand after a step.
    private static func note(_ step: ScriptStep, _ reply: JSONObject, _ holds: inout Set<String>) {
        switch step.call {
        case "Control.Hold": if let hold = reply["hold"]?.stringValue { holds.insert(hold) }
        case "Control.Release": if let hold = step.parameters["hold"]?.stringValue { holds.remove(hold) }
        case "Control.Reset": holds = []
        default: break
        }
    }

    /// What a hold has caught that a step expects: windows come to it in any order.
    /// - Parameter others: What it has caught besides.
    private func caught(
        _ step: ScriptStep,
        _ client: SceneClient,
        _ index: Int,
        _ pairs: SecretPairs,
        _ others: inout [Result<JSONObject, SceneClientError>],
        _ differences: inout [Difference]
    ) async throws -> Result<JSONObject, SceneClientError> {
        if let fit = others.firstIndex(where: { Self.meets(step, $0, pairs) }) { return others.remove(at: fit) }
        var again = step
        while true {
            let result = await Self.perform(again, secrets, client)
            guard let expect = step.expect, expect["error"] == nil, !Self.meets(step, result, pairs) else {
                return result
            }
            guard case .success = result else { return others.isEmpty ? result : others.removeFirst() }
            others.append(result)
            // Then the others have come, too.
            try await settle(client, index, orAsleep: false, &differences)
            again.parameters["timeoutMilliseconds"] = 1
        }
    }

    /// The receipts in a reply: of one event, or of each of a set.
    private static func receipts(in reply: JSONObject) -> [JSONValue] {
        reply["receipts"]?.arrayValue ?? [reply["receipt"]].compactMap(\.self)
    }

    /// The differences between a reply and what its step expects.
    private func check(
        _ step: ScriptStep,
        _ result: Result<JSONObject, SceneClientError>,
        _ number: Int,
        _ pairs: inout SecretPairs
    ) throws -> [Difference] {
        show(step, result)
        switch result {
        case .success(let reply):
            guard let expect = step.expect else { return [] }
            return JSONDifference.between(.object(expect), .object(reply), &pairs).map {
                Difference(number, step, "\($0)")
            }
        case .failure(let error):
            guard case .refused(let name, let parameters) = error else { throw error }
            guard let expect = step.expect, expect["error"] != nil else {
                return [Difference(number, step, Advice.message(for: error))]
            }
            let word = name.split(separator: ".").last.map(String.init) ?? name
            let reply: JSONObject = ["error": .string(word), "parameters": .object(parameters)]
            return JSONDifference.between(.object(expect), .object(reply), &pairs).map {
                Difference(number, step, "\($0)")
            }
        }
    }

    /// How long a call takes at most that does not wait for the clock or for a hold, by far.
    private static let moment = Duration.milliseconds(500)

    /// Whether a reply is as its step expects it.
    private static func meets(
        _ step: ScriptStep,
        _ result: Result<JSONObject, SceneClientError>,
        _ pairs: SecretPairs
    ) -> Bool {
        guard case .success(let reply) = result, let expect = step.expect else { return false }
        var pairs = pairs
        return JSONDifference.between(.object(expect), .object(reply), &pairs).isEmpty
    }

    /// A reply that may come only after the clock was advanced, or a hold was released.
    private struct Answer: Sendable {
        let task: Task<Result<JSONObject, SceneClientError>, any Error>

        init(_ task: Task<Result<JSONObject, SceneClientError>, any Error>) { self.task = task }

        /// The reply, if it comes within this much real time.
        func within(_ limit: Duration) async throws -> Result<JSONObject, SceneClientError>? {
            let (stream, continuation) = AsyncStream<Bool>.makeStream()
            let first = Task {
                _ = try? await task.value
                continuation.yield(true)
            }
            let second = Task {
                try? await Task.sleep(for: limit)
                continuation.yield(false)
            }
            defer {
                first.cancel()
                second.cancel()
            }
            for await isThere in stream { return isThere ? try await task.value : nil }
            return nil
        }
    }

    /// Makes a step's call. It does not wait for events to settle, so that the next step is on time.
    private static func perform(
        _ step: ScriptStep,
        _ secrets: ScriptSecrets,
        _ client: SceneClient
    ) async -> Result<JSONObject, SceneClientError> {
        var parameters = secrets.filled(step.parameters)
        if step.isEvent { parameters["wait"] = .string(ReceiptStage.admitted.rawValue) }
        if step.waitsForOthers, parameters["timeoutMilliseconds"]?.isNull ?? true {
            parameters["timeoutMilliseconds"] = .integer(patience)
        }
        do throws(SceneClientError) {
            return .success(try await client.call(step.method, parameters))
        } catch {
            return .failure(error)
        }
    }

    /// Waits until everything is done.
    private func rest(_ client: SceneClient, _ index: Int, _ differences: inout [Difference]) async throws {
        do throws(SceneClientError) {
            try await client.quiesce(timeout: .milliseconds(Self.patience))
        } catch {
            guard error.refusal == .timedOut else { throw error }
            differences.append(Difference(index + 1, nil, "not quiet within \(Self.patience) ms"))
        }
    }

    /// Waits until everything is done in the windows in which these holds have caught nothing.
    private func rest(
        _ client: SceneClient,
        _ index: Int,
        besides holds: Set<String>,
        _ differences: inout [Difference]
    ) async throws {
        guard !holds.isEmpty else { return try await rest(client, index, &differences) }
        try await settle(client, index, orAsleep: false, &differences)
    }

    /// Waits until every window is quiet, held or, unless this is to be waited for, asleep.
    private func settle(
        _ client: SceneClient,
        _ index: Int,
        orAsleep: Bool = true,
        _ differences: inout [Difference]
    ) async throws {
        // It replies when nothing goes on but with time.
        guard !isVirtual else { return _ = try await client.advance(by: .zero) }
        let deadline = ContinuousClock.now + .milliseconds(Self.patience)
        for scene in try await client.scenes() {
            while try await !Self.rests(scene.id, client, orAsleep: orAsleep), try await !Self.isQuiet(scene.id, client)
            {
                guard .now < deadline else {
                    return differences.append(
                        Difference(index + 1, nil, "window '\(scene.id)' not quiet within \(Self.patience) ms")
                    )
                }
            }
        }
    }

    /// Whether a window is quiet now, or is so in a moment.
    private static func isQuiet(_ scene: String, _ client: SceneClient) async throws -> Bool {
        do throws(SceneClientError) {
            try await client.quiesce(scene: scene, timeout: .milliseconds(50))
            return true
        } catch {
            switch error.refusal {
            case .timedOut: return false
            // It was discarded.
            case .unknownScene: return true
            default: throw error
            }
        }
    }

    private static func rests(_ scene: String, _ client: SceneClient, orAsleep: Bool) async throws -> Bool {
        try await client.resting()?.contains { $0.scene == scene && ($0.hold != nil || orAsleep) } ?? true
    }
}
