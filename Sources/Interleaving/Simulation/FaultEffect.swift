/// What a fault does.
enum FaultEffect {
    case cancel(UnsafeRawPointer)
    case hold(executor: Int, nanoseconds: Int64)
    case jump(nanoseconds: Int64)

    /// What a person reads of it.
    var note: String {
        switch self {
        case .cancel: "is cancelled"
        case .hold(_, let nanoseconds): "is kept waiting for \(Duration.nanoseconds(nanoseconds))"
        case .jump(let nanoseconds): "the clocks jump by \(Duration.nanoseconds(nanoseconds))"
        }
    }
}

/// A serial executor that does nothing for a while.
struct HeldExecutor {
    let executor: Int
    /// In virtual time.
    let until: Int64
}
