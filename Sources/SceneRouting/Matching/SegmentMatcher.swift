/// Splits one segment among constants and captures: the leftmost capture takes as much as it can.
struct SegmentMatcher {
    let pieces: [RoutePattern.Piece]
    let route: CompiledRoute

    /// A segment of more bytes is not split; twice the longest value would be no place in any app.
    static let maximumLength = 1024

    /// The captures in order, or `nil` where the text cannot be split.
    func match(_ text: String) -> [(name: String, value: String)]? {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var failed: Set<Int> = []
        var values: [(name: String, value: String)] = []
        return split(text[...], 0, &values, &failed) ? values : nil
    }

    private func split(
        _ rest: Substring,
        _ piece: Int,
        _ values: inout [(name: String, value: String)],
        _ failed: inout Set<Int>
    ) -> Bool {
        guard piece < pieces.count else { return rest.isEmpty }
        switch pieces[piece] {
        case .constant(let constant):
            guard rest.hasPrefix(constant) else { return false }
            return split(rest.dropFirst(constant.count), piece + 1, &values, &failed)
        case .capture(let name):
            let key = piece * (Self.maximumLength + 1) + rest.utf8.count
            guard !failed.contains(key) else { return false }
            var value = rest
            while !value.isEmpty {
                let after = rest[value.endIndex...]
                if route.check(name).canonical(String(value)) != nil {
                    values.append((name, String(value)))
                    if split(after, piece + 1, &values, &failed) { return true }
                    values.removeLast()
                }
                value.removeLast()
            }
            failed.insert(key)
            return false
        }
    }
}
