import SwiftParser
import SwiftSyntax
import Weaving

/// Finds every place of a source that an operator can change so that the source still compiles, as far as its text tells.
///
/// Each change only inserts text, on the line where it is. So all of them fit into one source, one within the other, and a
/// message of the compiler tells by its line which of them it means.
public struct OperatorFinder {
    private init() {}

    /// The mutants of a source, in the order of their places.
    /// - Parameter file: The source's path, for the names.
    public static func mutants(of source: String, file: String) -> [OperatorMutant] {
        let tree = Parser.parse(source: source)
        let visitor = Visitor(source: source, file: file, tree: tree)
        visitor.walk(tree)
        return visitor.mutants
    }
}

private final class Visitor: SyntaxVisitor {
    private(set) var mutants: [OperatorMutant] = []
    private let source: [UInt8]
    private let file: String
    private let lines: [Substring]
    private let locations: SourceLocationConverter
    /// The names of what encloses the present place.
    private var path: [String] = []
    private var counts: [String: Int] = [:]
    /// How many bodies enclose the present place; outside of bodies nothing is changed.
    private var bodies = 0
    /// The names of variables that are declared without a value: each way has to give them one.
    private var deferred: Set<String> = []
    /// How many initialisers do. What they leave out would not compile.
    private var initializers = 0

