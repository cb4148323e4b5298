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
            words.append("--mix \(Self.quoted(parts.joined(separator: ",")))")
        }
        if !objectives.isEmpty { words.append("--slo \(Self.quoted(objectives.joined(separator: ",")))") }
        if !faults.isEmpty { words.append("--faults \(Self.quoted(faults.joined(separator: ",")))") }
        if !catchesUp { words.append("--nocatchup") }
        if inFlight != 64 { words.append("--in-flight \(inFlight)") }
        if let script { words.append("--events \(Self.quoted(script))") }
        if isPrivate { words.append("--private") }
        if let app { words.append("--app \(Self.quoted(app))") }
        if resets { words.append("--reset") }
        if !followsRecords { words.append("--no-records") }
        return words.joined(separator: " ")
    }

    /// The word in quotes, if it has characters that a shell interprets.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "=,.-_@+/".contains($0)) }
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
