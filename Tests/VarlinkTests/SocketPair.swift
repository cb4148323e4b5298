import Glibc

/// Two connected Unix sockets, bare.
enum SocketPair {
    struct Failure: Error {}

    static func make() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw Failure() }
        return (ends[0], ends[1])
    }

    static func write(_ end: CInt) {
        _ = [UInt8(1)].withUnsafeBytes { Glibc.write(end, $0.baseAddress, 1) }
    }

    static func close(_ end: CInt) { _ = Glibc.close(end) }
}
