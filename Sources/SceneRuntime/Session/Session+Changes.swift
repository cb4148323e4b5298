internal import Basics
package import SceneNavigation
package import SceneRouting

extension Session {
    /// Makes changes in order, in one commit. If they change nothing there is no commit.
    ///
    /// - Parameter isDue: Decides by the snapshot on which the changes are made, with no commit in between, whether they are
    ///   made at all.
    /// - Returns: The newest snapshot, or `nil` if the changes were not due.
    /// - Throws: ``SessionError``; nothing was committed then.
    @discardableResult
    package func apply(
        _ changes: [SessionChange],
        origin: CommitOrigin,
        isDue: @Sendable (SessionSnapshot) -> Bool = { _ in true }
    ) throws(SessionError) -> SessionSnapshot? {
        guard !isStopped else { throw .draining }
        let current = snapshot
        guard isDue(current) else { return nil }
        var user = current.user
        var isStale = current.isStale
        var facts = current.facts
        try declarations.apply(changes, user: &user, isStale: &isStale, facts: &facts)
        try FactDeclarations.check(sizeOf: facts, after: current.facts)
        let endsSignIn = changes.contains(where: \.endsSignIn)
        let committed = commit(
            user: user,
            isStale: isStale,
            facts: facts,
            endsSignIn ? SessionDeadlines() : deadlines,
            origin: origin
        )
        if endsSignIn { endTimers() }
        return committed
    }
}

extension FactDeclarations {
    /// Applies changes to a user, whether the sign-in is stale, and facts.
    /// - Throws: ``SessionError/invalidFact(fact:reason:)``, ``SessionError/invalidUser(reason:)``.
    package func apply(
        _ changes: [SessionChange],
        user: inout String?,
        isStale: inout Bool,
        facts: inout [String: FactValue]
    ) throws(SessionError) {
        for change in changes {
            switch change {
            case .set(let fact, let value): facts[fact] = try read(value, for: fact)
            case .append(let fact, let element):
                let value = try read(.strings([element]), for: fact)
                guard case .strings(let elements) = value, let element = elements.first else { continue }
                guard case .strings(let list)? = facts[fact], !list.isEmpty else {
                    facts[fact] = value
                    continue
                }
                if list.contains(where: { $0.hasSameBytes(as: element) }) { continue }
                let longer = FactValue.strings(list + [element])
                try Self.check(sizeOf: longer, fact)
                facts[fact] = longer
            case .remove(let fact, let element):
                let value = try read(.strings([element]), for: fact)
                guard case .strings(let elements) = value, let element = elements.first else { continue }
                guard case .strings(let list)? = facts[fact] else { continue }
                facts[fact] = .strings(list.filter { !$0.hasSameBytes(as: element) })
            case .add(let fact, let amount):
                facts[fact] = try sum(of: facts[fact], and: amount, for: fact)
            case .reset(let fact):
                try check(names: [fact])
                facts[fact] = defaultValue(of: fact)
            case .signIn(let next):
                try SessionError.check(user: next)
                if user != nil, user != next { facts = resettingUserFacts(facts) }
                user = next
                isStale = false
            case .signOut:
                if user != nil { facts = resettingUserFacts(facts) }
                user = nil
                isStale = false
            case .markStale: isStale = user != nil
            }
        }
    }
}

extension SessionChange {
    /// Whether the sign-in before it ends, or a new one takes its place.
    fileprivate var endsSignIn: Bool {
        switch self {
        case .signIn, .signOut: true
        case .set, .append, .remove, .add, .reset, .markStale: false
        }
    }
}
