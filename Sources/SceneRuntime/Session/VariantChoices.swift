internal import DequeModule
internal import SceneVocabulary

/// To which variant of each destination every user was led first (<doc:WayOfAnEvent#Variants>). It keeps a bounded number of users;
/// whoever was led somewhere first the longest ago is forgotten.
package struct VariantChoices: Sendable {
    /// By user, `nil` for nobody, and by destination.
    private var chosen: [String?: [String: String]] = [:] { didSet { changes += 1 } }
    /// How often something was chosen, or forgotten.
    private(set) var changes = 0
    /// The users, by when something was chosen for them first.
    private var users: Deque<String?> = []

    package init() {}

    /// What was chosen before a restart, in the order chosen.
    init(_ kept: [(user: String?, destination: String, variant: String)]) {
        for choice in kept { _ = keep(choice.variant, of: choice.destination, for: choice.user) }
    }

    /// What was chosen for a user, by destination.
    package func kept(for user: String?) -> [String: String] { chosen[user] ?? [:] }

    /// Keeps what was chosen for a user; one that is kept already gives way only if it is another.
    /// - Returns: Whether it is new.
    mutating func keep(_ variant: String, of destination: String, for user: String?) -> Bool {
        if chosen[user]?[destination] == variant { return false }
        if chosen[user] == nil {
            if users.count >= VariantMemory.users, let first = users.popFirst() { chosen[first] = nil }
            users.append(user)
        }
        chosen[user, default: [:]][destination] = variant
        return true
    }
}
