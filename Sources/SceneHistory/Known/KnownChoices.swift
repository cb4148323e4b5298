internal import SceneVocabulary

/// Which variants of destinations were chosen for users, by the records so far. As much is kept as a host keeps.
struct KnownChoices {
    struct Choice {
        /// The ID of what is shown.
        let variant: String
        /// The index of the record that says so.
        let index: Int
        /// How many reloads there had been, if the dispatch by which it was chosen began after the last; `nil` if it began before, so
        /// that it is not known by which manifest it was chosen.
        let reloads: Int?
    }

    /// Whether the records go back to the host's start, so that every choice is known.
    var isComplete = false
    /// By user and destination.
    private var chosen: [String?: [String: Choice]] = [:]
    /// The users, by when something was chosen for them first.
    private var users: [String?] = []
    private var head = 0

    func choice(of destination: String, for user: String?) -> Choice? { chosen[user]?[destination] }

    mutating func note(_ variant: String, of destination: String, for user: String?, _ index: Int, by reloads: Int?) {
        if chosen[user] == nil {
            users.append(user)
            if users.count - head > VariantMemory.users {
                chosen[users[head]] = nil
                head += 1
            }
            if head > VariantMemory.users {
                users.removeFirst(head)
                head = 0
            }
        }
        chosen[user, default: [:]][destination] = Choice(variant: variant, index: index, reloads: reloads)
    }

    /// Notes what was shown for a destination, if it was chosen before the records begin.
    mutating func learn(_ variant: String, of destination: String, for user: String?, _ index: Int, by reloads: Int?) {
        if isComplete || choice(of: destination, for: user) != nil { return }
        note(variant, of: destination, for: user, index, by: reloads)
    }
}
