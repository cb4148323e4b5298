internal import SceneRouting

/// A scene's screens, for an app that has any: makes them, hands them to the seam, and knows which are shown.
///
/// Headless scenes have none. Everything here happens on the scene's actor.
public final class Display {
    private let factory: (any ScreenFactory)?
    private let seam: (any NavigationSeam)?
    /// The screens that are shown.
    public private(set) var screens = WindowScreens()
    /// How many screens were made and let go since the scene was opened.
    public private(set) var counts = Counts()

    /// A display of these parts; a seam without a factory gets places without screens.
    public init(factory: (any ScreenFactory)?, seam: (any NavigationSeam)?) {
        self.factory = factory
        self.seam = seam
    }

    /// Why an op could not be carried out; the window is then as it was.
    public struct Failure: Error, Hashable, Sendable {
        public let part: Part
        /// What the part said.
        public let detail: String

        /// Which part failed.
        public enum Part: String, Hashable, Sendable {
            case screenFailed, seamFailed
        }

        init(_ part: Part, _ error: any Error) {
            self.part = part
            // What an app's error says of itself may be of any length.
            detail = String("\(error)".prefix(200))
        }
    }

    /// How many screens came and went.
    public struct Counts: Hashable, Sendable {
        public internal(set) var made = 0
        public internal(set) var released = 0

        /// None yet.
        public init() {}
    }

    /// Shows a window that was not shown before. It is shown whatever fails; what failed is answered.
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

    /// Carries out an op whose result is `window`: makes what is new, updates what stays, and only then begins.
    ///
    /// - Parameter owners: For each of `window`'s destinations, the flow that owns it.
    /// - Returns: The screens that are no longer shown; nobody else may hold them.
    /// - Throws: ``Failure``; everything is then as it was, as far as the factory could take its updates back.
    public func carryOut(
        _ op: NavOp,
        animated: Bool,
        window: WindowState,
        owners: [String]
    ) throws(Failure) -> [WindowScreens.Place] {
        let made = counts.made
        var updated: [(screen: AnyObject, before: Destination)] = []
        do throws(Failure) {
            let next = try screens.following(window, owners: owners, make: make)
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
            // One that cannot go back stays as it is: there is nobody left to ask.
            for (screen, before) in updated.reversed() { try? factory?.update(screen, to: before) }
            counts.released += counts.made - made
            throw error
        }
    }

    /// Lets all screens go.
    /// - Returns: What was shown; nobody else may hold it.
    public func close() -> [WindowScreens.Place] {
        seam?.close()
        let gone = screens.places.filter { $0.screen != nil }
        counts.released += gone.count
        screens = WindowScreens()
        return gone
    }

    /// What is asked to take an intent before coordinators are: the topmost screen and its container, which need not be able to.
    package func responders(in window: WindowState) -> (
        screen: (any IntentResponder)?, container: (any IntentResponder)?
    ) {
        (
            screens.topmost(in: window)?.screen as? any IntentResponder,
            seam?.responder(ofTopmostContainerIn: window)
        )
    }

    /// What may hold a screen or a coordinator by mistake, besides other screens and coordinators.
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

    /// Tells the screens that stay which parameters they have now.
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
    /// `screenFailed: no image`.
    public var description: String { "\(part.rawValue): \(detail)" }
}
