internal import SceneJournal

extension SoakHost.Ending {
    /// The ending according to a journal.
    init(_ ending: JournalledHost.Ending) {
        switch ending {
        case .stopped: self = .stopped
        case .replaced: self = .replaced
        case .running, .continues: self = .running
        case .killed, .exited, .machineWentDown, .succeeded: self = .vanished(ending.phrase)
        case .unknown: self = .vanished(nil)
        }
    }

    /// Whether open events got no answer.
    var isAbrupt: Bool {
        switch self {
        case .killed, .vanished: true
        case .running, .stopped, .replaced, .cutOff: false
        }
    }
}

extension SoakHost.Gap.Cause {
    /// The cause according to a journal.
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
    /// The machine of a journal: this one, or an unknown one. A journal does not tell the daemon's version.
    init(_ place: JournalQuery.Place) {
        let (daemon, app) = ("of unknown version", "an unknown app")
        switch place {
        case .machine, .namespace: self.init(daemon: daemon, app: app)
        case .directory, .files: self.init(system: "an unknown machine", cores: 0, memory: 0, daemon: daemon, app: app)
        }
    }
}
