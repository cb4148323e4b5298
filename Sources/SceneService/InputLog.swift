internal import DequeModule
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Basics
internal import Varlink

/// The calls that asked for a change, so that they can be played again. The newest are retained, bounded in number and bytes.
final class InputLog: Sendable {
    /// One call.
    struct Input: Sendable {
        let index: Int
        let time: Duration
        let connection: Int
        let call: Int
        /// How many records the host had made.
        let records: Int
        /// Whether nothing went on but what waited for a hold or for the clock.
        let isSettled: Bool
        /// Whether nothing went on.
        let isQuiet: Bool
        let method: String
        /// The parameters as JSON text: as values they could take many times as much memory.
        var parameters: [UInt8]
        /// Whether it is not known yet what in the parameters is secret.
        var isUndecided: Bool
        var error: String?

        /// How much memory it takes at most, in bytes: the text, and a constant for the rest.
        var size: Int { parameters.capacity + 512 }
    }

    private struct State {
        var inputs: Deque<Input> = []
        var bytes = 0
        /// The host whose calls these are. The index begins at 1 for each host.
        var host = ""
        var lastIndex = 0
        /// The indices of the calls of which it is not known yet what is secret.
        var undecided: [Call: Int] = [:]
        /// The calls that change the session and are not answered. Between its call and its commit nothing seems to go on.
        var committing: Set<Call> = []

        /// Replaces the parameters of the call at a position among those retained.
        mutating func replace(_ position: Int, by parameters: [UInt8]) {
            bytes -= inputs[position].size
            inputs[position].parameters = parameters
            inputs[position].isUndecided = false
            bytes += inputs[position].size
        }
    }

    /// A call's connection and its number there.
    private struct Call: Hashable {
        let connection: Int
        let number: Int
    }

    private let countLimit: Int
    private let byteLimit: Int
    private let state = Guarded(State())
    /// What stands for the secrets of earlier calls.
    private let known = KnownSecrets()

