/// The patterns of all routes, so that a match can name its route without touching the name's memory.
final class RouteNames: Sendable {
    let patterns: [String]

    init(_ patterns: [String]) {
        self.patterns = patterns
    }
}
