/// What is known of accounts. Each window has a thread of its own, so any of them may ask at any time; a coordinator decides at once,
/// so whatever takes time, such as a request, is done by a screen, which then reports an intent.
public protocol Accounts: Sendable {
    /// Whether this user signs in with a code.
    func needsCode(_ user: String) -> Bool
    /// Whether the code is the user's.
    func accepts(_ code: String, of user: String) -> Bool
}

/// What is known of offers.
public protocol Offers: Sendable {
    /// The offer that stands in the place of this one, which is the same while it lasts; `nil` if none does.
    func current(_ id: String) -> String?
}

/// Accounts to begin with: anna is known on this device; all others enter 123456. Put yours here.
public struct SampleAccounts: Accounts {
    /// The sample.
    public init() {}

    /// False for anna alone.
    public func needsCode(_ user: String) -> Bool { user != "anna" }

    /// True for 123456.
    public func accepts(_ code: String, of user: String) -> Bool { code == "123456" }
}

/// Offers to begin with: o2 has come after o1, and o3 is over. Put yours here.
public struct SampleOffers: Offers {
    /// The sample.
    public init() {}

    /// Another offer for o1, none for o3.
    public func current(_ id: String) -> String? {
        switch id {
        case "o1": "o2"
        case "o3": nil
        default: id
        }
    }
}