    init(countLimit: Int = 10_000, byteLimit: Int = 16 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// Logs a call, and later the error if it is refused.
    /// - Returns: The call's index.
    @discardableResult
    func append(_ request: VarlinkRequest, _ responder: VarlinkResponder, to host: SceneHost) -> Int {
        let method = request.call.method
        let name = String(method.dropFirst("io.scened.".count))
        let isUndecided = host.conceals && RecordedCall.waitsForAdapters(name)
        let id = host.records.host
        let recorded =
            host.conceals && !isUndecided ? RecordedCall(request.parameters, of: name, known, by: host) : nil
        let call = Call(connection: request.connection.id, number: request.number)
        let index = append(
            method,
            recorded?.parameters ?? request.parameters,
            of: call,
            isUndecided: isUndecided,
            to: host
        )
        // Nobody is answered whose connection has ended.
        responder.onClose { [self] in state.withLock { _ = $0.committing.remove(call) } }
        let placeholders = recorded?.placeholders ?? []
        responder.onAnswer { [self] error in
            // What was refused may have been anything.
            if error == nil, !placeholders.isEmpty { known.add(placeholders, of: id) }
            state.withLock { state in
                state.undecided[call] = nil
                state.committing.remove(call)
                guard let error, state.host == id, let first = state.inputs.first?.index, index >= first else { return }
                state.inputs[index - first].error = error
                // What was refused was not looked at to its end, and nobody plays it again.
                if host.conceals { state.replace(index - first, by: Array("{}".utf8)) }
            }
        }
        return index
    }

    /// Logs that a hold is released because its connection has ended.
    func append(releaseOf hold: String, connection: Int, to host: SceneHost) {
        let call = Call(connection: connection, number: 0)
        _ = append("io.scened.Control.Release", ["hold": .string(hold)], of: call, isUndecided: false, to: host)
    }

    /// - Returns: The call's index.
    private func append(
        _ method: String,
        _ values: JSONObject,
        of call: Call,
        isUndecided: Bool,
        to host: SceneHost
    ) -> Int {
        let id = host.records.host
        var parameters: [UInt8] = []
        JSONValue.object(values).write(to: &parameters)
        let (isSettled, isQuiet) = (host.isSettled, host.isQuiet)
        // All connections share the lock, so what is forgotten is freed outside it.
        let (index, forgotten): (Int, [Input]) = state.withLock { state in
            if state.host != id {
                // Forget the calls from before a reset: they cannot be played again in the new host.
                state.inputs = []
                state.undecided = [:]
                state.committing = []
                state.bytes = 0
                state.host = id
                state.lastIndex = 0
            }
            state.lastIndex += 1
            let input = Input(
                index: state.lastIndex,
                time: host.uptime,
                connection: call.connection,
                call: call.number,
                records: host.records.newestIndex,
                isSettled: isSettled && state.committing.isEmpty,
                isQuiet: isQuiet && state.committing.isEmpty,
                method: method,
                parameters: parameters,
                isUndecided: isUndecided
            )
            state.inputs.append(input)
            if isUndecided { state.undecided[call] = input.index }
            if method.hasPrefix("io.scened.Session.") { state.committing.insert(call) }
            state.bytes += input.size
            var forgotten: [Input] = []
            while state.inputs.count > countLimit || state.bytes > byteLimit, let oldest = state.inputs.popFirst() {
                state.bytes -= oldest.size
                state.undecided[Call(connection: oldest.connection, number: oldest.call)] = nil
                forgotten.append(oldest)
            }
            return (state.lastIndex, forgotten)
        }
        withExtendedLifetime(forgotten) {}
        return index
    }

    /// Adds parameters to a call that were given to it here.
    func add(_ given: JSONObject, to index: Int, of host: SceneHost) {
        state.withLock { state in
            guard state.host == host.records.host, let first = state.inputs.first?.index, index >= first,
                var parameters = (try? JSONValue(parsing: state.inputs[index - first].parameters))?.objectValue
            else { return }
            for (name, value) in given { parameters[name] = value }
            var written: [UInt8] = []
            JSONValue.object(parameters).write(to: &written)
            state.replace(index - first, by: written)
        }
    }

    /// Puts placeholders for the secrets that came with an event, now that the event is admitted.
    func decide(connection: Int, call number: Int, _ secrets: SentSecrets, of host: SceneHost) {
        let call = Call(connection: connection, number: number)
        let found: (index: Int, written: [UInt8])? = state.withLock { state in
            guard state.host == host.records.host, let index = state.undecided.removeValue(forKey: call),
                let first = state.inputs.first?.index, index >= first
            else { return nil }
            return (index, state.inputs[index - first].parameters)
        }
        // Work that grows with the call is done without the lock.
        guard let (index, written) = found, let parameters = (try? JSONValue(parsing: written))?.objectValue else {
            return
        }
        let recorded = RecordedCall(parameters, secrets, known, by: host)
        known.add(recorded.placeholders, of: host.records.host)
        var shown: [UInt8] = []
        JSONValue.object(recorded.parameters).write(to: &shown)
        state.withLock { state in
            guard state.host == host.records.host, let first = state.inputs.first?.index, index >= first else { return }
            state.replace(index - first, by: shown)
        }
    }

    /// The inputs after an index, oldest first.
    /// - Returns: The inputs, the index to pass as `after` next time, and how many of those asked for are no longer retained.
    func read(after: Int, limit: Int, of host: String) -> (inputs: [Input], next: Int, missing: Int) {
        state.withLock { state in
            guard state.host == host else { return ([], 0, 0) }
            let after = min(max(after, 0), state.lastIndex)
            let first = state.inputs.first?.index ?? state.lastIndex + 1
            let skipped = max(after + 1 - first, 0)
            let inputs = Array(state.inputs.dropFirst(skipped).prefix(limit))
            return (inputs, inputs.last?.index ?? after, max(first - after - 1, 0))
        }
    }
}
