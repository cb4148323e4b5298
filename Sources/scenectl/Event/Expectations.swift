internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneHistory
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

/// The outcomes that an event may come to, as somebody types them: `applied`, `gated:signedIn`, `rejected:inStock`.
struct Expectations: Sendable {
    /// One outcome.
    struct Outcome: Hashable, Sendable {
        let name: OutcomeName
        /// The reason, or the precondition that is waited for; `nil` for any.
        let detail: String?

        /// Whether a receipt says this. `validationFailed` matches `validationFailed: id`, and an event's ID what it was superseded by.
        func matches(_ receipt: ClientReceipt) -> Bool {
            guard receipt.outcome == name else { return false }
            guard let detail else { return true }
            if name == .gated { return receipt.precondition == detail }
            guard let reason = receipt.reason else { return false }
            return reason == detail || reason.hasPrefix("\(detail):") || reason == "by \(detail)"
        }
    }

    let outcomes: [Outcome]
    /// As it was typed.
    let text: String

    /// - Throws: A `ValidationError` for a word that is no outcome, or a reason where there is none.
    init(parsing text: String) throws {
        self.text = text
        outcomes = try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = OutcomeName(rawValue: parts[0]) else {
                throw ValidationError(Self.unknownOutcome(parts[0]))
            }
            guard parts.count > 1 else { return Outcome(name: name, detail: nil) }
            guard Self.mayHaveReason(name) else {
                throw ValidationError("'\(word)': the outcome '\(name.rawValue)' has no reason.")
            }
            guard !parts[1].isEmpty else { throw ValidationError("'\(word)': expected a reason behind ':'.") }
            return Outcome(name: name, detail: parts[1])
        }
    }

    /// What to say of a word that is no outcome.
    static func unknownOutcome(_ word: String) -> String {
        let names = OutcomeName.allCases.map(\.rawValue)
        let meant = Spelling.nearest(to: word, among: names).map { "Did you mean '\($0)'?" }
        return "'\(word)' is no outcome. \(meant ?? "The outcomes are \(names.joined(separator: ", ")).")"
    }

    private static func mayHaveReason(_ name: OutcomeName) -> Bool {
        switch name {
        case .ignored, .rejected, .superseded, .abandoned, .gated: true
        case .applied, .unchanged, .delivered, .admitted: false
        }
    }

    /// Checks that an event can be seen with one of the outcomes when it has come as far as is waited for.
    func check(at stage: ReceiptStage) throws {
        let possible = outcomes.contains { outcome in
            switch stage {
            case .admitted: outcome.name == .admitted
            case .settled: outcome.name != .admitted
            case .finished: outcome.name != .admitted && outcome.name != .gated
            }
        }
        guard !possible else { return }
        let fitting =
            switch stage {
            case .admitted: "with --wait admitted the outcome is always 'admitted'; wait for 'settled', the default."
            case .settled: "with --wait settled no event is still 'admitted'."
            case .finished: "with --wait finished no event is still 'admitted' or 'gated'."
            }
        throw ValidationError("--expect \(text): \(fitting)")
    }

    /// Checks that the app can give each reason: it is one of the contract's, or the manifest declares it. It asks the daemon for its
    /// manifest only if it has to; if the user may not read that, any reason passes.
    func checkReasons(_ client: SceneClient) async throws {
        let unknown = outcomes.filter { $0.problem(in: []) != nil }
        guard !unknown.isEmpty else { return }
        guard let app = try await client.readableApp() else { return }
        for outcome in unknown {
            if let problem = outcome.problem(in: [app]) {
                throw CommandError.usage("--expect \(text): \(problem)")
            }
        }
    }

    /// Compares receipts with what is expected; each of a set has to fit.
    /// - Throws: A ``CommandError`` with the status ``ExitStatus/unexpected``.
    func compare(_ receipts: [ClientReceipt]) throws(CommandError) {
        let others = receipts.filter { receipt in !outcomes.contains { $0.matches(receipt) } }
        guard !others.isEmpty else { return }
        let lines = others.map { receipt in
            let detail = [receipt.precondition.map { "needs \($0)" }, receipt.reason].compactMap(\.self)
            let why = detail.isEmpty ? "" : " (\(detail.joined(separator: ", ")))"
            let came =
                "'\(receipt.event)': expected \(text.split(separator: ",").joined(separator: " or ")), came \(receipt.outcome)\(why)."
            return "\(came) 'scenectl why \(receipt.event)' shows how."
        }
        let came = others.map { receipt in
            var object: JSONObject = ["event": .string(receipt.event), "outcome": .string("\(receipt.outcome)")]
            object["reason"] = receipt.reason.map(JSONValue.string)
            object["precondition"] = receipt.precondition.map(JSONValue.string)
            return JSONValue.object(object)
        }
        throw CommandError(
            message: lines.joined(separator: "\n"),
            status: .unexpected,
            form: lines.count > 1 ? .page : .line,
            parameters: [
                "expected": .array(text.split(separator: ",").map { .string(String($0)) }), "came": .array(came),
            ]
        )
    }
}

extension Expectations.Outcome {
    /// Why nothing ends so by these manifests: none gives the reason, nor does the contract; `nil` if something may.
    func problem(in apps: [AppManifest]) -> ImpossibleExpectation? {
        // Nothing is known of whose events come.
        guard let detail, name != .superseded else { return nil }
        // The first word of a reason that goes on is enough.
        let isBeginning = Reasons.rejectedInWords.contains {
            $0.hasPrefix(detail) && $0.dropFirst(detail.count).first == ":"
        }
        if name == .rejected, isBeginning { return nil }
        return PossibleOutcomes(apps).problem(with: name, because: detail)
    }
}
