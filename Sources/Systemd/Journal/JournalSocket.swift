internal import CSystemd
internal import Glibc

/// journald's native socket.
package enum JournalSocket {
    /// Its path, which is fixed in libsystemd.
    package static let path = "/run/systemd/journal/socket"

    /// Whether a journald listens there. If none does, libsystemd drops entries and reports success.
    package static var isReachable: Bool { isReachable(at: path) }

    static func isReachable(at path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            // The path must end with a NUL.
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { return false }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Sends one entry; blocks while journald does not read.
    /// - Returns: 0 or an `errno` value.
    @Sendable
    package static func send(_ entry: JournalEntry) -> Int32 {
        entry.bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return EINVAL }
            return withUnsafeTemporaryAllocation(of: iovec.self, capacity: entry.ends.count) { vectors in
                var start = 0
                for (index, end) in entry.ends.enumerated() {
                    // The C type is not const, but libsystemd only reads.
                    vectors.initializeElement(
                        at: index,
                        to: iovec(iov_base: UnsafeMutableRawPointer(mutating: base + start), iov_len: end - start)
                    )
                    start = end
                }
                let result = sd_journal_sendv(vectors.baseAddress, Int32(vectors.count))
                return result < 0 ? -result : 0
            }
        }
    }
}
