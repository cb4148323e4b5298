internal import SceneRouting
internal import StrictJSON

/// Text with paths or captured names in braces: `qcommerce://{identifier}`. A captured name takes precedence over a path.
struct AdapterTemplate: Hashable, Sendable {
    private let pieces: [Piece]

    private enum Piece: Hashable {
        case literal(String)
        /// A name in braces. The path is `nil` if the name cannot be one; then it must be that of a capture.
        case value(String, EventPath?)
    }

    init(_ text: String) throws(CapturePattern.Invalid) {
        var pieces: [Piece] = []
        for piece in try BracedText.pieces(text) {
            switch piece {
            case .literal(let literal): pieces.append(.literal(literal))
            case .braced(let name):
                guard !name.isEmpty else { throw CapturePattern.Invalid(reason: "braces without a name") }
                pieces.append(.value(name, EventPath(name)))
            }
        }
        self.pieces = pieces
    }

    /// The names in braces, each with the path that it is unless it was captured.
    var names: [(name: String, path: EventPath?)] {
        pieces.compactMap { piece in
            if case .value(let name, let path) = piece { (name, path) } else { nil }
        }
    }

    /// The result of filling a template.
    enum Filled: Hashable {
        case text(String)
        /// There is no value at this path.
        case absent(String)
        /// The value at this path has this other type.
        case notText(String, String)
    }

    /// The text with all values inserted.
    func filled(from event: JSONObject, _ captures: [String: String]) -> Filled {
        fill(from: event, captures) { _, value in value }
    }

    /// The URL with all values inserted. A value at the very beginning is a URL itself and stays as it is. In all others
    /// everything except unreserved characters and `/` is escaped, so that a value cannot become a query or a fragment.
    func filledAsURL(from event: JSONObject, _ captures: [String: String]) -> Filled {
        fill(from: event, captures) { index, value in index == 0 ? value : Self.percentEncoded(value) }
    }

    private func fill(
        from event: JSONObject,
        _ captures: [String: String],
        _ transform: (Int, String) -> String
    ) -> Filled {
        var text = ""
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal): text += literal
            case .value(let name, let path):
                if let capture = captures[name] {
                    text += transform(index, capture)
                    continue
                }
                switch path?.text(in: event) ?? .absent {
                case .text(let value): text += transform(index, value)
                case .absent: return .absent(name)
                case .notText(let type): return .notText(name, type)
                }
            }
        }
        return .text(text)
    }

    private static func percentEncoded(_ text: String) -> String {
        text.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
            .joined(separator: "/")
    }
}
