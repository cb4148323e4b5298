/// A word of the daemon's: one of those that this client knows, or another one of a newer daemon.
public enum ClientWord<Known: RawRepresentable<String> & Hashable & Sendable>: Hashable, Sendable {
    /// A word of the vocabulary.
    case known(Known)
    /// A word that this client does not know, as the daemon wrote it.
    case other(String)

    init(_ text: String) { self = Known(rawValue: text).map(Self.known) ?? .other(text) }

    /// The word where this client knows it.
    public var known: Known? { if case .known(let known) = self { known } else { nil } }

    /// Whether it is this word.
    public static func == (word: Self, known: Known) -> Bool { word.known == known }

    /// Whether it is another word.
    public static func != (word: Self, known: Known) -> Bool { word.known != known }
}

extension ClientWord: CustomStringConvertible {
    /// The word as the daemon wrote it.
    public var description: String {
        switch self {
        case .known(let known): known.rawValue
        case .other(let text): text
        }
    }
}
