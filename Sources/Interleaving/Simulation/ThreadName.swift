internal import CInterleaving

enum ThreadName {
    /// The name of this thread, as the system shows it, in quotes.
    static var current: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            guard let base = buffer.baseAddress else { return "“”" }
            interleaving_thread_name(base, Int32(buffer.count))
            return "“\(String(cString: base))”"
        }
    }
}
