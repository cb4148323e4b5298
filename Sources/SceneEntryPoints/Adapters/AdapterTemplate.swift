internal import StrictJSON

/// Text with paths or captured names in braces: `qcommerce://{identifier}`. A captured name goes before a path.
struct AdapterTemplate: Hashable, Sendable {
    private let pieces: [Piece]

    private enum Piece: Hashable {
        case literal(String)
        /// The path is `nil` where the text cannot be one; then it has to be a captured name.
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

    /// The names in braces, each with the path it is if it was not captured.
    var names: [(name: String, path: EventPath?)] {
        pieces.compactMap { piece in
            if case .value(let name, let path) = piece { (name, path) } else { nil }
        }
    }

    /// What filling it gave.
    enum Filled: Hashable {
        case text(String)
        /// This path leads nowhere.
        case absent(String)
        /// At this path stands a value of this type.
        case notText(String, String)
    }

    /// The text with every value in place.
    func filled(from event: JSONObject, _ captures: [String: String]) -> Filled {
        fill(from: event, captures) { _, value in value }
    }

    /// The URL with every value in place. A value at the very beginning is a URL itself and stays as it is; in all others
    /// everything but unreserved characters and `/` is percent-encoded, so that a value cannot become a query or a fragment.
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
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                let digits = String(byte, radix: 16, uppercase: true)
                if byte < 16 { bytes.append(UInt8(ascii: "0")) }
                bytes.append(contentsOf: digits.utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
