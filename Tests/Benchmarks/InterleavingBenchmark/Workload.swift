import Glibc
import Interleaving

/// A body to explore, that passes in every order.
struct Workload: Sendable {
    let name: String
    /// How many schedules per second the portfolio should reach.
    let goal: Double?
    let body: @Sendable () async throws -> Void

    static let all = [
        Workload(name: "12 steps", goal: 200_000, body: { await add(tasks: 2, hops: 4) }),
        Workload(name: "112 steps", goal: 20_000, body: { await add(tasks: 10, hops: 10) }),
    ]

    /// Four tasks that each take a lock three times.
    static let locks = Workload(name: "12 locks", goal: nil) {
        let balance = Balance()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<3 { balance.add(1) } }
            }
        }
    }

    private final class Balance: @unchecked Sendable {
        // Sendable: the mutex guards it.
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private var balance = 0

        init() { pthread_mutex_init(mutex, nil) }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }

        func add(_ value: Int) {
            pthread_mutex_lock(mutex)
            balance += value
            pthread_mutex_unlock(mutex)
        }
    }

    private actor Account {
        private let executor = SimulatedExecutor(name: "account")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        var balance = 0
        func add(_ value: Int) { balance += value }
    }

    /// Tasks that hop between two accounts and do nothing else, so that the hop is measured.
    private static func add(tasks: Int, hops: Int) async {
        let accounts = (Account(), Account())
        await withTaskGroup { group in
            for _ in 0..<tasks {
                group.addTask {
                    for _ in 0..<(hops / 2) {
                        await accounts.0.add(1)
                        await accounts.1.add(1)
                    }
                }
            }
        }
    }
}
