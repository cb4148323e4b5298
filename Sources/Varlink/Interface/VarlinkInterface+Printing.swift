extension VarlinkInterface: CustomStringConvertible {
    /// The text of an interface file: the declarations with their comments, each on one line if it fits.
    public var description: String {
        var text = VarlinkInterfacePrinter.comment(documentation, indent: 0) + "interface \(name)\n"
        for member in members {
            text += "\n" + VarlinkInterfacePrinter.comment(member.documentation, indent: 0)
            switch member.kind {
            case .type(let type):
                text += VarlinkInterfacePrinter.lines("type \(member.name) ", [type])
            case .method(let parameters, let results):
                text += VarlinkInterfacePrinter.lines(
                    "method \(member.name)",
                    [.structure(parameters), .structure(results)]
                )
            case .error(let parameters):
                text += VarlinkInterfacePrinter.lines("error \(member.name) ", [.structure(parameters)])
            }
            text += "\n"
        }
        return text
    }
}

extension VarlinkType: CustomStringConvertible {
    /// The type as written in an interface file, on one line and without comments.
    public var description: String { VarlinkInterfacePrinter.line(self) }
}

/// Lays types out: on one line if that is short and there are no comments to show, else with one line for each field.
enum VarlinkInterfacePrinter {
    private static let width = 80

    static func lines(_ start: String, _ types: [VarlinkType]) -> String {
        let line = start + types.map(line).joined(separator: " -> ")
        guard line.utf8.count > width || types.contains(where: hasComments) else { return line }
        return start + types.map { block($0, indent: 0) }.joined(separator: " -> ")
    }

    static func comment(_ documentation: String, indent: Int) -> String {
        guard !documentation.isEmpty else { return "" }
        return documentation.split(separator: "\n", omittingEmptySubsequences: false)
            .map { spaces(indent) + ($0.isEmpty ? "#" : "# \($0)") + "\n" }.joined()
    }

    static func line(_ type: VarlinkType) -> String {
        switch type {
        case .bool: "bool"
        case .int: "int"
        case .float: "float"
        case .string: "string"
        case .object: "object"
        case .nullable(let type): "?" + line(type)
        case .array(let type): "[]" + line(type)
        case .dictionary(let type): "[string]" + line(type)
        case .structure(let fields): "(" + fields.map { "\($0.name): \(line($0.type))" }.joined(separator: ", ") + ")"
        case .enumeration(let symbols): "(" + symbols.map(\.name).joined(separator: ", ") + ")"
        case .named(let name): name
        }
    }

    private static func block(_ type: VarlinkType, indent: Int) -> String {
        let short = line(type)
        if !hasComments(type), indent + short.utf8.count <= width / 2 { return short }
        switch type {
        case .bool, .int, .float, .string, .object, .named: return short
        case .nullable(let type): return "?" + block(type, indent: indent)
        case .array(let type): return "[]" + block(type, indent: indent)
        case .dictionary(let type): return "[string]" + block(type, indent: indent)
        case .structure(let fields):
            return rows(fields, indent) {
                "\($0.name): \(block($0.type, indent: indent + 2))"
            } comment: {
                $0.documentation
            }
        case .enumeration(let symbols):
            return rows(symbols, indent) {
                $0.name
            } comment: {
                $0.documentation
            }
        }
    }

    private static func rows<Row>(
        _ rows: [Row],
        _ indent: Int,
        _ text: (Row) -> String,
        comment documentation: (Row) -> String
    ) -> String {
        let inner = rows.map { row in
            comment(documentation(row), indent: indent + 2) + spaces(indent + 2) + text(row)
        }
        return rows.isEmpty ? "()" : "(\n" + inner.joined(separator: ",\n") + "\n" + spaces(indent) + ")"
    }

    private static func hasComments(_ type: VarlinkType) -> Bool {
        switch type {
        case .bool, .int, .float, .string, .object, .named: false
        case .nullable(let type), .array(let type), .dictionary(let type): hasComments(type)
        case .structure(let fields): fields.contains { !$0.documentation.isEmpty || hasComments($0.type) }
        case .enumeration(let symbols): symbols.contains { !$0.documentation.isEmpty }
        }
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
