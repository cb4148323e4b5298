internal import Basics
internal import CommandConsole
internal import SceneSoak
internal import StrictJSON

/// One of the two apps that are compared.
enum ComparedSide: String, Sendable {
    case a = "A"
    case b = "B"
}

/// A daemon that has ended while it was compared, or that does not answer any more.
struct LostDaemon: Error {
    let side: ComparedSide
    /// For how long it has not answered; `nil` if it has ended.
    let silence: Duration?
    /// What it was sent since it started over. It has not answered the last one.
    var calls: [SoakCall] = []
    /// The script that was played on it.
    var script: String?
    /// What was found before.
    var report = CompareReport()

    /// The most steps that are told.
    private static let most = 50

    /// What a person reads, and with which status the command ends.
    /// - Parameters:
    ///   - a: The apps as named on the command line.
    ///   - reason: What else is known, such as how its process has ended.
    func error(a: String, b: String, reason: CommandError?) -> CommandError {
        let walk = report.seed.map { ", seed \($0), walk \(report.walk)" } ?? ""
        let what = silence.map { "has not answered for \($0.words)" } ?? "has ended"
        let step = calls.isEmpty ? "before the first step" : "in step \(calls.count)"
        let place = script.map { "while \($0) was played on it" } ?? step
        let commands = calls.map { "\(CallWords($0))" }
        var lines = [
            "\(side.rawValue) \(what) \(place)\(script == nil && report.walk > 0 ? walk : "")\(calls.isEmpty ? "." : ":")"
        ]
        lines += commands.enumerated().suffix(Self.most).map { "  \($0 + 1)  \($1)" }
        // What was found says it, too.
        if let seed = report.seed, report.walk > 0, report.difference == nil {
            lines.append(
                "Again: scenectl app compare \(a.shellWord) \(b.shellWord) --seed \(seed) --walk \(report.walk)"
            )
        }
        lines.append(reason?.message ?? "\(side.rawValue) is \(side == .a ? a : b).")
        var parameters: JSONObject = [
            "side": .string(side.rawValue), "step": .integer(calls.count),
            "steps": .array(commands.map(JSONValue.string)),
        ]
        parameters["script"] = script.map(JSONValue.string)
        if let seed = report.seed, report.walk > 0 {
            parameters["seed"] = .string(String(seed))
            parameters["walk"] = .integer(report.walk)
        }
        return CommandError(
            message: lines.joined(separator: "\n"),
            status: .daemonEnded,
            form: .page,
            parameters: parameters
        )
    }
}

/// What is done while a daemon is silent: after a while it is told, and in the end nobody waits any more.
struct SilenceWatch: Sendable {
    let stop: SoakStop
    let screen: SoakScreen

    /// After which silence it is told, and when somebody wants to end it is over.
    private static let notice = Duration.seconds(5)
    /// After which silence it is over.
    static let patience = Duration.seconds(60)

    /// Watches until the task is cancelled, or the silence has been too long.
    /// - Parameters:
    ///   - step: What the daemon was sent.
    ///   - heard: When it has answered last, or was asked first.
    /// - Returns: How long it was; `nil` if the task was cancelled.
    func untilOver(
        _ side: ComparedSide,
        _ step: () -> String,
        since heard: () -> ContinuousClock.Instant
    ) async -> Duration? {
        var isTold = false
        while !Task.isCancelled {
            let silence = ContinuousClock.now - heard()
            if silence >= Self.notice, !isTold {
                isTold = true
                screen.warn("Waiting for \(side.rawValue), which has not answered for \(Self.notice.words)\(step()).")
            }
            if silence >= Self.patience { return Self.patience }
            if silence >= Self.notice, stop.wasAsked { return Self.notice }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return nil
    }
}
