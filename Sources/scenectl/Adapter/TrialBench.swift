internal import SceneClient
internal import StrictJSON

/// Tries fixtures one after the other, and goes on whatever becomes of one: of a daemon that is gone it asks for a new connection,
/// and of an adapter that has ended it says since when.
struct TrialBench {
    let options: TrialOptions
    private var trials: AdapterTrials?
    /// The adapters in other processes that were there at first.
    private var processes: Set<String>?
    /// Those that have ended since, with the fixture during which that happened.
    private var ended: [String: String] = [:]

    init(options: TrialOptions) { self.options = options }

    /// The trial of a fixture's event.
    /// - Throws: Why there is none: the event, the manifest or the daemon.
    mutating func trial(of fixture: AdapterFixture, _ name: String) async throws -> JSONObject {
        let trials = try await self.trials()
        do {
            let trial = try await trials.trial(of: fixture.event, adapter: fixture.adapter)
            try await noteProcesses(trials, name)
            return trial
        } catch let error as SceneClientError where Advice.status(for: error) == 1 {
            try await noteProcesses(trials, name)
            throw error
        } catch let error as SceneClientError {
            self.trials = nil
            throw error
        }
    }

    /// What makes a trial count for nothing: adapters that did not answer, or are no longer there.
    func problems(of trial: JSONObject, _ name: String) -> [String] {
        let skipped = (trial["passed"]?.arrayValue ?? []).compactMap { passed -> String? in
            guard passed["skipped"]?.boolValue ?? false else { return nil }
            return
                "the adapter '\(passed["adapter"]?.stringValue ?? "")' gave no answer: \(passed["reason"]?.stringValue ?? "")"
        }
        let missing = ended.filter { $0.value != name }.sorted { $0.key < $1.key }.map { adapter, fixture in
            "the adapter '\(adapter)' has ended, at \(fixture); start it again"
        }
        return skipped + missing
    }

    private mutating func trials() async throws -> AdapterTrials {
        if let trials { return trials }
        let new = try await options.trials()
        trials = new
        if processes == nil { processes = try await Self.processes(new) }
        return new
    }

    private mutating func noteProcesses(_ trials: AdapterTrials, _ name: String) async throws {
        let now = try await Self.processes(trials)
        for adapter in processes ?? [] where !now.contains(adapter) && ended[adapter] == nil { ended[adapter] = name }
        for adapter in now { ended[adapter] = nil }
    }

    /// The adapters in other processes.
    private static func processes(_ trials: AdapterTrials) async throws -> Set<String> {
        guard case .daemon(let client) = trials else { return [] }
        let reply = try await client.call("io.scened.Adapters.List")
        let names = (reply["adapters"]?.arrayValue ?? []).filter { $0["origin"] == "process" }
        return Set(names.compactMap { $0["name"]?.stringValue })
    }
}
