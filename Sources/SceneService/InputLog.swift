internal import DequeModule
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
        let method: String
        /// The parameters as JSON text: as values they could take many times as much memory.
        let parameters: [UInt8]
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
    }

    private let countLimit: Int
    private let byteLimit: Int
    private let state = Guarded(State())

    init(countLimit: Int = 10_000, byteLimit: Int = 16 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// Logs a call, and later the error if it is refused.
    func append(_ request: VarlinkRequest, _ responder: VarlinkResponder, to host: SceneHost) {
        var parameters: [UInt8] = []
        JSONValue.object(request.parameters).write(to: &parameters)
        let id = host.records.host
        // All connections share the lock, so what is forgotten is freed outside it.
        let (index, forgotten): (Int, [Input]) = state.withLock { state in
            if state.host != id {
                // Forget the calls from before a reset: they cannot be played again in the new host.
                state.inputs = []
                state.bytes = 0
                state.host = id
                state.lastIndex = 0
            }
            state.lastIndex += 1
            let input = Input(
                index: state.lastIndex,
                time: host.uptime,
                connection: request.connection.id,
                call: request.number,
                method: request.call.method,
                parameters: parameters
            )
            state.inputs.append(input)
            state.bytes += input.size
            var forgotten: [Input] = []
            while state.inputs.count > countLimit || state.bytes > byteLimit, let oldest = state.inputs.popFirst() {
                state.bytes -= oldest.size
                forgotten.append(oldest)
            }
            return (state.lastIndex, forgotten)
        }
        withExtendedLifetime(forgotten) {}
        responder.onAnswer { [self] error in
            guard let error else { return }
            state.withLock { state in
                guard state.host == id, let first = state.inputs.first?.index, index >= first else { return }
                state.inputs[index - first].error = error
            }
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
