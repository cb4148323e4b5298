internal import Basics

extension SoakPlan.Shard {
    private var ending: String { ".shard-\(number)-of-\(count)" }

    /// The folder of this shard.
    /// - Parameter out: What the folders of all shards begin with, as `--out` has it.
    package func folder(_ out: String) -> String { "\(out.last == "/" ? String(out.dropLast()) : out)\(ending)" }

    /// What the folders of all shards begin with.
    /// - Parameter folder: The folder of this shard.
    func stem(of folder: String) -> String {
        let name = folder.last == "/" ? String(folder.dropLast()) : folder
        return name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
    }
}

extension SoakPlan {
    /// The command that runs the soak again.
    package var commandLine: String { commandLine() }

    /// The command that runs the soak again. That of a shard names a folder, because it needs one: beside the one that was written, which keeps
    /// what is in it.
    /// - Parameters:
    ///   - folder: The folder that was written; `nil` if it is not known.
    ///   - more: Words of the command that are no choices of the plan, such as where the daemon is, as a shell reads them.
    package func commandLine(wrote folder: String? = nil, more: [String] = []) -> String {
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
        if let shard {
            let name = folder.map { "\(shard.stem(of: $0))-again" } ?? "soak"
            words.append("--out \(name.shellWord)")
        }
        return (words + more).joined(separator: " ")
    }
}
