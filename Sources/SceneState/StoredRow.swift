internal import GRDB

/// A row of one of the tables, which may be damaged.
struct StoredRow {
    private let table: String
    private let row: Row

    /// - Parameter row: Of the table's own columns.
    init(_ row: Row, of table: String) {
        self.table = table
        self.row = row
    }

    /// What a column says.
    /// - Throws: If it is of another kind.
    func value<Value: DatabaseValueConvertible>(_ column: String) throws(WrongValue) -> Value {
        let stored = stored(column)
        guard let value = Value.fromDatabaseValue(stored) else {
            throw wrong(column, "expected \(WrongValue.kind(Value.self)), found \(Self.kind(stored))")
        }
        return value
    }

    /// What a column says that may be NULL.
    /// - Throws: If it is of another kind.
    func valueIfAny<Value: DatabaseValueConvertible>(_ column: String) throws(WrongValue) -> Value? {
        stored(column).isNull ? nil : try value(column)
    }

    /// Whether a column says nothing.
    func isNull(_ column: String) -> Bool { stored(column).isNull }

    /// A text that stands as JSON; `nil` for null there.
    /// - Throws: If it is none.
    func textIfAny(_ column: String) throws(WrongValue) -> String? {
        let json: String = try value(column)
        do {
            return try StateText.text(json)
        } catch {
            throw wrong(column, "expected a text as JSON, found something else")
        }
    }

    /// A text that stands as JSON.
    /// - Throws: If it is none.
    func text(_ column: String) throws(WrongValue) -> String {
        guard let text = try textIfAny(column) else {
            throw wrong(column, "expected a text as JSON, found something else")
        }
        return text
    }

    /// A value that stands as JSON.
    /// - Parameter list: Whether what stands there are the elements of a list.
    /// - Throws: If it is none of that kind.
    func decoded<Value: Decodable>(
        _ column: String,
        by coder: StateCoder,
        asList list: Bool = false
    ) throws(WrongValue) -> Value {
        let json: String = try value(column)
        do {
            return try coder.value(from: list ? "[\(json)]" : json)
        } catch {
            throw wrong(column, WrongValue.problem(error))
        }
    }

    func wrong(_ column: String, _ problem: String) -> WrongValue {
        let key = Self.keys[table].map { ", \($0) \(Self.shown(stored($0)))" } ?? ""
        return WrongValue(place: "table \(table)\(key), column \(column)", problem: problem)
    }

    private func stored(_ column: String) -> DatabaseValue { (row[column] as DatabaseValue?) ?? .null }

    /// The column that tells a row from the others of its table.
    private static let keys = [
        "choice": "place", "event": "place", "purpose": "scene", "record": "number", "scene": "id", "segment": "first",
        "ticket": "scene",
    ]

    private static func shown(_ value: DatabaseValue) -> String {
        // IDs stand in quotes.
        if case .string(let text) = value.storage { text } else { "\(value)" }
    }

    private static func kind(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "nothing"
        case .int64, .double: "a number"
        case .string: "a text"
        case .blob: "bytes"
        }
    }
}

/// What is wrong with a value in the database.
struct WrongValue: Error, CustomStringConvertible {
    /// Its table, what tells its row from the others, and its column.
    let place: String
    /// What was expected.
    let problem: String

    var description: String { "\(place): \(problem)" }
}

extension WrongValue {
    /// What is wrong, in words for people. Errors of the decoders have none.
    static func problem(_ error: any Error) -> String {
        if error is RowDecodingError { return "a value is of another kind than it was written with" }
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, let context):
            return "expected a member \(path(context.codingPath + [key])), found none"
        case .valueNotFound(let type, let context):
            return "\(path(context.codingPath)): expected \(kind(type)), found null"
        case .typeMismatch(let type, let context):
            return "\(path(context.codingPath)): expected \(kind(type)), found something else"
        case .dataCorrupted(let context):
            // It is not even JSON.
            if context.codingPath.isEmpty { return "expected JSON, found something else" }
            return "\(path(context.codingPath)): expected one of the values that there are, found another"
        @unknown default: return "expected another value"
        }
    }

    /// The name of a kind of values.
    static func kind(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "an integer"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "a list"
        default: "another kind of value"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        var path = ""
        for key in keys {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path.isEmpty ? "the whole" : path
    }
}
