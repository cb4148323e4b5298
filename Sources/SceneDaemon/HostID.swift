/// Makes IDs of hosts, which distinguish the records of different runs.
enum HostID {
    /// 128 random bits in hexadecimal. An ID is never made again: two histories of one ID would be read as one.
    static func make() -> String {
        (0..<2).map { _ in
            let half = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - half.count) + half
        }.joined()
    }
}
