internal import Basics
internal import SceneRouting

/// The screens of a scene, in an app that has screens: makes them, hands them to the seam, and knows which are shown.
///
/// A headless scene has no display. Everything here happens on the scene's actor.
public final class Display {
    private let factory: (any ScreenFactory)?
    private let seam: (any NavigationSeam)?
    /// The screens that are shown.
    public private(set) var screens = WindowScreens()
    /// How many screens have been made and released since the scene was opened.
    public private(set) var counts = Counts()

    /// A display with these parts. Without a factory, the seam gets places without screens.
    public init(factory: (any ScreenFactory)?, seam: (any NavigationSeam)?) {
        self.factory = factory
        self.seam = seam
    }

    /// Why an op could not be carried out; the window is then as it was.
    public struct Failure: Error, Hashable, Sendable {
        /// The part of the app's code that failed.
        public let part: Part
        /// The description of the error that it threw, at most 200 characters.
        public let detail: String

        /// The part of the app's code that failed. The raw value is the rule of the record `violation` and begins the reason
        /// of the outcome `rejected`.
        public enum Part: String, Hashable, Sendable {
            /// The screen factory.
            case screenFailed
            /// The navigation seam.
            case seamFailed
        }

        init(_ part: Part, _ error: any Error) {
            self.part = part
            // An app's error may describe itself at any length.
            detail = "\(error)".prefix(utf8: 200)
        }
    }

    /// How many screens have come and gone.
    public struct Counts: Hashable, Sendable {
        /// How many screens the factory has made.
        public internal(set) var made = 0
        /// How many of them are no longer shown.
        public internal(set) var released = 0

        /// No screens yet.
        public init() {}
    }

    /// Shows a window that was not shown before. It is shown even if parts of it fail.
    /// - Returns: What failed.
    public func open(_ window: WindowState, owners: [String]) -> [Failure] {
        var failures: [Failure] = []
        let next = screens.following(window, owners: owners) { destination, flow -> AnyObject? in
            do throws(Failure) {
                return try make(destination, flow)
            } catch {
                failures.append(error)
                return nil
            }
        }
        do {
            try seam?.open(window, screens: next)
        } catch {
            failures.append(Failure(.seamFailed, error))
        }
        screens = next
        return failures
    }

    /// Carries out an op whose result is `window`: makes the new screens, updates those that stay, and then begins the op.
    ///
    /// - Parameters:
    ///   - op: The op.
    ///   - animated: Whether it is shown how the window changes.
    ///   - afresh: Whether all screens are new.
    ///   - window: What the window shows afterwards.
    ///   - owners: For each of `window`'s destinations, the flow that owns it.
    /// - Returns: The screens that are no longer shown. Nothing else may hold them.
    /// - Throws: ``Failure``. Everything is then as it was, as far as the factory could undo its updates.
    public func carryOut(
        _ op: NavOp,
        animated: Bool,
        afresh: Bool = false,
        window: WindowState,
        owners: [String]
    ) throws(Failure) -> [WindowScreens.Place] {
        let made = counts.made
        var updated: [(screen: AnyObject, before: Destination)] = []
        do throws(Failure) {
            let before = afresh ? WindowScreens() : screens
            let next = try before.following(window, owners: owners, make: make)
            try update(next, &updated)
            do {
                try seam?.begin(NavigationStep(op: op, isAnimated: animated, window: window, screens: next))
            } catch {
                throw Failure(.seamFailed, error)
            }
            let gone = screens.places.filter { place in place.screen.map { !next.contains($0) } ?? false }
            counts.released += gone.count
            screens = next
            return gone
        } catch {
            // A screen that cannot go back stays as it is.
            for (screen, before) in updated.reversed() { try? factory?.update(screen, to: before) }
            counts.released += counts.made - made
            throw error
        }
    }

    /// Notes the flows that own the screens of a window by another manifest. The screens stay.
    package func follow(_ window: WindowState, owners: [String]) {
        screens = screens.following(window, owners: owners) { _, _ in nil }
    }

    /// Tells the seam of a swipe that is let go halfway.
    package func beginCancelled() { seam?.beginCancelled() }

    /// Tells the seam that the transition of the op that was begun last has ended.
    package func end() { seam?.end() }

    /// Whether the seam holds no screen that is no longer shown.
    package var isSettled: Bool { seam?.isSettled ?? true }

    /// Releases all screens.
    /// - Returns: What was shown. Nothing else may hold it.
    public func close() -> [WindowScreens.Place] {
        seam?.close()
        let gone = screens.places.filter { $0.screen != nil }
        counts.released += gone.count
        screens = WindowScreens()
        return gone
    }

    /// Who is asked to take an intent before the coordinators: a screen and its container, if they can take any.
    ///
    /// - Parameter place: The screen's place in ``WindowState/destinations``.
    package func responders(at place: Int, in container: FlowPlace.Container, of window: WindowState) -> (
        screen: (any IntentResponder)?, container: (any IntentResponder)?
    ) {
        let places = screens.places
        let screen = places.indices.contains(place) ? places[place].screen : nil
        return (screen as? any IntentResponder, seam?.responder(of: container, in: window))
    }

    /// The objects, other than screens and coordinators, that may hold a screen or a coordinator by mistake.
    package var holders: [(name: String, object: AnyObject)] {
        var holders: [(String, AnyObject)] = []
        if let factory { holders.append(("the factory", factory)) }
        if let seam { holders.append(("the seam", seam)) }
        return holders
    }

    private func make(_ destination: Destination, _ flow: String) throws(Failure) -> AnyObject? {
        guard let factory else { return nil }
        do {
            let screen = try factory.makeScreen(for: destination, flow: flow)
            counts.made += 1
            return screen
        } catch {
            throw Failure(.screenFailed, error)
        }
    }

    /// Gives the screens that stay their new parameters. `updated` collects them with what they had before.
    private func update(
        _ next: WindowScreens,
        _ updated: inout [(screen: AnyObject, before: Destination)]
    ) throws(Failure) {
        guard let factory else { return }
        for place in next.places {
            guard let screen = place.screen, let before = screens.places.first(where: { $0.screen === screen }),
                before.destination != place.destination
            else { continue }
            updated.append((screen, before.destination))
            do {
                try factory.update(screen, to: place.destination)
            } catch {
                throw Failure(.screenFailed, error)
            }
        }
    }
}

extension Display.Failure: CustomStringConvertible {
    /// The part and the error: `screenFailed: no image`.
    public var description: String { "\(part.rawValue): \(detail)" }
}
