import Dispatch
import Interleaving
import Basics

/// Values collected from bodies, whichever thread they run on.
final class Collected<Element: Sendable>: Sendable {
    private let values = Guarded<[Element]>([])

    func append(_ value: Element) { values.withLock { $0.append(value) } }
    var count: Int { values.withLock { $0.count } }

    func takeAll() -> [Element] {
        values.withLock { values in
            defer { values = [] }
            return values
        }
    }
}

/// Waits until it is opened.
final class Gate: Sendable {
    private let state = Guarded<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Objects that outlive a body.
enum Held {
    static let continuation = Collected<AsyncStream<Int>.Continuation>()
}

func onThread(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: body)
}

/// Chooses uniformly, for tests that only need different orders.
struct RandomChoice: ExplorationStrategy {
    var generator = SplitMix(seed: 0)
    let name = "random-choice"

    mutating func begin(seed: UInt64, length: Int) {
        generator = SplitMix(seed: seed)
    }

    mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
        Int.random(in: 0..<choices.count, using: &generator)
    }
}
