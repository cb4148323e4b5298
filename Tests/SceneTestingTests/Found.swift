import SceneNavigation
import SceneRouting
import SceneRuntime
import Basics
import Testing

/// The issues that a known-issue block recorded.
final class Found: Sendable {
    private let issues = Guarded<[(line: Int, text: String)]>([])

    @discardableResult
    func add(_ issue: Issue) -> Bool {
        let text = issue.comments.map(\.rawValue).joined(separator: "\n")
        issues.withLock { $0.append((issue.sourceLocation?.line ?? 0, text)) }
        return true
    }

    var lines: [Int] { issues.withLock { $0.map(\.line) } }
    var texts: [String] { issues.withLock { $0.map(\.text) } }
}

/// A factory with the mistake of keeping every screen it made.
final class HoardingFactory: ScreenFactory {
    final class Screen {}
    private var all: [AnyObject] = []

    func makeScreen(for destination: Destination, flow: String) throws -> AnyObject {
        let screen = Screen()
        all.append(screen)
        return screen
    }

    func update(_ screen: AnyObject, to destination: Destination) throws {}
}

extension AppCode {
    static let hoarding = AppCode(screens: { _ in HoardingFactory() })
}
