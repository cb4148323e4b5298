/// Names that may be referred to: in order for messages, and quick to ask.
struct NameList {
    let names: [String]
    /// Each name's first position.
    let index: [String: Int]

    init(_ names: [String]) {
        self.names = names
        index = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    func contains(_ name: String) -> Bool { index[name] != nil }
}
