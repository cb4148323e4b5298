#if canImport(UIKit) && !os(watchOS)
    /// Runs what it is given on the main actor, as part of it: an actor with this executor and the main actor are one domain, so that
    /// a scene and UIKit see each other's state without waiting.
    final class MainExecutor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) { MainActor.shared.enqueue(UnownedJob(job)) }

        func asUnownedSerialExecutor() -> UnownedSerialExecutor { MainActor.sharedUnownedExecutor }
    }

    /// Takes what is no `Sendable` out of a synchronous section of the main actor, in which its caller is, too.
    ///
    /// `@unchecked`: it is made and opened by the same thread, one after the other.
    struct Carried<Value>: @unchecked Sendable {
        let value: Value
    }
#endif
