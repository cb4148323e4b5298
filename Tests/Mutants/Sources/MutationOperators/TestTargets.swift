import SwiftParser
import SwiftSyntax

/// Leaves test targets out of a package, so that it takes less time to build.
public enum TestTargets {
    /// The manifest of a package with only these test targets in the list of its targets.
    public static func keeping(_ names: Set<String>, in source: String) -> String {
        let finder = Finder(keeping: names)
        finder.walk(Parser.parse(source: source))
        var bytes = Array(source.utf8)
        for range in finder.found.reversed() { bytes.removeSubrange(range) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private final class Finder: SyntaxVisitor {
        private let names: Set<String>
        private(set) var found: [Range<Int>] = []

        init(keeping names: Set<String>) {
            self.names = names
            super.init(viewMode: .sourceAccurate)
        }

        override func visit(_ node: ArrayElementSyntax) -> SyntaxVisitorContinueKind {
            guard let call = node.expression.as(FunctionCallExprSyntax.self),
                call.calledExpression.trimmedDescription == ".testTarget",
                let name = call.arguments.first?.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue,
                !names.contains(name)
            else { return .visitChildren }
            found.append(node.position.utf8Offset..<node.endPosition.utf8Offset)
            return .skipChildren
        }
    }
}
