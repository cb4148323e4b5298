internal import Glibc

/// What `/proc` says about a process on this machine.
struct ProcessStatus: Hashable, Sendable {
    /// Resident memory, in bytes.
    let resident: Int?
    let threads: Int?
    let descriptors: Int?

    /// The status of a process; `nil` if there is none or this user may not see it.
    static func of(_ process: Int) -> ProcessStatus? {
        guard let text = read("/proc/\(process)/status") else { return nil }
        func number(_ key: String) -> Int? {
            for line in text.split(separator: "\n") where line.hasPrefix(key + ":") {
                return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
            }
            return nil
        }
        return ProcessStatus(
            resident: number("VmRSS").map { $0 * 1_024 },
            threads: number("Threads"),
            descriptors: entries("/proc/\(process)/fd")
        )
    }

    /// Fills in what the daemon did not report.
    func write(to sample: inout SoakSample) {
        sample.resident = sample.resident ?? resident
        sample.threads = sample.threads ?? threads
        sample.descriptors = sample.descriptors ?? descriptors
    }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0, bytes.count < 65_536 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk.prefix(count)
        }
    }

    private static func entries(_ path: String) -> Int? {
        guard let directory = opendir(path) else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return max(0, count - 2)
    }
}
