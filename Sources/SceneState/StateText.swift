internal import Foundation
internal import SceneRuntime
internal import StrictJSON

/// Values as the texts that the database has of them.
enum StateText {
    /// A text as JSON, in quotes; `null` for none.
    static func of(_ text: String?) -> String { of([text], isList: false) }

    /// Texts as a list in JSON.
    static func list(_ texts: String?...) -> String { of(texts, isList: true) }

    private static func of(_ texts: [String?], isList: Bool) -> String {
        var json = JSONText(capacity: 64)
        func write(_ json: inout JSONText, _ text: String?) {
            if let text { json.value(text) } else { json.value(.null) }
        }
        if isList { json.array(texts, write) } else { texts.forEach { write(&json, $0) } }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func key(_ key: EventKey) -> String { list(key.sender, key.id) }

    /// The text or the texts that ``of(_:)`` or ``list(_:)`` have made a text of.
    static func texts(_ json: String) throws -> [String?] {
        // Most are identifiers.
        let inner = json.utf8.dropFirst().dropLast()
        if json.utf8.first == UInt8(ascii: "\""), !inner.contains(UInt8(ascii: "\\")) {
            return [String(Substring(inner))]
        }
        let value = try JSONValue(parsing: json)
        return (value.arrayValue ?? [value]).map(\.stringValue)
    }

    static func text(_ json: String) throws -> String? { try texts(json).first ?? nil }

    /// The number of an ID that the host has made: of `auto-12`, 12.
    static func number(of id: String, after prefix: String) -> Int? {
        guard id.hasPrefix(prefix) else { return nil }
        let digits = id.utf8.dropFirst(prefix.utf8.count)
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(Substring(digits))
    }
}

/// Writes and reads values as JSON.
///
/// Equal values are written alike but for sets, which have no order.
struct StateCoder {
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init() {
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    func text(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    func value<Value: Decodable>(_ type: Value.Type = Value.self, from text: String) throws -> Value {
        try decoder.decode(type, from: Data(text.utf8))
    }
}
