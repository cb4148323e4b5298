extension FailureReport {
    /// How to run a failure again; where that is in vain, why, and what to do instead.
    struct Advice {
        let title: String
        /// One line each, without full stop.
        let lines: [String]
    }

    /// The report for a failure that did not come again when its order was repeated once more.
    package var withoutRepetition: FailureReport {
        var report = self
        report.isRepeated = false
        return report
    }

    /// Whether its order repeats it, as far as that is known. What trapped keeps its locks, so that only a new process can tell.
    var isRepeatable: Bool {
        guard isRepeated else { return false }
        switch failure.confirmation {
        case .confirmed, .notTried: return true
        case .notReproduced: return failure.kind.hasPrefix("trapped")
        case .diverged: return false
        }
    }

    var advice: Advice {
        guard !isRepeatable else { return Advice(title: "Run it again", lines: [replay]) }
        let title = "Its order does not repeat it"
        if failure.kind == "escaped" {
            return Advice(
                title: title,
                lines: [
                    "another thread takes part, and when it does something is chance",
                    "give the body a fake of what uses that thread, and explore again",
                ]
            )
        }
        var lines = ["the body depends on something other than its seed: \(RunDifference.causes)"]
        guard let search else {
            lines.append(
                "take that away, or explore again with \(DeterministicHashing.setting) set, which gives each Set and Dictionary the same order in every process"
            )
            return Advice(title: title, lines: lines)
        }
        lines.append("the same search, which checks each run for that and names the first step that differs:")
        // With another order of what is in sets, it would not be the same search.
        let seed = origin.map { "INTERLEAVING_SEED=0x\(String($0.seed, radix: 16)) " } ?? ""
        lines.append("  \(DeterministicHashing.prefix)\(seed)INTERLEAVING_CHECK_DETERMINISM=1000 \(search)")
        if !DeterministicHashing.isSet {
            lines.append("and with the same order of each Set and Dictionary in every process:")
            lines.append("  \(DeterministicHashing.setting) \(seed)\(search)")
        }
        return Advice(title: title, lines: lines)
    }
}
