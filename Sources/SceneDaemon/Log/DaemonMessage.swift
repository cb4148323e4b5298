internal import Logging
internal import SceneRouting
internal import Systemd

/// The messages that the daemon logs about itself. The raw value is the `MESSAGE_ID`, under which `systemd/scened.catalog`
/// explains what happened and what to do.
///
/// Records of scenes are not among them; they are found by their fields.
enum DaemonMessage: String, CaseIterable, Sendable {
    case running = "4fd58a00f99c4f2fa2277752eb6406cb"
    case listening = "5dae695d3a464234925b07c205b81830"
    case inheritedSocket = "7318ddba4d164125875f11b6925a54d5"
    case toldToStop = "f6343b1538254859ae37f70dfa044e09"
    case stopping = "ba55cb51a63f4738a4367e87ab5ce0a4"
    case stopped = "795a602801214b21b662856a6b6f6a01"
    case idle = "b9779bbb2858479eb3820cef495a28a0"
    case manifestLoaded = "46c155de47414e66bc9b03e54629faf9"
    case manifestRefused = "a0dfdad062e7433f8dfddd04eeb1f4e8"
    case manifestDoubtful = "37d7464d43a14e2386590f6a4a64251a"
    case serviceManagerNotTold = "9d906478abcd4118910563171892eed6"
    case connectionRefused = "dff442be2a394fa085b1423139deb95c"
    case connectionCutOff = "d0d7977e6b2341688bf682bb40abdcb6"
    case callDenied = "3e03600eddf14278b87a3c7e55c704c8"
    case serviceDefect = "c9bbf182e93046d1959c5eb65d19d326"
    case cannotStart = "3ff13b2723fd4ff1bfa02199b620ac29"
    case configurationInvalid = "a44fb1a1632f4cad98dd7d6f32057112"
    case stateUnusable = "e274a884910c4c78b5a6279ee253b0c0"
    case stateLogMissing = "5d0c3b8e21f64a7794ce60a1b87f2d39"
    case stateLost = "967013b21fe14d799c8e54238b76b0fb"
    case stateUnwritten = "4e1f03ec972a45979475f6ecdff7f4bd"
    case storageFails = "3b1d6c9f0a5e4b7c8d2f41e6a7905c83"
    case storageWorks = "c7f2045be1a84d0f9e6b35d81c2a7f94"
    case unknownVariable = "2644faba21624a6c973ec71dbe181f1d"
    case actUnset = "ed4626787a5043f795b5138063b57dad"
    case fewDescriptors = "24814b4431ad42b39707a41b196ec895"
    case wedged = "2689cdf5c2fa48dfb9db35a8408b5744"
    case codeBlocks = "b8724e654ff94feba817e75ec28aa457"
    case codeGoesOn = "93f5a735999d4ddc94ab222ccad1358e"
    case recordsMissed = "b037e3859a4344329e536974bc804569"
    case violation = "000b0a93500f41adaad1972e7e425ee8"

    /// The level, by the table in CONTRIBUTING.md.
    var level: Logger.Level {
        switch self {
        case .inheritedSocket, .toldToStop: .info
        case .running, .listening, .stopping, .stopped, .idle, .manifestLoaded, .callDenied, .codeGoesOn,
            .storageWorks:
            .notice
        case .serviceManagerNotTold, .connectionRefused, .connectionCutOff, .unknownVariable, .actUnset,
            .fewDescriptors, .codeBlocks, .recordsMissed, .manifestDoubtful, .stateLogMissing:
            .warning
        case .manifestRefused, .serviceDefect: .error
        case .cannotStart, .configurationInvalid, .stateUnusable, .stateLost, .stateUnwritten, .storageFails, .wedged,
            .violation:
            .critical
        }
    }

    /// The constant text; what varies is in the metadata.
    var sentence: String {
        switch self {
        case .running: "running"
        case .listening: "listening"
        case .inheritedSocket: "serving an inherited socket"
        case .toldToStop: "told to stop"
        case .stopping: "stopping"
        case .stopped: "stopped"
        case .idle:
            "no client has been connected for the time that idleExit sets; stopping until the next client connects"
        case .manifestLoaded: "manifest loaded"
        case .manifestRefused: "the manifest cannot be used; the old one stays in force"
        case .manifestDoubtful: "the manifest is used, and probably does not say what was meant"
        case .serviceManagerNotTold: "the service manager could not be notified"
        case .connectionRefused: "a client was refused"
        case .connectionCutOff: "a client was cut off"
        case .callDenied: "a call was denied"
        case .serviceDefect: "a call failed because of a defect in the daemon"
        case .cannotStart: "cannot start"
        case .configurationInvalid: "the configuration cannot be used"
        case .stateUnusable: "the kept state cannot be used"
        case .stateLogMissing:
            "the kept state was not closed, and the log of its changes is missing: what was in that alone is lost"
        case .stateLost: "nothing can be kept any more; stopping, so that nothing is acknowledged that is not kept"
        case .stateUnwritten: "stopped while nothing could be written; what was not written yet is lost"
        case .storageFails: "nothing can be written at present; what changes anything is refused until it can be"
        case .storageWorks: "everything can be written again"
        case .unknownVariable: "an environment variable looks like a setting but is unknown"
        case .actUnset: "the configuration grants the role inject and says nothing of act"
        case .fewDescriptors: "too few descriptors for as many clients as configured"
        case .wedged: "a part of the daemon does not answer; the watchdog will not be notified until it does"
        case .codeBlocks: "code of the app does not return, and what it was called for waits"
        case .codeGoesOn: "code of the app has returned, and what it was called for goes on"
        case .recordsMissed: "records were not logged because the log fell behind"
        case .violation: "an invariant of a window was violated"
        }
    }
}

extension Logger {
    func log(_ warnings: [SettingWarning]) {
        for warning in warnings {
            switch warning {
            case .unknownVariable: log(.unknownVariable, ["variable": "\(warning)"])
            case .actUnset: log(.actUnset, ["reason": "\(warning)"])
            }
        }
    }

    /// Logs the warnings of the manifest of this name, if there are any.
    func log(_ warnings: [ManifestProblem], at name: String) {
        guard !warnings.isEmpty else { return }
        log(
            .manifestDoubtful,
            ["file": "\(name)", "problems": "\(warnings.map(\.description).joined(separator: "\n"))"]
        )
    }

    /// Logs a message about the daemon itself.
    func log(
        _ message: DaemonMessage,
        _ metadata: Logger.Metadata = [:],
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line
    ) {
        log(
            level: message.level,
            "\(message.sentence)",
            metadata: metadata.merging([JournalLogHandler.messageIDKey: "\(message.rawValue)"]) { $1 },
            file: file,
            function: function,
            line: line
        )
    }
}
