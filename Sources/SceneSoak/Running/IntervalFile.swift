internal import Glibc
internal import StrictJSON

/// Appends each interval to `intervals.jsonl` as it ends, so that the data is on disk even if no report is written.
final class IntervalFile {
    static let name = "intervals.jsonl"

    private let path: String
    private let descriptor: CInt
    private let warn: @Sendable (String) -> Void
    private var hasFailed = false

    /// Creates the file. This happens before the run, so that it fails early.
    /// - Parameters:
    ///   - directory: An existing folder.
    ///   - warn: Called once, if writing fails later.
    init(directory: String, warn: @escaping @Sendable (String) -> Void) throws(SoakFolder.Failure) {
        path = "\(directory)/\(Self.name)"
        self.warn = warn
        // Nothing waits for the reader of a pipe, neither here nor for room in it.
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw SoakFolder.failure(path, errno) }
    }

    deinit { close(descriptor) }

    func append(_ interval: SoakInterval) {
        guard !hasFailed else { return }
        do throws(SoakFolder.Failure) {
            let line = SoakFile.json(interval).text() + "\n"
            try SoakFolder.write(Array(line.utf8), to: descriptor, named: path)
        } catch {
            hasFailed = true
            warn("\(error). The run goes on; its intervals stay in memory and are reported at the end.")
        }
    }
}
