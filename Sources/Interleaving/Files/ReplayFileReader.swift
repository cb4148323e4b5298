internal import StrictJSON

/// Takes the members of a replay file, and says of each that is not right what would be.
struct ReplayFileReader {
    private let value: JSONValue
    private let places: JSONPlaces

    init(_ value: JSONValue, in bytes: [UInt8]) {
        self.value = value
        places = JSONPlaces(of: value, in: String(decoding: bytes, as: UTF8.self))
    }

    /// What it is and of which version, before anything else of it is read.
    func requireHeader() throws(ReplayFileError) {
        guard value.objectValue != nil else {
            throw error(at: nil, "it is \(value.typeName), right would be an object")
        }
        guard value["format"]?.stringValue == ReplayFile.format else {
            throw error(
                at: "format",
                "it is no saved run: 'format' must be \"\(ReplayFile.format)\". Give a file that an exploration wrote"
            )
        }
        guard let version = value["version"]?.integerValue else {
            throw error(at: "version", "'version' must be \(ReplayFile.version)")
        }
        guard version == ReplayFile.version else {
            throw error(
                at: "version",
                "it is of version \(version), and this build reads version \(ReplayFile.version): replay it with the build that wrote it, or explore anew with its seed"
            )
        }
    }

    func string(_ key: String) throws(ReplayFileError) -> String {
        guard let text = try optionalString(key) else { throw missing(key, "a string") }
        return text
    }

    func optionalString(_ key: String) throws(ReplayFileError) -> String? {
        guard let member = value[key], !member.isNull else { return nil }
        guard let text = member.stringValue else { throw wrong(key, member, "a string") }
        return text
    }

    func hexadecimal(_ key: String) throws(ReplayFileError) -> UInt64 {
        guard let number = try optionalHexadecimal(key) else { throw missing(key, Self.hexadecimalForm) }
        return number
    }

    func optionalHexadecimal(_ key: String) throws(ReplayFileError) -> UInt64? {
        guard let member = value[key], !member.isNull else { return nil }
        guard let number = member.hexadecimalValue else { throw wrong(key, member, Self.hexadecimalForm) }
        return number
    }

    func optionalNumber(_ key: String) throws(ReplayFileError) -> Int? {
        guard let member = value[key], !member.isNull else { return nil }
        guard let number = member.integerValue, number >= 0 else { throw wrong(key, member, "a number from 0") }
        return number
    }

    /// The names of an enumeration.
    func oneOf<Name: RawRepresentable<String> & CaseIterable>(_ key: String) throws(ReplayFileError) -> Name {
        let names = Name.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        guard let member = value[key] else { throw missing(key, "one of \(names)") }
        guard let name = member.stringValue.flatMap({ Name(rawValue: $0) }) else {
            throw wrong(key, member, "one of \(names)")
        }
        return name
    }

    func numbers(_ key: String) throws(ReplayFileError) -> [Int] {
        guard let member = value[key], !member.isNull else { return [] }
        guard let elements = member.arrayValue else { throw wrong(key, member, "an array of numbers from 0") }
        var numbers: [Int] = []
        for (index, element) in elements.enumerated() {
            guard let number = element.integerValue, number >= 0 else {
                throw wrong(key, element, "a number from 0", element: index)
            }
            numbers.append(number)
        }
        return numbers
    }

    func faults(_ key: String) throws(ReplayFileError) -> [Faults.Kind] {
        let right = "\"cancellation\", or \"slow-executor N\" or \"clock-jump N …\" with nanoseconds above 0"
        guard let member = value[key], !member.isNull else { return [] }
        guard let elements = member.arrayValue else { throw wrong(key, member, "an array of strings") }
        var kinds: [Faults.Kind] = []
        for (index, element) in elements.enumerated() {
            guard let kind = element.stringValue.flatMap({ Faults.Kind($0) }) else {
                throw wrong(key, element, right, element: index)
            }
            kinds.append(kind)
        }
        return kinds
    }

    func deviations(_ key: String) throws(ReplayFileError) -> [Deviation] {
        guard let member = value[key] else { throw missing(key, "an array, which may be empty") }
        guard let elements = member.arrayValue else { throw wrong(key, member, "an array of pairs") }
        var deviations: [Deviation] = []
        for (index, element) in elements.enumerated() {
            guard let pair = element.arrayValue, pair.count == 2, let step = pair[0].integerValue,
                let position = pair[1].integerValue, step >= 0, position >= 1
            else { throw wrong(key, element, "[step from 0, position from 1]", element: index) }
            if let last = deviations.last, last.step >= step {
                throw wrong(key, element, "a step after \(last.step), for they stand in order", element: index)
            }
            deviations.append(Deviation(step: step, position: position))
        }
        return deviations
    }

    private static let hexadecimalForm = "a string of 0x and up to 16 hexadecimal digits"

    private func missing(_ key: String, _ right: String) -> ReplayFileError {
        error(at: nil, "'\(key)' is missing: it must be \(right)")
    }

    private func wrong(_ key: String, _ found: JSONValue, _ right: String, element: Int? = nil) -> ReplayFileError {
        let name = element.map { "'\(key)[\($0)]'" } ?? "'\(key)'"
        let text = found.text()
        return error(at: key, element: element, "\(name) is \(text.prefix(60)), right would be \(right)")
    }

    private func error(at key: String?, element: Int? = nil, _ problem: String) -> ReplayFileError {
        var place = places.place
        if let key, let member = places.members[key] {
            place = member.value.place
            if let element, member.value.elements.indices.contains(element) {
                place = member.value.elements[element].place
            }
        }
        return ReplayFileError(line: place.line, column: place.column, problem: problem)
    }
}
