internal import Basics

/// The values of secrets by their placeholders.
final class SecretMemory: Sendable {
    private struct State {
        var values: [String: String] = [:]
        /// The placeholders in the order in which they came; from `next` on they are forgotten in turn.
        var order: [String] = []
        var next = 0
    }

    /// How many are remembered.
    static let limit = 100_000
    private let state = Guarded(State())

    /// Remembers a value. An empty one is none, and stands for itself.
    func add(_ value: String, _ placeholder: String) {
        state.withLock { state in
            guard value != placeholder, state.values.updateValue(value, forKey: placeholder) == nil else { return }
            if state.order.count < Self.limit { return state.order.append(placeholder) }
            state.values[state.order[state.next]] = nil
            state.order[state.next] = placeholder
            state.next = (state.next + 1) % Self.limit
        }
    }

    /// The value for which a placeholder stands; `nil` if it is none of ours, or forgotten.
    func value(of placeholder: String) -> String? { state.withLock { $0.values[placeholder] } }
}
