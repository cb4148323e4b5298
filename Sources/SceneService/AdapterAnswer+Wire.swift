internal import SceneEntryPoints
internal import SceneRouting
internal import StrictJSON

/// What is wrong with an adapter's answer.
struct AdapterAnswerError: Error {
    let reason: String
}

extension AdapterAnswer {
    /// How many bytes a reason may have: a trial answers with those of all adapters.
    private static let longestReason = 1_024
    /// The longest answer, in bytes of JSON, so that whatever is said about it fits into any reply.
    static let longest = 32 << 10

    /// Reads the parameters of `io.scened.Adapters.Answer`.
    init(_ parameters: JSONObject) throws(AdapterAnswerError) {
        let bytes = JSONValue.object(parameters).text().utf8.count
        guard bytes <= Self.longest else {
            throw AdapterAnswerError(reason: "the answer has \(bytes) bytes, expected at most \(Self.longest)")
        }
        let members = ["url", "destination", "handled", "declined", "refused"]
        let given = members.filter { parameters[$0].map { !$0.isNull && $0 != false } ?? false }
        guard given.count == 1, let member = given.first else {
            let found = given.isEmpty ? "none" : given.joined(separator: " and ")
            throw AdapterAnswerError(
                reason: "expected one of url, destination, handled, declined and refused, found \(found)"
            )
        }
        let warnings = (parameters["warnings"]?.arrayValue ?? []).compactMap(\.stringValue)
        let user = parameters["user"]?.stringValue
        if user != nil, member != "url", member != "destination" {
            throw AdapterAnswerError(reason: "user: expected nothing with \(member), found a text")
        }
        if let user, let problem = NameRule.problem(user) { throw AdapterAnswerError(reason: "user: \(problem)") }
        if member == "handled" {
            self = .request(.handled, warnings: warnings)
            return
        }
        let text = parameters.text(member)
        if member == "declined" || member == "refused", !(1...Self.longestReason).contains(text.utf8.count) {
            throw AdapterAnswerError(
                reason: "\(member): expected a reason of 1 to \(Self.longestReason) bytes, found \(text.utf8.count)"
            )
        }
        switch member {
        case "url":
            guard let request = AdaptedRequest(opening: text) else {
                throw AdapterAnswerError(reason: "url: expected an absolute URL, found one without a scheme")
            }
            self = .request(request, user: user, warnings: warnings)
        case "destination":
            let destination = Destination(parameters["destination"]?.objectValue ?? [:])
            self = .request(.destination(destination), user: user, warnings: warnings)
        case "declined": self = .declined(reason: text)
        default: self = .refused(reason: text)
        }
    }
}
