/// Makes the run on this thread fail without ending its body; the first failure of a run counts.
///
/// For checks that do not throw, such as a test library's expectations.
/// - Returns: Whether a run was there to fail: false outside of an exploration.
@discardableResult
public func failRun(_ text: String) -> Bool {
    guard let simulator = Simulator.current else { return false }
    simulator.recordFailure(text)
    return true
}

/// Whether a simulation runs on this thread.
public var isSimulated: Bool { Simulator.current != nil }
