internal import Glibc

/// How many files the process may have open. The usual soft limit is one for programs that call select(2), which this one
/// does not.
enum DescriptorLimit {
    /// Raises the soft limit as far as `wanted`, if the hard one allows it.
    /// - Returns: What it is then.
    @discardableResult
    static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let target = min(rlim_t(clamping: wanted), limit.rlim_max)
        guard limit.rlim_cur < target else { return Int(clamping: limit.rlim_cur) }
        let before = limit.rlim_cur
        limit.rlim_cur = target
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return Int(clamping: isRaised ? target : before)
    }
}
