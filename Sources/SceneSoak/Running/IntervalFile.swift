internal import Glibc
internal import StrictJSON

/// Appends each interval to `intervals.jsonl` as it ends, so that a run is on the disk whatever becomes of its report.
final class IntervalFile {
    private let path: String
    private let descriptor: CInt
    private let warn: @Sendable (String) -> Void
    private var hasFailed = false

    /// Makes the folder and the file, before the run: what cannot be written is to be known then.
    /// - Parameter warn: Told once, when writing fails later.
    init(directory: String, warn: @escaping @Sendable (String) -> Void) throws(FileFailure) {
        try SoakFiles.makeFolder(directory)
        path = "\(directory)/intervals.jsonl"
        self.warn = warn
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileFailure(path) }
    }

    deinit { close(descriptor) }

    func append(_ interval: SoakInterval) {
        guard !hasFailed else { return }
        do throws(FileFailure) {
            try SoakFiles.write(IntervalLine.text(interval) + "\n", to: descriptor, path)
        } catch {
            hasFailed = true
            warn("\(error). The run goes on; its intervals are kept in memory and reported here.")
        }
    }
}

/// An interval as one line of JSON; times in seconds, latencies in nanoseconds.
enum IntervalLine {
    static func text(_ interval: SoakInterval) -> String {
        var object: JSONObject = [
            "start": .seconds(interval.start), "length": .seconds(interval.length), "warmUp": .bool(interval.isWarmUp),
            "due": .integer(interval.due), "sent": .integer(interval.sent), "answered": .integer(interval.answered),
            "cutOff": .integer(interval.cutOff), "outcomes": .counts(interval.outcomes),
            "errors": .counts(interval.errors),
        ]
        let percentiles = interval.percentiles.sorted { $0.key < $1.key }
        object["latency"] = .object(
            JSONObject(percentiles.map { (SoakSummary.rank($0.key), JSONValue.integer(Int(clamping: $0.value))) })
        )
        if let sample = interval.sample { object["sample"] = self.sample(sample) }
        return JSONValue.object(object).text()
    }

    private static func sample(_ sample: SoakSample) -> JSONValue {
        var object: JSONObject = ["host": .string(sample.host)]
        object["resident"] = sample.resident.map(JSONValue.integer)
        object["descriptors"] = sample.descriptors.map(JSONValue.integer)
        object["threads"] = sample.threads.map(JSONValue.integer)
        object["processorTime"] = sample.processorTime.map(JSONValue.seconds)
        object["pending"] = sample.pending.map(JSONValue.integer)
        object["parked"] = sample.parked.map(JSONValue.integer)
        object["coordinators"] = sample.coordinators.map(JSONValue.integer)
        object["scenes"] = sample.scenes.map(JSONValue.integer)
        object["connections"] = sample.connections.map(JSONValue.integer)
        return .object(object)
    }
}

extension JSONValue {
    fileprivate static func counts(_ counts: [String: Int]) -> JSONValue {
        .object(JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.integer($0.value)) }))
    }

    fileprivate static func seconds(_ duration: Duration) -> JSONValue { .number(duration.seconds) }
}
