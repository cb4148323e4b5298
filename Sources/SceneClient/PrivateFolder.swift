internal import Glibc
internal import Subprocess
internal import SystemPackage

/// A folder that only this user can read, for a daemon's socket and log.
struct PrivateFolder: Sendable {
    let path: String
    var socket: String { "\(path)/io.scened" }
    var log: String { "\(path)/log" }
    var notices: String { "\(path)/notify" }

    /// The longest path of a socket in bytes, `sun_path` of unix(7) without its end.
    private static let longest = 107

    init() throws(PrivateDaemonError) {
        let usual = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let name = "scened-XXXXXX"
        let hasRoom = "\(usual)/\(name)/io.scened".utf8.count <= Self.longest
        var template = Array("\(hasRoom ? usual : "/tmp")/\(name)".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .noFolder(
                reason: "\(hasRoom ? usual : "/tmp"): \(String(cString: strerror(errno))); TMPDIR names another place"
            )
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the folder with what a daemon leaves in it.
    func remove() {
        for file in [socket, log, notices] { unlink(file) }
        rmdir(path)
    }

    /// A descriptor for the daemon's standard error.
    func openLog() throws(PrivateDaemonError) -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                FilePath(log),
                .writeOnly,
                options: [.create, .append, .closeOnExec],
                permissions: .ownerReadWrite
            )
        } catch {
            throw .noFolder(reason: "\(log): \(error)")
        }
    }

    /// The last lines of the log. In the message about a manifest each of its mistakes has a line of its own.
    var lastLines: String {
        let lines = Self.read(log, from: 0).replacing("\\n", with: "\n").split(separator: "\n")
        return lines.suffix(20).joined(separator: "\n")
    }

    /// What a file has after so many bytes; empty if it cannot be read.
    static func read(_ path: String, from position: Int) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        lseek(descriptor, off_t(position), SEEK_SET)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}

/// What ends a daemon, and removes its folder, whose process of origin has not: a shell that waits for the end of a pipe, which comes
/// also after SIGKILL. (PR_SET_PDEATHSIG would come with the end of the thread that started the daemon, and leave the folder.)
struct FolderWatch: Sendable {
    private static let script =
        #"read -r daemon; read -r ended || { [ -z "$daemon" ] || kill -KILL "$daemon"; rm -rf "$1"; }"#

    private let ours: Int32
    private let its: Int32

    init() throws(PrivateDaemonError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw .noFolder(reason: String(cString: strerror(errno)))
        }
        (ours, its) = (ends[0], ends[1])
    }

    /// Watches while `body` runs, and removes the folder then.
    func guarding<Result: Sendable>(
        _ folder: PrivateFolder,
        _ body: () async throws -> Result
    ) async throws -> Result {
        defer {
            close(ours)
            folder.remove()
        }
        var options = PlatformOptions()
        options.createSession = true
        let result: Swift.Result<Result, any Error>
        do {
            result = try await Subprocess.run(
                .path("/bin/sh"),
                arguments: ["-c", Self.script, "sh", folder.path],
                platformOptions: options,
                input: .fileDescriptor(FileDescriptor(rawValue: its), closeAfterSpawningProcess: true),
                output: .discarded,
                error: .discarded
            ) { _ in
                let result: Swift.Result<Result, any Error>
                do { result = .success(try await body()) } catch { result = .failure(error) }
                tell("ended")
                return result
            }.closureResult
        } catch {
            throw PrivateDaemonError.notStarted(program: "/bin/sh", reason: "\(error)")
        }
        return try result.get()
    }

    /// Tells the daemon's process ID, then that it has ended. Whoever has ended the watch does not want it.
    func tell(_ word: String) {
        let line = Array("\(word)\n".utf8)
        _ = line.withUnsafeBytes { send(ours, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}
