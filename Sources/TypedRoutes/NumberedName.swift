/// A name whose identifier another has, so that its own has a number, which nobody would guess.
package struct NumberedName: Hashable, Sendable, CustomStringConvertible {
    /// In the manifest.
    package let name: String
    /// In Swift, with the types it is in: `Shop.Destination.buyNow_2`.
    package let identifier: String
    private let wanted: String
    private let owner: String?

    init(_ numbered: SwiftNames.Numbered, in scope: String) {
        (name, identifier) = (numbered.name, "\(scope).\(numbered.identifier)")
        (wanted, owner) = (numbered.wanted, numbered.owner)
    }

    /// In one line.
    package var description: String {
        let reason =
            switch owner {
            case name?: "another '\(name)' is '\(wanted)' already"
            case let owner?: "'\(owner)' is '\(wanted)' already"
            case nil: "Swift or the types themselves use '\(wanted)' there"
            }
        return
            "'\(name)' is \(identifier) in Swift, because \(reason); a name of its own in the manifest would be clearer"
    }
}

extension SwiftRoutes {
    /// Keeps which names have a number in a scope.
    mutating func note(_ names: SwiftNames, in scope: String...) {
        let scope = ([name] + scope).joined(separator: ".")
        for one in names.numbered {
            let name = NumberedName(one, in: scope)
            if !numbered.contains(name) { numbered.append(name) }
        }
    }
}
