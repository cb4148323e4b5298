internal import ArgumentParser
internal import CommandConsole
internal import Interleaving
internal import SceneRaces
internal import SceneRouting

/// Options that do not go together, and values out of range.
extension RaceVerb {
    package func validate() throws {
        if let iterations, iterations < 1 {
            throw ValidationError("--iterations \(iterations): expected 1 or more.")
        }
        if prove {
            if iterations != nil || strategy != nil {
                throw ValidationError("--prove runs each class of orders; give it no --iterations and no --strategy.")
            }
            if replay != nil {
                throw ValidationError("--prove runs all orders, and --replay runs one; give one of them.")
            }
            if granularity == SimulationSettings.Granularity.stops.rawValue {
                throw ValidationError(
                    "--prove --granularity stops would prove nothing, because it does not see locks; give jobs or locks."
                )
            }
        }
        guard (0...ExplorationOptions.maxWorkers).contains(jobs) else {
            throw ValidationError("--jobs \(jobs): expected 0 to \(ExplorationOptions.maxWorkers).")
        }
        if let granularity {
            if SimulationSettings.Granularity(rawValue: granularity) == nil {
                let places = SimulationSettings.Granularity.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--granularity \(granularity): expected one of \(places).")
            }
            if replay != nil {
                throw ValidationError("--granularity is for a search; --replay takes it from the code.")
            }
        }
        if let mailbox, MailboxPolicy(rawValue: mailbox) == nil {
            let policies = MailboxPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--mailbox \(mailbox): expected one of \(policies).")
        }
        if let report, RaceFiles.Format(file: report) == nil {
            throw ValidationError("--report \(report): expected a name that ends in .html, .json or .txt.")
        }
        if scenario == Self.merge {
            if files.isEmpty { throw ValidationError("merge: name the files that the shards left.") }
            let isOfSearch = app != nil || iterations != nil || time != nil || seed != nil || strategy != nil
            if isOfSearch || granularity != nil || mailbox != nil || all || prove || replay != nil || shard != nil
                || print || list || jobs != Self.defaultJobs
            {
                throw ValidationError(
                    "merge: the files say what was searched, and how; of the options it takes --json, --ends, --shrink, --report, --save, --export, --artifacts, --junit and --github-annotations."
                )
            }
        } else if let file = files.first {
            throw ValidationError("Unexpected argument '\(file)'; name one scenario.")
        }
        if list || print, artifacts != nil || results.areGiven {
            throw ValidationError(
                "\(list ? "--list" : "--print") runs nothing; give it no --artifacts, --junit or --github-annotations."
            )
        }
        if printFor != nil, shard == nil || shardFile != nil {
            throw ValidationError(
                "--print-for prints what starts the shards; give it --shard with their number, such as --shard 40, and no --shard-file."
            )
        }
        if shard != nil {
            if seed == nil, !prove {
                throw ValidationError("--shard needs a --seed, because every shard must have the same.")
            }
            let isOfResult = save != nil || report != nil || export != nil || artifacts != nil || results.areGiven
            if all || replay != nil || isOfResult || ends || shrink || json {
                throw ValidationError(
                    "--shard leaves a file, of which 'race merge' makes the rest; give it no --all, --replay, --save, --report, --export, --artifacts, --junit, --github-annotations, --ends, --shrink or --json."
                )
            }
        } else if shardFile != nil {
            throw ValidationError("--shard-file is for --shard.")
        }
        if all {
            if scenario != nil { throw ValidationError("--all searches \(Program.scenarios.all); do not name one.") }
            if app != nil { throw ValidationError("--app is for one scenario; those of --all each have their app.") }
            if replay != nil || save != nil || report != nil || export != nil {
                throw ValidationError("--replay, --save, --report and --export are for one scenario, not for --all.")
            }
            if ends { throw ValidationError("--ends is for one scenario, not for --all.") }
        } else if replay != nil, ends {
            throw ValidationError("--ends counts the ends of a search, and --replay runs one order; give one of them.")
        } else if scenario == nil, !list {
            throw ValidationError("Name a scenario; '\(Program.name) race --list' lists \(Program.scenarios.all).")
        }
    }
}
