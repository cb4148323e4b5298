internal import Basics

/// Where the parts of a value begin in its JSON text, for messages about them.
package struct JSONPlaces: Sendable {
    /// A line and a column, both from 1; columns count bytes.
    package struct Place: Hashable, Sendable {
        package let line: Int
        package let column: Int
    }

    /// Where the value begins.
    package let place: Place
    private var members: [ByteKey: (name: Place, value: JSONPlaces)] = [:]
    /// The places of each element.
    package private(set) var elements: [JSONPlaces] = []

    /// Finds the places of a value's parts.
    /// - Parameters:
    ///   - value: the result of parsing `text`.
    ///   - text: the JSON text. With any other text the places are wrong, but nothing worse happens.
    package init(of value: JSONValue, in text: String) {
        var scanner = Scanner(bytes: Array(text.utf8))
        self = scanner.places(of: value)
    }

    /// Where the name of the member with this key begins, and the places of its value; `nil` if there is none.
    package subscript(key: String) -> (name: Place, value: JSONPlaces)? { members[ByteKey(key)] }

    /// Where the value at this path begins; if there is none, where the last value on the way to it begins.
    package func place(at path: JSONPath) -> Place {
        var here = self
        for step in path.steps {
            switch step {
            case .member(let key):
                guard let member = here[key] else { return here.place }
                here = member.value
            case .element(let index):
                guard here.elements.indices.contains(index) else { return here.place }
                here = here.elements[index]
            }
        }
        return here.place
    }

    fileprivate init(place: Place) {
        self.place = place
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0
        var line = 1
        var lineStart = 0

        mutating func places(of value: JSONValue) -> JSONPlaces {
            skipWhiteSpace()
            var places = JSONPlaces(place: here)
            switch value {
            case .object(let object):
                position += 1
                if object.isEmpty { skipWhiteSpace() }
                for (key, member) in object {
                    skipWhiteSpace()
                    let name = here
                    skipString()
                    skipWhiteSpace()
                    position += 1
                    places.members[ByteKey(key)] = (name, self.places(of: member))
                    skipWhiteSpace()
                    position += 1
                }
                if object.isEmpty { position += 1 }
            case .array(let array):
                position += 1
                if array.isEmpty { skipWhiteSpace() }
                for element in array {
                    places.elements.append(self.places(of: element))
                    skipWhiteSpace()
                    position += 1
                }
                if array.isEmpty { position += 1 }
            case .string: skipString()
            case .null, .bool, .integer, .number:
                while position < bytes.count, !Self.ends.contains(bytes[position]) { position += 1 }
            }
            return places
        }

        private static let ends = Array(",]} \t\n\r".utf8)

        private var here: Place { Place(line: line, column: position - lineStart + 1) }

        private mutating func skipWhiteSpace() {
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "\n"):
                    position += 1
                    line += 1
                    lineStart = position
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
                default: return
                }
            }
        }

        private mutating func skipString() {
            position += 1
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            position += 1
        }
    }
}
