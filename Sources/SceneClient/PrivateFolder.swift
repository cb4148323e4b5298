internal import Glibc
internal import Subprocess
internal import SystemPackage

/// A folder that only this user can read, for a daemon's socket and log.
///
/// A shell makes it, and removes it when a pipe ends, which comes also after SIGKILL. It learns the daemon's process ID from the
/// daemon's own process, before that becomes the daemon: whenever this process is killed, the shell knows what there is. (Of
/// PR_SET_PDEATHSIG the signal would come with the end of the thread that started the daemon, and leave the folder.)
struct PrivateFolder: Sendable {
    let path: String
    /// The other end of the shell's input.
    private let watch: Int32
    var socket: String { "\(path)/io.scened" }
    var log: String { "\(path)/log" }
    var notices: String { "\(path)/notify" }

    /// The longest path of a socket in bytes, `sun_path` of unix(7) without its end.
    private static let longest = 107
    /// How long a shell that is told to end may go on, which is as long as a daemon needs to stop.
    private static let patience = Duration.seconds(120)

    /// Makes and removes a folder whose path begins with `$1`; prints its path, or what is wrong.
    ///
    /// The shell locks it (flock(1)), and removes those that nobody locks: a crash of the machine left them, or whoever ended the shell
    /// as well. One that is taken for left before it is locked is made again. A call of the killed daemon that still goes on may put
    /// something into the folder; after that, nothing can.
    private static let watching = #"""
        trap '' TERM PIPE
        for left in "$1"-??????; do [ ! -O "$left" ] || flock -n "$left" rm -rf "$left"; done
        while
            folder=$(mktemp -d "$1-XXXXXX" 2>&1) || { printf %s "$folder"; exit 1; }
            command exec 9< "$folder" && flock 9
            [ ! -d "$folder" ]
        do :; done
        printf %s "$folder"
        exec >&-
        while read -r word; do daemon=$word; done
        [ -z "$daemon" ] || kill -KILL "$daemon"
        rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }
        """#

    /// Tells the shell its process ID, and becomes the daemon.
    private static let starting = #"echo $$ >&0; exec "$@" < /dev/null"#

    /// Makes a folder, and removes it when `body` has ended.
    /// - Throws: What `body` throws, or ``PrivateDaemonError/noFolder(reason:)``.
    static func during<Result: Sendable>(
        _ body: (PrivateFolder) async throws -> Result
    ) async throws -> Result {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let name = "scened-run"
        // mktemp(1) adds seven letters.
        let hasRoom = "\(parent)/\(name)-XXXXXX/io.scened".utf8.count <= longest
        let prefix = "\(hasRoom ? parent : "/tmp")/\(name)"
        let (ours, its) = try pipe()
        defer { close(ours) }
        var options = PlatformOptions()
        options.createSession = true
        // It ends when its input does. If this task is cancelled, that is when the daemon has ended.
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: patience)]
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = try await Subprocess.run(
                .path("/bin/sh"),
                arguments: ["-c", watching, "sh", prefix],
                platformOptions: options,
                input: .fileDescriptor(FileDescriptor(rawValue: its), closeAfterSpawningProcess: true),
                output: .sequence,
                error: .discarded
            ) { execution in
                // Its input ends, also for what would have it by mistake.
                defer { shutdown(ours, Int32(SHUT_RDWR)) }
                var said: [UInt8] = []
                for try await part in execution.standardOutput { said += part.withUnsafeBytes { Array($0) } }
                let path = String(decoding: said, as: UTF8.self)
                guard path.hasPrefix(prefix) else {
                    return .failure(PrivateDaemonError.noFolder(reason: "\(path); TMPDIR names another place"))
                }
                do {
                    return .success(try await body(PrivateFolder(path: path, watch: ours)))
                } catch {
                    return .failure(error)
                }
            }.closureResult
        } catch {
            throw PrivateDaemonError.notStarted(program: "/bin/sh", reason: "\(error)")
        }
        return try outcome.get()
    }

    private static func pipe() throws(PrivateDaemonError) -> (ours: Int32, its: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw .noFolder(reason: String(cString: strerror(errno)))
        }
        return (ends[0], ends[1])
    }

    // MARK: - The daemon in it

    /// The standard input with which ``command(_:)`` has to be started.
    var input: FileDescriptorInput {
        .fileDescriptor(FileDescriptor(rawValue: watch), closeAfterSpawningProcess: false)
    }

    /// What becomes the daemon.
    /// - Parameter words: The daemon's program and arguments.
    func command(_ words: [String]) -> [String] { ["/bin/sh", "-c", Self.starting, "sh"] + words }

    /// Says that the daemon has ended, so that nobody ends another process of the same number.
    func daemonHasEnded() {
        _ = send(watch, "\n", 1, Int32(MSG_NOSIGNAL))
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
