/// The automaton of activation states.
extension Activation {
    /// The states that a scene may go to from this one (<doc:Scenes#Activation>). Disconnecting and discarding are
    /// not among them: they are always allowed.
    public var successors: Set<Activation> {
        switch self {
        case .unattached: [.foregroundInactive]
        case .foregroundInactive: [.foregroundActive, .background]
        case .foregroundActive: [.foregroundInactive]
        case .background: [.foregroundInactive]
        }
    }

    /// The states on the way to `foregroundActive`, that one included; empty when it is there already.
    var stepsToForegroundActive: [Activation] {
        switch self {
        case .unattached, .background: [.foregroundInactive, .foregroundActive]
        case .foregroundInactive: [.foregroundActive]
        case .foregroundActive: []
        }
    }
}
