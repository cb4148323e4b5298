/// Makes a verdict of how a process ended.
enum Trap {
    /// - Parameters:
    ///   - signal: The signal that ended it.
    ///   - complaints: What it had written on its standard error.
    static func verdict(signal: Int32, complaints: [UInt8]) -> Verdict {
        let lines = String(decoding: complaints, as: UTF8.self).split(whereSeparator: \.isNewline)
        let line = lines.last { $0.contains("Fatal error") } ?? lines.last ?? ""
        // The runtime ends the process when a checked continuation is resumed again.
        if let misuse = line.firstRange(of: "CONTINUATION MISUSE: "), line.contains("more than once") {
            return .doubleResume(String(line[misuse.upperBound...].prefix(500)))
        }
        return .trapped(signal: signal, message: String(line.prefix(500)))
    }

    /// For one that was ended because it made no step.
    static func stalled(for limit: Duration, steps: Int) -> Verdict {
        .trapped(
            signal: 9,
            message:
                "step \(max(0, steps - 1)) had not ended after \(limit): it blocks its thread, or runs for ever without suspending"
        )
    }
}
