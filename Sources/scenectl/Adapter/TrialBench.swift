internal import CommandConsole
internal import SceneClient
internal import StrictJSON

/// Tries fixtures one after the other, and goes on whatever becomes of one: of a daemon that is gone it asks for a new connection,
/// and of an adapter that has ended it says since when.
struct TrialBench {
    private let options: TrialOptions
    private var trials: AdapterTrials?
    /// The adapters in other processes that were there at first.
    private let processes: Set<String>
    /// The last fixture to which an adapter gave no answer.
    private var unanswered: [String: String] = [:]
    /// The adapters that have ended since, with the fixture during which that happened.
    private var ended: [String: String] = [:]

    /// - Throws: What is wrong with the manifest, or that there is no daemon.
    init(options: TrialOptions) async throws {
        self.options = options
        let trials = try await options.trials()
        self.trials = trials
        processes = try await Self.processes(trials)
    }

    /// The trial of a fixture's event.
    /// - Throws: Why there is none: the event, the manifest or the daemon.
    mutating func trial(of fixture: AdapterFixture, _ name: String) async throws -> JSONObject {
        let trials = try await self.trials()
        do {
            let trial = try await trials.trial(of: fixture.event, adapter: fixture.adapter)
            for (adapter, _) in Self.skipped(in: trial) { unanswered[adapter] = name }
            try await noteProcesses(trials, name)
            return trial
        } catch let error as SceneClientError where Advice.status(for: error) == .refused {
            try await noteProcesses(trials, name)
            throw error
        } catch let error as SceneClientError {
            self.trials = nil
            throw error
        }
    }

    /// What makes a trial count for nothing: adapters that did not answer, or are no longer there.
    func problems(of trial: JSONObject, _ name: String) -> [String] {
        let skipped = Self.skipped(in: trial).map { "the adapter '\($0)' gave no answer: \($1)" }
        let missing = ended.filter { $0.value != name }.sorted { $0.key < $1.key }.map { adapter, fixture in
            "the adapter '\(adapter)' has ended, at \(fixture); start it again"
        }
        return skipped + missing
    }

    private mutating func trials() async throws -> AdapterTrials {
        if let trials { return trials }
        let new = try await options.trials()
        trials = new
        return new
    }

    private mutating func noteProcesses(_ trials: AdapterTrials, _ name: String) async throws {
        let now = try await Self.processes(trials)
        for adapter in processes where !now.contains(adapter) && ended[adapter] == nil {
            ended[adapter] = unanswered[adapter] ?? name
        }
        for adapter in now { ended[adapter] = nil }
    }

    /// The adapters that were asked and gave no valid answer, each with the reason.
    private static func skipped(in trial: JSONObject) -> [(adapter: String, reason: String)] {
        (trial["passed"]?.arrayValue ?? []).filter { $0["skipped"]?.boolValue ?? false }.map {
            ($0["adapter"]?.stringValue ?? "", $0["reason"]?.stringValue ?? "")
        }
    }

    /// The adapters in other processes.
    private static func processes(_ trials: AdapterTrials) async throws -> Set<String> {
        guard case .daemon(let client) = trials else { return [] }
        let reply = try await client.call("io.scened.Adapters.List")
        let names = (reply["adapters"]?.arrayValue ?? []).filter { $0["origin"] == "process" }
        return Set(names.compactMap { $0["name"]?.stringValue })
    }
}
