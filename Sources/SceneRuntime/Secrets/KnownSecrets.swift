internal import Basics
internal import DequeModule

/// What stands for the secrets that came with the newest calls to a host, at most 10,000 of them.
package final class KnownSecrets: Sendable {
    private struct State {
        var host = ""
        var all: Set<String> = []
        /// Those of ``all`` in the order in which they came.
        var order: Deque<String> = []
    }

    private static let limit = 10_000
    private let state = Guarded(State())

    package init() {}

    /// Adds those of a call to a host, and forgets those of another.
    package func add(_ placeholders: Set<String>, of host: String) {
        state.withLock(for: .read) { state in
            if state.host == host, placeholders.isSubset(of: state.all) { return }
            self.state.report(.write)
            if state.host != host { state = State(host: host) }
            for placeholder in placeholders.sorted() where state.all.insert(placeholder).inserted {
                state.order.append(placeholder)
            }
            while state.order.count > Self.limit, let oldest = state.order.popFirst() { state.all.remove(oldest) }
        }
    }

    /// Those among `placeholders` that are known.
    func contained(in placeholders: some Collection<String>) -> Set<String> {
        state.read { state in Set(placeholders.filter(state.all.contains)) }
    }
}
