package import StrictJSON

/// Integers that arithmetic overflows with, for the numbers of a file that anybody may have written.
package let extremeIntegers = [Int.max, .max - 1, 1 << 62, 1 << 53, 1 << 31, 0, -1, .min]

extension JSONValue {
    package var withExtremeIntegers: [(path: String, value: JSONValue)] { with(extremeIntegers) }

    /// The value with one of its integers replaced, once for each integer in it and each of `integers`. Of the elements of an
    /// array only the first and the last are taken.
    /// - Returns: the path to the integer and the value.
    package func with(_ integers: [Int]) -> [(path: String, value: JSONValue)] {
        switch self {
        case .integer, .number: return integers.map { (" = \($0)", .integer($0)) }
        case .array(let elements):
            return Set([0, elements.count - 1]).filter(elements.indices.contains).sorted().flatMap { index in
                elements[index].with(integers).map { path, value in
                    var changed = elements
                    changed[index] = value
                    return ("[\(index)]\(path)", .array(changed))
                }
            }
        case .object(let members):
            return members.flatMap { key, member in
                member.with(integers).map { path, value in
                    var changed = members
                    changed[key] = value
                    return (".\(key)\(path)", .object(changed))
                }
            }
        case .null, .bool, .string: return []
        }
    }
}
