internal import Foundation
internal import Glibc
package import StrictJSON

/// A process that a test starts, whose output is kept line by line.
///
/// It is spawned directly, with close-on-exec descriptors: processes that Foundation's `Process` starts at the same time can
/// inherit each other's pipes, and then do not see the end of their input.
package final class Command {
    private let identifier: Int32
    private let input: Int32
    private let output: Int32
    private var buffered: [UInt8] = []
    private var status: Int32?
    private var isInputOpen = true

    /// The program of this name: in `TEST_PROGRAMS`, where those are that ship, or else in the folder in which the tests were built.
    package static func built(_ name: String) -> String {
        if let folder = ProcessInfo.processInfo.environment["TEST_PROGRAMS"] {
            let shipped = URL(fileURLWithPath: folder).appendingPathComponent(name).path
            if access(shipped, X_OK) == 0 { return shipped }
        }
        return "\(folder)/\(name)"
    }

    /// The folder in which the tests were built.
    package static var folder: String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().path
    }

    /// The program for the tests of systemd.
    package static var probe: String { built("systemd-probe") }

    /// The words that run a command on a terminal of its own.
    ///
    /// No shell stays beside the command: Ctrl-C is for the whole foreground group, and dash, which script(1) starts where `SHELL` does
    /// not name another, ends by it whatever its command does.
    /// - Parameter command: a simple command, as a shell reads it.
    package static func onTerminal(_ command: String) -> [String] {
        ["script", "-qec", "exec \(command)", "/dev/null"]
    }

    /// Starts `arguments`, found by `PATH`. With `mergingErrors` both outputs are read as one.
    /// - Parameter given: a descriptor for its standard input, which is closed here afterwards; nothing can be sent then.
    package init(
        _ arguments: [String],
        environment: [String: String] = [:],
        mergingErrors: Bool = false,
        input given: Int32? = nil
    ) throws {
        let (inputEnd, input) = try Self.pipe()
        let (output, outputEnd) = try Self.pipe()
        defer {
            close(inputEnd)
            close(outputEnd)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, given ?? inputEnd, 0)
        defer { if let given { close(given) } }
        posix_spawn_file_actions_adddup2(&actions, outputEnd, 1)
        if mergingErrors { posix_spawn_file_actions_adddup2(&actions, outputEnd, 2) }

        // The threads of tests block some signals and ignore others, which a child should not inherit; a shell has what it starts in
        // the background ignore those of the keyboard, and nohup the one of a terminal that is gone.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGQUIT, SIGHUP] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var words = arguments.map { strdup($0) } + [nil]
        var assignments = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + assignments).forEach { free($0) } }
        var identifier: pid_t = 0
        let code = posix_spawnp(&identifier, arguments[0], &actions, &attributes, &words, &assignments)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
        self.identifier = identifier
        self.input = input
        self.output = output
    }

    deinit {
        if status == nil {
            kill(identifier, SIGTERM)
            end()
        }
        close(output)
    }

    /// The process ID.
    package var id: Int32 { identifier }

    /// The next line it prints, or `nil` at the end.
    package func line() -> String? {
        while true {
            if let end = buffered.firstIndex(of: 10) {
                defer { buffered.removeSubrange(...end) }
                return String(decoding: buffered[..<end], as: UTF8.self)
            }
            var more = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(output, &more, more.count)
            if count > 0 {
                buffered += more[..<count]
            } else if count == 0 || errno != EINTR {
                defer { buffered = [] }
                return buffered.isEmpty ? nil : String(decoding: buffered, as: UTF8.self)
            }
        }
    }

    /// Reads lines up to the first with `text` in it.
    /// - Returns: whether there was one.
    package func awaitLine(with text: String) -> Bool {
        while let line = line() {
            if line.contains(text) { return true }
        }
        return false
    }

    /// The next line as JSON.
    package func value() throws -> JSONValue {
        try JSONValue(parsing: line() ?? "")
    }

    /// Everything it prints until it ends, as one JSON value per line.
    package func values() throws -> [JSONValue] {
        var values: [JSONValue] = []
        while let line = line() { values.append(try JSONValue(parsing: line)) }
        return values
    }

    /// Writes to its standard input; does nothing if the process has ended.
    package func send(_ text: String) {
        signalsOff(SIGPIPE)
        _ = Array(text.utf8).withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    }

    /// Closes its standard input, waits until it ends and returns its exit status.
    @discardableResult
    package func end() -> Int32 {
        if let status { return status }
        if isInputOpen { close(input) }
        isInputOpen = false
        while line() != nil {}
        var code: Int32 = 0
        while waitpid(identifier, &code, 0) < 0 && errno == EINTR {}
        // As WEXITSTATUS does; for a signal as shells do.
        let result = code & 0x7F == 0 ? (code >> 8) & 0xFF : 128 + (code & 0x7F)
        status = result
        return result
    }

    package func signal(_ signal: Int32) {
        kill(identifier, signal)
    }

    /// A pair of sockets, because Swift does not see pipe2, which makes close-on-exec pipes.
    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
        return (ends[0], ends[1])
    }
}

/// Ignores a signal whose default disposition would end the test process.
package func signalsOff(_ number: Int32) {
    signal(number, SIG_IGN)
}