    init(source: String, file: String, tree: SourceFileSyntax) {
        self.source = Array(source.utf8)
        self.file = file
        lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        locations = SourceLocationConverter(fileName: file, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: - Where it is

    private func enter(_ name: String) -> SyntaxVisitorContinueKind {
        path.append(name)
        return .visitChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: ClassDeclSyntax) { path.removeLast() }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: StructDeclSyntax) { path.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: EnumDeclSyntax) { path.removeLast() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: ActorDeclSyntax) { path.removeLast() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.extendedType.trimmedDescription.filter { $0.isLetter })
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { path.removeLast() }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        path.append(node.name.text.filter { $0.isLetter || $0.isNumber })
        leave(node)
        return .visitChildren
    }
    override func visitPost(_ node: FunctionDeclSyntax) { path.removeLast() }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        initializers += 1
        return enter("init")
    }
    override func visitPost(_ node: InitializerDeclSyntax) {
        initializers -= 1
        path.removeLast()
    }
    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        node.accessorBlock == nil ? .visitChildren : enter(node.pattern.trimmedDescription)
    }
    override func visitPost(_ node: PatternBindingSyntax) { if node.accessorBlock != nil { path.removeLast() } }

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        // The top of a file is no body.
        if node.parent?.is(SourceFileSyntax.self) == true { return .visitChildren }
        bodies += 1
        for item in node {
            guard case .decl(let declaration) = item.item, let variable = declaration.as(VariableDeclSyntax.self) else {
                continue
            }
            for binding in variable.bindings where binding.initializer == nil && binding.accessorBlock == nil {
                deferred.insert(binding.pattern.trimmedDescription)
            }
        }
        if initializers == 0, node.count > 1 || isPlain(node) { statements(Array(node)) }
        return .visitChildren
    }
    override func visitPost(_ node: CodeBlockItemListSyntax) {
        if node.parent?.is(SourceFileSyntax.self) != true { bodies -= 1 }
    }

    // What is no code of a body: defaults, attributes, patterns, types.
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: FunctionSignatureSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AvailabilityConditionSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: TypeAnnotationSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: SwitchCaseLabelSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: SubscriptCallExprSyntax) -> SyntaxVisitorContinueKind { .visitChildren }

    // MARK: - The operators

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        guard case .expression(let condition) = node.condition else { return .visitChildren }
        // What follows an endless loop is never reached, and need not return anything.
        if condition.is(BooleanLiteralExprSyntax.self) { return .skipChildren }
        negate(condition)
        return .visitChildren
    }

    /// A comparison or a combination of truths is one itself.
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let operators = node.elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator.text }
        let isTruth = operators.contains { ["==", "!=", "<", "<=", ">", ">=", "&&", "||", "===", "!=="].contains($0) }
        let isMore =
            operators.contains { $0.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains($0) }
            || node.elements.contains {
                $0.is(AssignmentExprSyntax.self) || $0.is(UnresolvedTernaryExprSyntax.self)
            }
        if isTruth, !isMore, node.parent?.is(ConditionElementSyntax.self) != true { negate(ExprSyntax(node)) }
        return .visitChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard let value = Int(node.literal.text.filter { $0 != "_" }), value < .max else { return .skipChildren }
        wrap(.constant, Syntax(node), "(\(OperatorMutant.placeholder) ? \(value + 1) : ", ")")
        return .skipChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let other = node.literal.text == "true" ? "false" : "true"
        wrap(.constant, Syntax(node), "(\(OperatorMutant.placeholder) ? \(other) : ", ")")
        return .skipChildren
    }

    private func negate(_ condition: ExprSyntax) {
        wrap(.negate, Syntax(condition), "((", ") != \(OperatorMutant.placeholder))")
    }

    private func leave(_ node: FunctionDeclSyntax) {
        guard let body = node.body, body.statements.count > 1 else { return }
        let type = node.signature.returnClause?.type
        let value: String
        if type == nil {
            value = ""
        } else if type?.is(OptionalTypeSyntax.self) == true {
            value = " nil"
        } else if type?.is(ArrayTypeSyntax.self) == true {
            value = " []"
        } else {
            return
        }
        let place = body.leftBrace.endPositionBeforeTrailingTrivia.utf8Offset
        bodies += 1
        add(
            .leave,
            Syntax(body.leftBrace),
            [
                .init(
                    place: place,
                    side: .before(length: .max),
                    text: " if \(OperatorMutant.placeholder) { return\(value) };"
                )
            ]
        )
        bodies -= 1
    }

    private func statements(_ items: [CodeBlockItemSyntax]) {
        for (item, next) in zip(items, items.dropFirst().map(Optional.some) + [nil]) where isDroppable(item) {
            wrap(.drop, Syntax(item.item), "if !\(OperatorMutant.placeholder) { ", " }")
            guard let next, isDroppable(next), isOrdered(item, next) else { continue }
            let end = next.item.endPositionBeforeTrailingTrivia.utf8Offset
            let (start, length) = range(of: Syntax(item.item))
            add(
                .swap,
                Syntax(item.item),
                [
                    .init(place: start, side: .before(length: length), text: "if !\(OperatorMutant.placeholder) { "),
                    .init(place: start + length, side: .after(length: length), text: " }"),
                    .init(
                        place: end,
                        side: .after(length: .max),
                        text: "; if \(OperatorMutant.placeholder) { \(oneLine(item.item)) }"
                    ),
                ]
            )
        }
    }

    /// A call whose value nobody takes, or an assignment.
    private func isDroppable(_ item: CodeBlockItemSyntax) -> Bool {
        guard case .expr(var expression) = item.item else { return false }
        while true {
            if let attempt = expression.as(TryExprSyntax.self) {
                expression = attempt.expression
            } else if let waiting = expression.as(AwaitExprSyntax.self) {
                expression = waiting.expression
            } else {
                break
            }
        }
        if let call = expression.as(FunctionCallExprSyntax.self) {
            let name = call.calledExpression.trimmedDescription
            return !["fatalError", "preconditionFailure", "exit"].contains(name)
        }
        guard let sequence = expression.as(SequenceExprSyntax.self), let first = sequence.elements.first,
            sequence.elements.contains(where: {
                $0.is(AssignmentExprSyntax.self)
                    || ["+=", "-="].contains($0.as(BinaryOperatorExprSyntax.self)?.operator.text ?? "")
            })
        else { return false }
        return !first.is(DiscardAssignmentExprSyntax.self) && !deferred.contains(first.trimmedDescription)
    }

    /// Whether it matters which of two statements comes first. It does not for two members of an object, and for two
    /// assignments of which one gives a plain value, if neither mentions what the other sets.
    private func isOrdered(_ first: CodeBlockItemSyntax, _ second: CodeBlockItemSyntax) -> Bool {
        let texts = [first.item.trimmedDescription, second.item.trimmedDescription]
        if texts.allSatisfy({ $0.hasPrefix("json.member(") }) { return false }
        let assignments = [first, second].compactMap(assignment)
        guard assignments.count == 2, assignments.contains(where: \.isPlain) else { return true }
        return texts[0].contains(assignments[1].target) || texts[1].contains(assignments[0].target)
    }

    /// What an assignment sets, and whether to a literal.
    private func assignment(_ item: CodeBlockItemSyntax) -> (target: String, isPlain: Bool)? {
        guard case .expr(let expression) = item.item, let sequence = expression.as(SequenceExprSyntax.self),
            let target = sequence.elements.first,
            sequence.elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true,
            let value = sequence.elements.last
        else { return nil }
        let isPlain =
            value.is(NilLiteralExprSyntax.self) || value.is(BooleanLiteralExprSyntax.self)
            || value.is(IntegerLiteralExprSyntax.self) || ["[]", "[:]"].contains(value.trimmedDescription)
        return (target.trimmedDescription, isPlain && sequence.elements.count == 3)
    }

    /// Whether a list of one statement is a body that returns nothing.
    private func isPlain(_ node: CodeBlockItemListSyntax) -> Bool {
        guard let parent = node.parent, parent.is(CodeBlockSyntax.self), let owner = parent.parent else { return false }
        if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause == nil }
        // An `if` may be a value.
        return owner.is(GuardStmtSyntax.self) ? false : owner.is(ForStmtSyntax.self) || owner.is(WhileStmtSyntax.self)
    }

    // MARK: - Adding

    private func range(of node: Syntax) -> (start: Int, length: Int) {
        let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        return (start, node.endPositionBeforeTrailingTrivia.utf8Offset - start)
    }

    private func wrap(_ kind: OperatorMutant.Operator, _ node: Syntax, _ before: String, _ after: String) {
        let (start, length) = range(of: node)
        add(
            kind,
            node,
            [
                .init(place: start, side: .before(length: length), text: before),
                .init(place: start + length, side: .after(length: length), text: after),
            ]
        )
    }

    private func oneLine(_ node: CodeBlockItemSyntax.Item) -> String {
        // A comment would take the rest of the line with it.
        node.trimmedDescription.split(separator: "\n")
            .map { line in
                let text = line.drop { $0 == " " }
                return text.hasPrefix("//") ? "" : String(text)
            }
            .joined(separator: " ")
    }

    private func add(_ kind: OperatorMutant.Operator, _ node: Syntax, _ insertions: [OperatorMutant.Insertion]) {
        guard bodies > 0 else { return }
        let first = locations.location(for: node.positionAfterSkippingLeadingTrivia).line
        let last =
            insertions.map { locations.location(for: AbsolutePosition(utf8Offset: $0.place)).line }.max() ?? first
        let place = (path.isEmpty ? ["file"] : path).joined(separator: ".")
        let key = "\(place).\(kind.rawValue)"
        counts[key, default: 0] += 1
        let text = lines.indices.contains(first - 1) ? lines[first - 1].drop { $0 == " " } : ""
        let base = file.split(separator: "/").last?.split(separator: ".").first ?? ""
        let print = String(digest(String(text)) & 0xFFFF, radix: 16)
        mutants.append(
            OperatorMutant(
                name: "\(base):\(key)\(counts[key] ?? 0)-\(print)",
                kind: kind,
                file: file,
                lines: first...max(first, last),
                text: String(text),
                insertions: insertions
            )
        )
    }
}
