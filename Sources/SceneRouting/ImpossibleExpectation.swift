/// What is wrong with a part of an expectation: nothing can ever be so.
package struct ImpossibleExpectation: Error {
    /// What is wrong, as a sentence without its end.
    package let message: String
    /// What would be right.
    package var expected: String?
    /// The name that is wrong, and those among which the right one may be.
    package var meant: (name: String, known: [String])?

    package init(_ message: String, expected: String? = nil, meant: (name: String, known: [String])? = nil) {
        self.message = message
        self.expected = expected
        self.meant = meant
    }

    /// A name that is none of `known`.
    package init(no noun: String, _ name: String, among known: [String]) {
        self.init("there is no \(noun) '\(name)'", oneOf: known, for: name)
    }

    package init(_ message: String, oneOf known: [String], for name: String) {
        self.init(
            message,
            // Enough for every reason of the contract.
            expected: known.isEmpty
                ? nil : "one of \(known.prefix(60).joined(separator: ", "))\(known.count > 60 ? " …" : "")",
            meant: (name, known)
        )
    }

    /// What a check finds; `nil` if that is nothing.
    package static func of(_ check: () throws(ImpossibleExpectation) -> Void) -> ImpossibleExpectation? {
        do throws(ImpossibleExpectation) {
            try check()
            return nil
        } catch {
            return error
        }
    }
}

extension ImpossibleExpectation: CustomStringConvertible {
    /// The message as a whole sentence, with what would be right.
    package var description: String {
        let nearest = meant.flatMap { Spelling.nearest(to: $0.name, among: $0.known) }
        return message + (nearest.map { "; did you mean '\($0)'?" } ?? expected.map { "; expected \($0)." } ?? ".")
    }
}

/// Names in their order, found without looking at all of them.
package struct KnownNames: Sendable {
    package private(set) var list: [String] = []
    private var known: Set<String> = []

    package init(_ names: some Sequence<String> = []) { for name in names { insert(name) } }

    package mutating func insert(_ name: String) {
        if known.insert(name).inserted { list.append(name) }
    }

    package func contains(_ name: String) -> Bool { known.contains(name) }
}
