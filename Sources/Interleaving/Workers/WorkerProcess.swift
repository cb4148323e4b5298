internal import CInterleaving

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A process forked from the thread of a simulation, and its output so far.
final class WorkerProcess {
    private let id: pid_t
    private let result: CInt
    private let error: CInt
    private var resultIsOpen = true
    private var errorIsOpen = true
    /// The part of its result that was read and not taken.
    private(set) var output: [UInt8] = []
    /// The end of its standard error, at most 64 KiB.
    private(set) var complaints: [UInt8] = []
    private var isWaitedFor = false

    /// How a process ended.
    enum End: Equatable {
        case exited(CInt)
        case signal(CInt)
    }

    private final class Work {
        let body: (WorkerResult) -> Void
        init(_ body: @escaping (WorkerResult) -> Void) { self.body = body }
    }

    /// - Parameter body: What the process does. It is given the writer of the result.
    /// - Throws: ``ExplorationError/noProcess(errorNumber:)``
    init(_ body: @escaping (WorkerResult) -> Void) throws(ExplorationError) {
        var worker = interleaving_worker()
        let work = Work(body)
        let failure = withExtendedLifetime(work) {
            interleaving_start_worker(
                { context, result in
                    Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().body(WorkerResult(file: result))
                },
                Unmanaged.passUnretained(work).toOpaque(),
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

    /// Whether it can still write something.
    var isOpen: Bool { resultIsOpen || errorIsOpen }

    /// The two ends to poll. Closed ones have a number that `poll` ignores.
    var polled: [pollfd] {
        [
            pollfd(fd: resultIsOpen ? result : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errorIsOpen ? error : -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    static let nothingToPoll = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: 2)

    /// Reads from the ends that a poll found readable.
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

    /// Removes and returns the complete lines of the result.
    func takeLines() -> [[UInt8]] {
        guard let last = output.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = output[..<last].split(separator: UInt8(ascii: "\n")).map { Array($0) }
        output.removeSubrange(...last)
        return lines
    }

    /// Kills it.
    func stop() { kill(id, SIGKILL) }

    /// Waits for its end. Call it once, when the process is no longer open.
    func wait() -> End {
        var status: CInt = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        isWaitedFor = true
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signal(signal)
    }

    private static func read(_ file: CInt, into bytes: inout [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            let count = systemRead(file, buffer)
            if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
            return count > 0 || count < 0 && errno == EINTR
        }
    }
}

// Named apart, because a method of a type hides the system's function of its name.
private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(file, buffer.baseAddress, buffer.count)
}

private func systemWrite(_ file: CInt, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    write(file, UnsafeRawBufferPointer(rebasing: bytes).baseAddress, bytes.count)
}

/// The writer of a worker's result.
struct WorkerResult {
    fileprivate let file: CInt

    /// Writes all bytes. Ends the process if nobody reads them any more.
    func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = systemWrite(file, rest)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { _exit(1) }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// Notices that a worker makes no progress.
struct StallWatch {
    let limit: Duration
    private var last = -1
    private var since = ContinuousClock.now
    private(set) var hasStalled = false

    init(limit: Duration) {
        self.limit = limit
    }

    mutating func isStalled(at progress: Int) -> Bool {
        let now = ContinuousClock.now
        if progress != last { (last, since) = (progress, now) }
        if now - since > limit { hasStalled = true }
        return hasStalled
    }
}

/// Verdicts on runs that ended their process.
enum Trap {
    /// The signals that end a process from outside: no instruction of its own raises them.
    static let foreignSignals: Set<Int32> = [SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM]

    /// The run of a process that a signal ended.
    /// - Parameters:
    ///   - signal: The signal that ended it.
    ///   - worker: Its end of standard error, and whether its watch ended it.
    /// - Throws: ``ExplorationError/workerKilled(signal:order:)`` if somebody else did.
    static func run(
        seed: UInt64,
        strategy: String,
        _ log: StepLog,
        signal: Int32,
        complaints: [UInt8],
        _ watch: StallWatch
    ) throws(ExplorationError) -> ExploredRun {
        let steps = log.takeWritten()
        let verdict =
            watch.hasStalled
            ? stalled(for: watch.limit, steps: steps.count) : verdict(signal: signal, complaints: complaints)
        var run = ExploredRun(seed: seed, strategy: strategy, steps: steps, verdict: verdict)
        run.hasEndedItsProcess = true
        run.granularity = log.granularity
        guard watch.hasStalled || !foreignSignals.contains(signal) else {
            throw .workerKilled(signal: signal, order: run.code)
        }
        run.trail.places = log.takePlaces()
        return run
    }

    /// - Parameters:
    ///   - signal: The signal that ended it.
    ///   - complaints: The end of its standard error.
    private static func verdict(signal: Int32, complaints: [UInt8]) -> RunVerdict {
        let lines = String(decoding: complaints, as: UTF8.self).split(whereSeparator: \.isNewline)
        return verdict(signal: signal, line: lines.last { $0.contains("Fatal error") } ?? lines.last ?? "")
    }

    private static func verdict(signal: Int32, line: some StringProtocol) -> RunVerdict {
        // The runtime traps when a checked continuation is resumed again.
        if let misuse = line.firstRange(of: "CONTINUATION MISUSE: "), line.contains("more than once") {
            return .doubleResume(String(line[misuse.upperBound...].prefix(500)))
        }
        return .trapped(signal: signal, message: String(line.prefix(500)))
    }

    /// The verdict on a run in which a fiber of this process trapped or was blocked.
    /// - Parameters:
    ///   - limit: For how long a step may last.
    ///   - steps: How many steps the run has made.
    static func verdict(_ trap: interleaving_trap, limit: Duration, steps: Int) -> RunVerdict {
        let words = trap.words.map { String(cString: $0) } ?? ""
        // A function of a library that the compiler has copied is not where the user looks.
        let isCopy = trap.caller != 0 && interleaving_is_of_library(trap.place)
        let place =
            (isCopy ? nil : CodePlace.description(of: trap.place)) ?? CodePlace.description(of: trap.caller)
        if trap.is_blocked {
            let what = words.isEmpty ? "never suspends" : "waits in \(words), called"
            let isPolling = words.isEmpty && interleaving_seen() & UInt32(INTERLEAVING_CLOCK) != 0
            let words = "step \(max(0, steps - 1)) had not ended after \(limit): it \(what)"
            let sentence = place.map { "\(words) \($0)" } ?? words
            return .blocked(isPolling ? "\(sentence); \(Self.standsStill)" : sentence)
        }
        let line = words.split(whereSeparator: \.isNewline).first ?? ""
        guard let place else { return verdict(signal: trap.signal, line: line) }
        return verdict(signal: trap.signal, line: line.isEmpty ? place : "\(line), \(place)")
    }

    /// Why a loop without a suspension never sees on a clock that a time has come.
    private static let standsStill =
        "the run looked at a clock, and virtual time goes on only when everything waits, so in a loop no time comes; sleep in it"

    /// The verdict on a run that was ended because it made no step.
    private static func stalled(for limit: Duration, steps: Int) -> RunVerdict {
        .blocked("step \(max(0, steps - 1)) had not ended after \(limit): it blocks its thread, or never suspends")
    }
}
