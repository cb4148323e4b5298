/// Values in the order first added, each once, so that many rows can share one by its position.
struct UniqueList<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var positions: [Value: Int32] = [:]

    /// The position of `value`, which is added if it is new.
    mutating func position(of value: Value) -> Int32 {
        if let known = positions[value] { return known }
        let new = Int32(values.count)
        positions[value] = new
        values.append(value)
        return new
    }

    @inline(__always)
    subscript(position: Int32) -> Value { values[Int(position)] }
}
