internal import Basics

extension SoakPlan {
    /// The command that runs the soak again.
    package var commandLine: String {
        var words = [
            "scenectl soak", "--rate \(Wording.plain(rate))", "--arrival \(arrival.rawValue)",
            "--duration \(duration.words)", "--warm-up \(warmUp.words)", "--clients \(clients)",
            "--scenes \(scenes)", "--seed \(seed)", "--every \(every.words)",
            "--percentiles \(percentiles.map(Wording.plain).joined(separator: ","))",
        ]
        if !mix.isEmpty {
            let parts = mix.sorted { $0.key < $1.key }.map { "\($0.key)=\(Wording.plain($0.value))" }
            words.append("--mix \(parts.joined(separator: ",").shellWord)")
        }
        if !objectives.isEmpty { words.append("--slo \(objectives.joined(separator: ",").shellWord)") }
        if !faults.isEmpty { words.append("--faults \(faults.joined(separator: ",").shellWord)") }
        if !catchesUp { words.append("--nocatchup") }
        if inFlight != 64 { words.append("--in-flight \(inFlight)") }
        if let script { words.append("--events \(script.shellWord)") }
        if let shard { words.append("--shard \(shard.number)/\(shard.count)") }
        if isPrivate { words.append("--private") }
        if let app { words.append("--app \(app.shellWord)") }
        if resets { words.append("--reset") }
        if !followsRecords { words.append("--no-records") }
        return words.joined(separator: " ")
    }
}
