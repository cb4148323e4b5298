/// A recursive-descent parser of interface files; ``deepest`` bounds its recursion.
struct VarlinkInterfaceParser {
    typealias Token = VarlinkInterfaceScanner.Token

    /// How deep types may nest.
    private static let deepest = 64

    private var scanner: VarlinkInterfaceScanner
    private var token: Token
    private var depth = 0
    /// The names of the types referred to, which are looked up once all declarations are read.
    private var references: [(name: String, offset: Int)] = []

    init(_ text: String) throws(VarlinkSyntaxError) {
        scanner = VarlinkInterfaceScanner(text)
        token = try scanner.next()
    }

    mutating func parse() throws(VarlinkSyntaxError) -> VarlinkInterface {
        let documentation = token.documentation
        try expectWord("interface", "'interface'")
        let name = try word("an interface name such as 'org.example.ping'", VarlinkName.isInterface)
        var interface = VarlinkInterface(name: name, documentation: documentation)
        var offsets: [String: Int] = [:]
        while token.kind != .end {
            let offset = token.offset
            let member = try parseMember()
            guard offsets.updateValue(offset, forKey: member.name) == nil else {
                throw scanner.failure("'\(member.name)' is declared twice", at: offset)
            }
            interface.members.append(member)
        }
        for reference in references where interface.type(reference.name) == nil {
            throw scanner.failure("there is no type '\(reference.name)' in this interface", at: reference.offset)
        }
        return interface
    }

    private mutating func parseMember() throws(VarlinkSyntaxError) -> VarlinkInterface.Member {
        let documentation = token.documentation
        let keyword = token
        let expected = "'type', 'method' or 'error'"
        guard case .word(let word) = keyword.kind else { throw unexpected(expected) }
        let kind: VarlinkInterface.Kind
        let name: String
        switch word {
        case "type":
            name = try memberName()
            let type = try parseStructureOrEnumeration()
            kind = .type(type)
        case "method":
            name = try memberName()
            let parameters = try parseStructure()
            try expectPunctuation("->")
            kind = .method(parameters: parameters, results: try parseStructure())
        case "error":
            name = try memberName()
            kind = .error(parameters: try parseStructure())
        default: throw unexpected(expected)
        }
        return VarlinkInterface.Member(name, kind, documentation: documentation)
    }

    private mutating func memberName() throws(VarlinkSyntaxError) -> String {
        try advance()
        return try word("a name with a capital first letter, of letters and digits", VarlinkName.isMember)
    }

    // MARK: - Types

    private mutating func parseType(nullable: Bool = false) throws(VarlinkSyntaxError) -> VarlinkType {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw scanner.failure("nested deeper than \(Self.deepest) levels", at: token.offset)
        }
        switch token.kind {
        case .punctuation("?"):
            guard !nullable else { throw scanner.failure("'??' is not allowed; write '?'", at: token.offset) }
            try advance()
            return .nullable(try parseType(nullable: true))
        case .punctuation("[]"):
            try advance()
            return .array(try parseType())
        case .punctuation("[string]"):
            try advance()
            return .dictionary(try parseType())
        case .punctuation("("): return try parseStructureOrEnumeration()
        case .word(let word):
            let type: VarlinkType
            switch word {
            case "bool": type = .bool
            case "int": type = .int
            case "float": type = .float
            case "string": type = .string
            case "object": type = .object
            case _ where VarlinkName.isMember(word):
                references.append((word, token.offset))
                type = .named(word)
            default: throw unexpected("a type")
            }
            try advance()
            return type
        default: throw unexpected("a type")
        }
    }

    private mutating func parseStructure() throws(VarlinkSyntaxError) -> [VarlinkField] {
        let start = token
        switch try parseStructureOrEnumeration() {
        case .structure(let fields): return fields
        default: throw scanner.failure("expected fields with types, as in '(name: string)'", at: start.offset)
        }
    }

    /// In a structure a `:` follows the first name, in an enumeration it does not; `()` is a structure.
    private mutating func parseStructureOrEnumeration() throws(VarlinkSyntaxError) -> VarlinkType {
        try expectPunctuation("(")
        if try takePunctuation(")") { return .structure([]) }
        var names: Set<String> = []
        var fields: [VarlinkField] = []
        var symbols: [VarlinkSymbol] = []
        repeat {
            let name = token
            let text = try word("a field name of letters and digits, separated by single '_'", VarlinkName.isField)
            guard names.insert(text).inserted else {
                throw scanner.failure("'\(text)' appears twice", at: name.offset)
            }
            if symbols.isEmpty, fields.isEmpty ? token.kind == .punctuation(":") : true {
                try expectPunctuation(":")
                fields.append(VarlinkField(text, try parseType(), documentation: name.documentation))
            } else {
                symbols.append(VarlinkSymbol(text, documentation: name.documentation))
            }
        } while try takePunctuation(",")
        guard token.kind == .punctuation(")") else { throw unexpected("',' or ')'") }
        try advance()
        return symbols.isEmpty ? .structure(fields) : .enumeration(symbols)
    }

    // MARK: - Tokens

    private mutating func advance() throws(VarlinkSyntaxError) {
        token = try scanner.next()
    }

    private mutating func word(
        _ expected: String,
        _ isValid: (String) -> Bool
    ) throws(VarlinkSyntaxError) -> String {
        guard case .word(let word) = token.kind, isValid(word) else { throw unexpected(expected) }
        try advance()
        return word
    }

    private mutating func expectWord(_ word: String, _ expected: String) throws(VarlinkSyntaxError) {
        guard token.kind == .word(word) else { throw unexpected(expected) }
        try advance()
    }

    private mutating func expectPunctuation(_ text: String) throws(VarlinkSyntaxError) {
        guard try takePunctuation(text) else { throw unexpected("'\(text)'") }
    }

    private mutating func takePunctuation(_ text: String) throws(VarlinkSyntaxError) -> Bool {
        guard token.kind == .punctuation(text) else { return false }
        try advance()
        return true
    }

    private func unexpected(_ expected: String) -> VarlinkSyntaxError {
        scanner.failure("expected \(expected), found \(token.description)", at: token.offset)
    }
}

extension VarlinkInterface {
    /// Parses the text of an interface file.
    /// - Throws: ``VarlinkSyntaxError`` with the place of the first mistake.
    public init(parsing text: String) throws(VarlinkSyntaxError) {
        var parser = try VarlinkInterfaceParser(text)
        self = try parser.parse()
    }
}
