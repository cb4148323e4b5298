package import SceneRouting
internal import StrictJSON

// How much memory values take that come from outside: the bytes of their text, as JSON writes it, and a round sum for each
// part. The sums depend on nothing but the value, so that what is counted when a value comes is what is taken off when it
// goes.

extension String {
    /// The bytes of the text as JSON writes it, and those of the value that refers to it. A control character, of which JSON
    /// makes six bytes, counts as six: what was accepted by this measure also fits into a message that hands it back.
    package var footprint: Int { 16 + lengthInJSON }
}

extension [String: String] {
    package var footprint: Int { reduce(0) { $0 + $1.key.footprint + $1.value.footprint } }
}

extension Destination {
    /// About how many bytes of memory it takes.
    package var footprint: Int { id.footprint + 16 + parameters.footprint }
}

extension [Destination] {
    package var footprint: Int { reduce(0) { $0 + $1.footprint } }
}

extension WindowState {
    /// About how many bytes of memory it takes.
    package var footprint: Int {
        let tabs = tabs.reduce(0) { $0 + $1.id.footprint + $1.stack.footprint }
        return modals.reduce(tabs) { $0 + ($1.flow?.footprint ?? 0) + 16 + $1.stack.footprint }
    }
}

extension NavOp {
    /// About how many bytes of memory the screens take that it adds.
    package var footprint: Int {
        switch self {
        case .dismissModals, .selectTab, .popTo: 0
        case .push(_, let screen), .update(_, _, let screen), .updateModal(_, _, let screen): screen.footprint
        case .setStack(_, let stack), .setModalStack(_, let stack): stack.footprint
        case .present(let modal): modal.stack.footprint
        case .setRoot(let tabs, _): tabs.reduce(0) { $0 + $1.stack.footprint }
        }
    }
}

extension FactValue {
    /// About how many bytes of memory it takes.
    package var footprint: Int {
        switch self {
        case .string(let text): text.footprint
        case .strings(let texts): texts.reduce(16) { $0 + $1.footprint }
        case .integer, .number, .boolean: 16
        }
    }
}

extension [String: FactValue] {
    package var footprint: Int { reduce(0) { $0 + $1.key.footprint + $1.value.footprint } }
}

extension FlowResult {
    /// About how many bytes of memory it takes.
    package var footprint: Int {
        switch self {
        case .cancelled: 0
        case .completed(let completion):
            (completion.user?.footprint ?? 0) + completion.facts.footprint + completion.values.footprint
        }
    }
}
