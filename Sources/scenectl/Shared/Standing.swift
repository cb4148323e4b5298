internal import Basics
internal import SceneClient
internal import StrictJSON

/// Where an event or a window stands, for people and for programs.
struct Standing: Sendable {
    /// What it waits for, in a sentence.
    let sentence: String
    /// How it goes on, in a sentence.
    let advice: String
    /// Whether it does not go on by itself.
    let isStuck: Bool
    let json: JSONObject

    /// A window that is held or in a transition.
    init(_ rest: ClientWait) {
        let place = rest.scene.map { "Window \($0)" } ?? "The app"
        let what = rest.handled.map { ", which handles '\($0)'," } ?? ""
        sentence = "\(place)\(what) \(Self.rest(rest) ?? "is busy")."
        advice = Self.advice(rest)
        isStuck = rest.hold != nil || rest.transitionEnd != nil && rest.isVirtual
        json = Self.json(rest)
    }

    /// An event that was admitted.
    init(_ standing: ClientStanding) {
        let receipt = standing.receipt
        let event = "'\(receipt.event)'"
        var json: JSONObject = ["event": .string(receipt.event), "outcome": .string("\(receipt.outcome)")]
        json["scene"] = receipt.scene.map(JSONValue.string)
        json["precondition"] = receipt.precondition.map(JSONValue.string)
        let waits = standing.waits
        if let waits { for (key, value) in Self.json(waits) where json[key] == nil { json[key] = value } }
        self.json = json
        let isHeld = waits?.hold != nil
        switch (waits, receipt.outcome.known) {
        case (let waits?, .admitted) where waits.ahead > 0:
            let place = receipt.scene.map { "the mailbox of window \($0)" } ?? "the app's mailbox"
            let front = waits.handled.map { "'\($0)'" } ?? (waits.ahead == 1 ? "one other" : "others")
            let count = waits.ahead == 1 ? "" : " (\(waits.ahead) come before it)"
            let rest = Self.rest(waits).map { ", which \($0)" } ?? ""
            sentence = "\(event) is admitted and waits in \(place) behind \(front)\(count)\(rest)."
        case (let waits?, _) where Self.rest(waits) != nil:
            sentence = "\(event) is admitted and \(Self.rest(waits) ?? "")."
        case (_, .gated):
            sentence = "\(event) is gated: it waits until \(receipt.precondition ?? "its precondition") holds."
            advice = "It goes on when the flow that is on screen for it completes, or the session changes so."
            isStuck = true
            return
        case (_, .admitted): sentence = "\(event) is admitted and being handled."
        default: sentence = "\(event) has ended as \(receipt.outcome)."
        }
        advice = waits.map(Self.advice) ?? ""
        isStuck = isHeld || waits?.transitionEnd != nil && waits?.isVirtual == true
    }

    /// An event of which the daemon has told nothing yet.
    static let notAdmitted = Standing(
        sentence:
            "The event is not admitted yet: adapters in other processes are asked about it, or the daemon is busy.",
        advice: "",
        isStuck: false,
        json: [:]
    )

    private init(sentence: String, advice: String, isStuck: Bool, json: JSONObject) {
        self.sentence = sentence
        self.advice = advice
        self.isStuck = isStuck
        self.json = json
    }

    /// "is held at planned by h1".
    private static func rest(_ wait: ClientWait) -> String? {
        if let hold = wait.hold { return "is held at \(wait.point ?? "a point") by \(hold)" }
        guard let end = wait.transitionEnd else { return nil }
        let now = wait.isVirtual ? "the virtual clock stands at" : "it is"
        return "is in a transition until \(end.milliseconds) ms, and \(now) \(wait.now.milliseconds) ms"
    }

    private static func advice(_ wait: ClientWait) -> String {
        if let hold = wait.hold { return "'scenectl release \(hold)' lets it go on." }
        guard wait.isVirtual, let end = wait.transitionEnd else { return "" }
        return "'scenectl advance \((end - wait.now).milliseconds)' ends the transition."
    }

    private static func json(_ wait: ClientWait) -> JSONObject {
        var json: JSONObject = ["now": .integer(wait.now.milliseconds), "virtual": .bool(wait.isVirtual)]
        json["scene"] = wait.scene.map(JSONValue.string)
        json["ahead"] = .integer(wait.ahead)
        json["handled"] = wait.handled.map(JSONValue.string)
        json["hold"] = wait.hold.map(JSONValue.string)
        json["point"] = wait.point.map(JSONValue.string)
        json["until"] = wait.transitionEnd.map { .integer($0.milliseconds) }
        return json
    }
}
