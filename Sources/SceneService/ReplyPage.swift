internal import StrictJSON
internal import Varlink

/// Which part of a list a client asks for, by the parameters `after` and `limit`. The answer says what follows by `next`.
struct ReplyPage: Sendable {
    /// The place in the list after which to begin; 0 is the beginning.
    let after: Int
    /// How many elements the client wants at most.
    let limit: Int

    /// How many elements a page has if the client does not say.
    private static let usualLimit = 1_000
    /// How many elements a page has at most, usually.
    static let greatestLimit = 10_000

    /// Reads the parameters, or answers the call with the one that is invalid.
    /// - Parameter greatest: How many elements a page has at most.
    init?(_ request: VarlinkRequest, _ responder: VarlinkResponder, upTo greatest: Int = greatestLimit) {
        after = request.parameters["after"]?.integerValue ?? 0
        limit = request.parameters["limit"]?.integerValue ?? Self.usualLimit
        guard after >= 0 else {
            responder.fail(.invalidParameter("after"))
            return nil
        }
        guard (1...greatest).contains(limit) else {
            responder.fail(.invalidParameter("limit"))
            return nil
        }
    }

    /// The size of a page, in bytes of JSON, after which the rest is left to the next one.
    fileprivate static let bytes = 256 << 10
}

extension JSONText {
    /// Writes an array of as many of `elements` as fit in a page; at least one, however long it is.
    /// - Returns: How many were written.
    mutating func page<Element>(_ elements: [Element], _ body: (inout JSONText, Element) -> Void) -> Int {
        var written = 0
        array { json in
            let start = json.count
            for element in elements {
                let end = json.end
                body(&json, element)
                if json.count - start > ReplyPage.bytes, written > 0 { return json.takeBack(to: end) }
                written += 1
            }
        }
        return written
    }
}
