internal import CommandConsole
internal import SceneClient
internal import SceneVocabulary
internal import StrictJSON

/// The output of subcommands: one line for a person, or the daemon's JSON.
enum Printing {
    static func receipt(_ receipt: ClientReceipt, json: Bool) {
        for warning in receipt.warnings { Terminal.complain("warning: \(warning)") }
        show(receipt.reply, json, line(receipt))
    }

    /// The receipts of one delivery, a line for each.
    static func receipts(_ receipts: [ClientReceipt], json: Bool) {
        for warning in receipts.flatMap(\.warnings) { Terminal.complain("warning: \(warning)") }
        guard !json else { return print(json: .array(receipts.map { .object($0.reply) })) }
        for receipt in receipts { print(line(receipt)) }
    }

    static func scene(_ scene: ClientScene, json: Bool) {
        show(scene.reply, json, line(scene))
    }

    static func session(_ session: ClientSession, json: Bool) {
        guard !json else { return print(json: .object(session.reply)) }
        for line in lines(session) { print(line) }
    }

    /// Prints a reply as JSON, or the line that says it.
    static func show(_ reply: JSONObject, _ json: Bool, _ line: @autoclosure () -> String) {
        if json { print(json: .object(reply)) } else { print(line()) }
    }

    /// `A #3 applied  home › product(id: p1004)  auto-3`.
    static func line(_ receipt: ClientReceipt, withEvent: Bool = true) -> String {
        let place = receipt.ticket.map { "\(receipt.scene ?? "the app") #\($0)" } ?? receipt.scene ?? ""
        var words = [place, Terminal.styled("\(receipt.outcome)", style(of: receipt.outcome.known))]
        if let precondition = receipt.precondition { words.append("needs \(precondition)") }
        if let reason = receipt.reason { words.append("(\(reason))") }
        if let answer = receipt.answer { words.append(JSONValue.object(answer).text()) }
        if let window = receipt.window { words.append("\(WindowText(window).front)") }
        for requested in receipt.windows {
            words.append(requested.scene.map { "opens \($0)" } ?? "no window: \(requested.error?.description ?? "")")
        }
        if withEvent {
            words.append(Terminal.styled(receipt.isDuplicate ? "\(receipt.event), sent before" : receipt.event, .faint))
        }
        return words.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// `A  foregroundActive  home › cart  2 of 2 events done`.
    static func line(_ scene: ClientScene) -> String {
        var words = [Terminal.styled(scene.id, .bold), scene.isConnected ? "\(scene.activation)" : "disconnected"]
        if scene.isLocked { words.append(Terminal.styled("locked", .yellow)) }
        if scene.configuration != "default" { words.append(scene.configuration) }
        if let window = scene.window { words.append("\(WindowText(window).front)") }
        words.append("\(scene.settled) of \(scene.admitted) events done")
        for parked in scene.parked {
            words.append(Terminal.styled("\(parked.destination) waits for \(parked.need)", .yellow))
        }
        return words.joined(separator: "  ")
    }

    private static func lines(_ session: ClientSession) -> [String] {
        let user = session.user.map { "user \($0)" } ?? "nobody signed in"
        let head = "revision \(session.revision), epoch \(session.epoch), \(user)"
        return [session.isStale ? head + ", sign-in stale" : head]
            + session.facts.map { "  \($0.key): \($0.value.text())" }
    }

    static func style(of outcome: OutcomeName?) -> Terminal.Style {
        switch outcome {
        case .applied, .unchanged, .delivered: .green
        case .gated, .admitted: .yellow
        default: .red
        }
    }
}
