internal import Glibc

/// Reads and writes the files of a soak. A file is written under another name and then renamed, so that it is never incomplete.
/// Only its owner may read it, because it can contain what users typed.
package enum SoakFolder {
    /// Why a file could not be read or written.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let path: String
        /// The system's error and what to do, as a phrase without a full stop.
        package let reason: String

        package var description: String { "\(path): \(reason)" }
    }

    /// Writes a file, or leaves the existing one unchanged.
    package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let beside = "\(path).\(getpid()).part"
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        do throws(Failure) {
            defer { close(descriptor) }
            try write(bytes, to: descriptor, named: path)
            // Some file systems report a full disk only here.
            guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw failure(path, errno) }
        } catch {
            unlink(beside)
            throw error
        }
        guard rename(beside, path) == 0 else {
            let problem = errno
            unlink(beside)
            throw failure(path, problem)
        }
    }

    /// Writes all bytes to an open file.
    static func write(_ bytes: [UInt8], to descriptor: Int32, named path: String) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path, errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads a file of at most 512 MiB, far more than a month of ten-second intervals.
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unread(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unread(path, errno) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= 512 << 20 else {
                throw Failure(path: path, reason: "more than 512 MiB cannot be a soak")
            }
        }
    }

    /// Prepares a folder for a soak, which is created if necessary.
    /// - Parameter replaces: Whether the files of an earlier soak are removed; otherwise the folder may have none.
    package static func prepare(_ path: String, replaces: Bool) throws(Failure) {
        try make(path)
        let earlier = try names(in: path).filter(isOfSoak)
        guard let example = earlier.first else { return }
        guard replaces else {
            let reason =
                "it holds an earlier soak (\(example)); give another folder, or remove that soak with --replace"
            throw Failure(path: path, reason: reason)
        }
        for name in earlier where unlink("\(path)/\(name)") != 0 && errno != ENOENT {
            throw failure("\(path)/\(name)", errno)
        }
    }

    /// Whether a soak writes files of this name.
    private static func isOfSoak(_ name: String) -> Bool {
        let evidence = [".records.jsonl", ".script.jsonl", ".html"]
        return [SoakReport.page, SoakReport.run, SoakReport.latency, IntervalFile.name].contains(name)
            || name.hasPrefix(EvidenceFiles.violations) && evidence.contains(where: name.hasSuffix)
            || SoakFault.Kind.allCases.contains { name == EvidenceFiles.page(of: $0) }
    }

    /// The names in a folder, in order.
    private static func names(in path: String) throws(Failure) -> [String] {
        guard let stream = opendir(path) else { throw failure(path, errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                names.append(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            }
        }
        return names.sorted()
    }

    /// Whether there is a folder at this path.
    static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    /// Makes a folder and those above it, unless they exist.
    static func make(_ path: String) throws(Failure) {
        var built = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            built += built.isEmpty || built.hasSuffix("/") ? String(part) : "/\(part)"
            guard mkdir(built, 0o777) == 0 || errno == EEXIST else {
                let problem = errno
                // Some systems of files take no folders, and say that there is none.
                throw problem == ENOENT
                    ? Failure(path: built, reason: "no folder can be made there") : failure(built, problem)
            }
        }
        guard isFolder(path.isEmpty ? "." : path) else { throw failure(path, ENOTDIR) }
    }

    /// What keeps a file from being read.
    private static func unread(_ path: String, _ problem: Int32) -> Failure {
        switch problem {
        case EACCES, EPERM: failure(path, problem, "expected a soak that you may read")
        case ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP:
            failure(path, problem, "give the folder that was written with --out, or a soak.json")
        default: failure(path, problem, nil)
        }
    }

    private static func failure(_ path: String, _ problem: Int32, _ advice: String?) -> Failure {
        var reason = String(cString: strerror(problem))
        reason = reason.prefix(1).lowercased() + reason.dropFirst()
        return Failure(path: path, reason: advice.map { "\(reason); \($0)" } ?? reason)
    }

    /// What keeps a file or a folder from being written.
    static func failure(_ path: String, _ problem: Int32) -> Failure {
        let advice: String? =
            switch problem {
            case ENOSPC, EDQUOT: "make room there, or give another folder with --out"
            case EACCES, EPERM, EROFS: "give a folder you may write to with --out"
            case ENOTDIR, EISDIR, EEXIST, ENOTEMPTY: "something else has that name; give another folder with --out"
            default: nil
            }
        return failure(path, problem, advice)
    }
}
