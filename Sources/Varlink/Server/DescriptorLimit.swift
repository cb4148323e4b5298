internal import Glibc

/// How many files the process may have open. The usual soft limit of 1,024 is for programs that call select(2).
package enum DescriptorLimit {
    /// The soft limit.
    package static var inForce: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the soft limit to `wanted`, or as far as the hard limit allows.
    package static func raise(to wanted: Int) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let target = min(rlim_t(clamping: wanted), limit.rlim_max)
        guard limit.rlim_cur < target else { return }
        limit.rlim_cur = target
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many files are open; `nil` if the system does not tell, as when no more can be opened.
    package static var open: Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            if entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
        }
        // One of them reads the directory.
        return max(0, count - 1)
    }

    /// How many more files can be opened.
    package static var free: Int { open.map { max(0, inForce - $0) } ?? 0 }
}
