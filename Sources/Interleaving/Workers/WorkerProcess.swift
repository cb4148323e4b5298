internal import CInterleaving
internal import Glibc

/// A process that was forked from the thread of a simulation, and what it has said so far.
final class WorkerProcess {
    private let id: pid_t
    private let result: CInt
    private let error: CInt
    private var resultIsOpen = true
    private var errorIsOpen = true
    /// What it wrote as result, and on its standard error, of that not more than the end.
    private(set) var output: [UInt8] = []
    private(set) var complaints: [UInt8] = []
    private var isWaitedFor = false

    /// How a process ended.
    enum End: Equatable {
        case exited(CInt)
        case signal(CInt)
    }

    private final class Body {
        let body: (WorkerResult) -> Void
        init(_ body: @escaping (WorkerResult) -> Void) { self.body = body }
    }

    /// - Parameter body: What it does; it gets what to write its result with.
    /// - Throws: ``ExplorationError/noProcess(errorNumber:)``
    init(_ body: @escaping (WorkerResult) -> Void) throws(ExplorationError) {
        var worker = interleaving_worker()
        let body = Body(body)
        let failure = withExtendedLifetime(body) {
            interleaving_start_worker(
                { context, result in
                    Unmanaged<Body>.fromOpaque(context).takeUnretainedValue().body(WorkerResult(file: result))
                },
                Unmanaged.passUnretained(body).toOpaque(),
                &worker
            )
        }
        guard failure == 0 else { throw .noProcess(errorNumber: failure) }
        id = worker.process
        result = worker.result
        error = worker.error
    }

    deinit {
        if !isWaitedFor {
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }
        if resultIsOpen { close(result) }
        if errorIsOpen { close(error) }
    }

    /// Whether it may still say something.
    var isOpen: Bool { resultIsOpen || errorIsOpen }

    /// What to poll for; closed ends have no number that a poll looks at.
    var polled: [pollfd] {
        [
            pollfd(fd: resultIsOpen ? result : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errorIsOpen ? error : -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    static let nothingToPoll = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: 2)

    /// Reads what there is where a poll said so.
    func read(_ polled: ArraySlice<pollfd>) {
        for end in polled where end.fd >= 0 && end.revents != 0 {
            if end.fd == result {
                if !Self.read(result, into: &output) {
                    close(result)
                    resultIsOpen = false
                }
            } else if end.fd == error {
                if !Self.read(error, into: &complaints) {
                    close(error)
                    errorIsOpen = false
                }
                if complaints.count > 1 << 16 { complaints.removeFirst(complaints.count - 1 << 16) }
            }
        }
    }

    /// The whole lines of the result that came, which are taken out of it.
    func takeLines() -> [[UInt8]] {
        guard let last = output.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = output[..<last].split(separator: UInt8(ascii: "\n")).map { Array($0) }
        output.removeSubrange(...last)
        return lines
    }

    /// Ends it.
    func stop() { kill(id, SIGKILL) }

    /// How it ended. To be asked once, after it said all.
    func wait() -> End {
        var status: CInt = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        isWaitedFor = true
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signal(signal)
    }

    private static func read(_ file: CInt, into bytes: inout [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            let count = Glibc.read(file, buffer.baseAddress, buffer.count)
            if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
            return count > 0 || count < 0 && errno == EINTR
        }
    }
}

/// Where a worker writes its result.
struct WorkerResult {
    fileprivate let file: CInt

    /// Writes all of it, or ends the process if nobody reads it any more.
    func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { _exit(1) }
                rest = rest.dropFirst(count)
            }
        }
    }
}
