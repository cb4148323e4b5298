internal import SceneJournal

extension SoakHost.Ending {
    /// What a journal says of it.
    init(_ ending: JournalledHost.Ending) {
        switch ending {
        case .stopped: self = .stopped
        case .replaced: self = .replaced
        case .running, .continues: self = .running
        case .killed, .exited, .machineWentDown, .succeeded: self = .vanished(ending.phrase)
        case .unknown: self = .vanished(nil)
        }
    }

    /// Whether nobody was answered any more.
    var isAbrupt: Bool {
        switch self {
        case .killed, .vanished: true
        case .running, .stopped, .replaced: false
        }
    }
}

extension SoakHost.Gap.Cause {
    /// What a journal says of it.
    init(_ cause: JournalGap.Cause) {
        switch cause {
        case .daemon, .tooLong: self = .daemon
        case .rateLimit: self = .rateLimit
        case .rotation: self = .rotation
        case .beforeSince: self = .reader
        case .unexplained: self = .unexplained
        }
    }
}

extension SoakRun.Place {
    /// Where a journal is from: this machine, or one that it does not tell of. Nor does it of the daemon's version.
    init(_ place: JournalQuery.Place) {
        let (daemon, app) = ("of a version unknown", "an app unknown")
        switch place {
        case .machine, .namespace: self.init(daemon: daemon, app: app)
        case .directory, .files: self.init(system: "a machine unknown", cores: 0, memory: 0, daemon: daemon, app: app)
        }
    }
}
