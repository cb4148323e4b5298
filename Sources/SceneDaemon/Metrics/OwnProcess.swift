internal import Glibc
internal import SceneService
internal import Varlink

/// The resources that this process uses, from `/proc`.
enum OwnProcess {
    static var usage: ProcessUsage {
        var usage = ProcessUsage()
        usage.processID = Int(getpid())
        if let text = read("/proc/self/status") {
            usage.residentBytes = number("VmRSS", text).map { $0 * 1_024 }
            usage.threads = number("Threads", text)
        }
        usage.openDescriptors = DescriptorLimit.open
        var times = rusage()
        if getrusage(RUSAGE_SELF.rawValue, &times) == 0 {
            let seconds = times.ru_utime.tv_sec + times.ru_stime.tv_sec
            usage.processorMilliseconds = seconds * 1_000 + (times.ru_utime.tv_usec + times.ru_stime.tv_usec) / 1_000
        }
        return usage
    }

    private static func number(_ key: String, _ text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix(key + ":") {
            return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
        }
        return nil
    }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // The kernel writes at most a page.
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
