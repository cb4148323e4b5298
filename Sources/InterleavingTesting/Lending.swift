internal import CInterleaving

private typealias Operation = @Sendable () async throws -> Void

/// Lends a non-escaping closure to runs that may never end.
///
/// A run that ends in a deadlock leaks its frames, and they retain the closure although nothing will ever run them again, because the
/// simulation drops what is left of earlier runs. `withoutActuallyEscaping` would take that for an escape and trap, so the references of
/// such frames are released here. Everything else that held the closure is gone when `body` returns.
func lending(
    _ operation: @Sendable () async throws -> Void,
    to body: (@escaping @Sendable () async throws -> Void) async throws -> Void
) async throws {
    try await withoutActuallyEscaping(operation) { operation in
        let context = context(of: operation)
        let before = context.map { interleaving_retain_count($0) } ?? 0
        defer {
            if let context {
                for _ in before..<max(before, interleaving_retain_count(context)) {
                    interleaving_release(context)
                }
            }
        }
        try await body(operation)
    }
}

/// What a closure captured: the second of its two words.
private func context(of operation: @escaping Operation) -> UnsafeRawPointer? {
    struct Stored { let operation: Operation }
    return withUnsafeBytes(of: Stored(operation: operation)) { bytes in
        guard bytes.count == 2 * MemoryLayout<UInt>.size else { return nil }
        return bytes.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer?.self)
    }
}
