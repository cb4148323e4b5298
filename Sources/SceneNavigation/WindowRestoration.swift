public import SceneRouting

/// Cuts a saved window back to what the app, as it is now, could be showing: state restoration after a reconnection, a restart or a
/// new manifest.
///
/// It alone decides which windows an app could show, by the manifest: what comes out comes back unchanged. Each container is cut back
/// to its deepest possible prefix. Whether the session allows the rest is for the sweep to decide.
public enum WindowRestoration {
    /// The window that can be restored, which keeps the rules of ``Window``, and what was left out of it.
    ///
    /// The tabs are those of the manifest, each with its root and as much of the saved stack as could be there. A flow shown
    /// instead of tabs is kept only if the manifest still has it as a root. If the selected tab is gone, the first one is
    /// selected and the presentations, which were above the tab that is gone, are left out. A flow that only gates show is left out,
    /// too: nothing waits in a saved window.
    ///
    /// - Parameters:
    ///   - saved: What the window showed.
    ///   - engine: Says what the manifest declares.
    ///   - hasCode: Whether the app has coordinators in Swift. They may start any flow, give their own screens any parameters that
    ///     these do not declare, push any destination, and go anywhere from inside the app.
    ///   - isWaitedFor: Whether something waits for the flow of a presentation nevertheless.
    public static func restore(
        _ saved: WindowState,
        engine: RoutingEngine,
        hasCode: Bool = false,
        isWaitedFor: (ModalState) -> Bool = { _ in false }
    ) -> (window: WindowState, dropped: [Dropped]) {
        var restoration = Restoration(
            engine: engine,
            hasCode: hasCode,
            maximumDepth: engine.manifest.policies.maximumStackDepth
        )
        let window = restoration.window(of: saved, isWaitedFor)
        return (window, restoration.dropped)
    }

    /// Why screens of a window could not be where they are by another manifest than that by which they came there, by their
    /// places in ``/SceneVocabulary/WindowState/destinations``; for what only stood on such a screen, ``Reason/stoodOnDropped``. What is deeper
    /// than the app allows is not among them.
    ///
    /// - Parameters: As ``restore(_:engine:hasCode:isWaitedFor:)`` has them.
    package static func misplaced(
        in shown: WindowState,
        engine: RoutingEngine,
        hasCode: Bool,
        isWaitedFor: (ModalState) -> Bool
    ) -> [Int: Reason] {
        var restoration = Restoration(engine: engine, hasCode: hasCode, maximumDepth: .max)
        _ = restoration.window(of: shown, isWaitedFor)
        let dropped = Dictionary(grouping: restoration.dropped, by: \.container).mapValues { $0.map(\.reason) }
        var reasons: [Int: Reason] = [:]
        var place = 0
        func add(_ container: Container, _ stack: [Destination]) {
            place += stack.count
            // Of each container the topmost are dropped.
            let ofStack = dropped[container] ?? []
            for (index, reason) in ofStack.enumerated() { reasons[place - ofStack.count + index] = reason }
        }
        for tab in shown.tabs { add(.tab(tab.id), tab.stack) }
        for (index, modal) in shown.modals.enumerated() { add(.modal(index), modal.stack) }
        return reasons
    }

    /// A screen that cannot be restored.
    public struct Dropped: Hashable, Sendable {
        /// The screen.
        public let destination: Destination
        /// Where it was in the saved window.
        public let container: Container
        /// Why it cannot be restored.
        public let reason: Reason

        package init(destination: Destination, container: Container, reason: Reason) {
            self.destination = destination
            self.container = container
            self.reason = reason
        }
    }

    /// Where a screen was in the saved window.
    public enum Container: Hashable, Sendable {
        /// The tab of this name.
        case tab(String)
        /// The presentation at this place of the chain, 0 for the lowest.
        case modal(Int)
    }

    /// Why a screen cannot be restored.
    public enum Reason: Error, Hashable, Sendable {
        /// The app has no destination, and the flow no screen, of this name.
        case unknownDestination
        /// The destination does not take this value of the parameter; the reason says what it takes.
        case invalidParameter(String, reason: String)
        /// The app has no tab of this name.
        case unknownTab(String)
        /// The app has no flow of this name.
        case unknownFlow(String)
        /// It is a screen of this flow alone, which is not what is shown there.
        case outsideFlow(String)
        /// The flow of this name is shown below it already.
        case presentedTwice(String)
        /// The same is presented below it already, to which the app would have gone back.
        case presentedAgain
        /// The app shows the screen elsewhere, or in another way: so.
        case misplaced(String)
        /// Only gates show the flow of this name, and nothing waits there.
        case nothingWaits(String)
        /// No flow that is below it starts the flow of this name.
        case notStarted(String)
        /// The tab now has another root: this one.
        case otherRoot(String)
        /// It is on top of a screen of the same name, and the destination does not repeat.
        case repeats
        /// A screen of the same name is lower in the stack, to which the app would have gone back.
        case pushedAgain
        /// What is below it is as deep as the app allows.
        case tooDeep
        /// What was below it was dropped.
        case stoodOnDropped
    }
}

extension WindowRestoration.Dropped: CustomStringConvertible {
    /// The screen, its place and the reason: `settings(section: theme) in tab account: …`.
    public var description: String {
        let container =
            switch container {
            case .tab(let tab): "tab \(tab)"
            case .modal(let index): "presentation \(index)"
            }
        return "\(destination) in \(container): \(reason)"
    }
}

extension WindowRestoration.Reason: CustomStringConvertible {
    /// The reason in words: `the app has no tab 'search'`.
    public var description: String {
        switch self {
        case .unknownDestination: "the app has no such destination"
        case .invalidParameter(let parameter, let reason): "\(parameter): \(reason)"
        case .unknownTab(let tab): "the app has no tab '\(tab)'"
        case .unknownFlow(let flow): "the app has no flow '\(flow)'"
        case .outsideFlow(let flow): "only the flow '\(flow)' shows it, which is not shown there"
        case .presentedTwice(let flow): "the flow '\(flow)' is shown below it already"
        case .presentedAgain: "it is presented below already"
        case .misplaced(let right): "the app shows it \(right)"
        case .nothingWaits(let flow): "only gates show the flow '\(flow)', and nothing waits there"
        case .notStarted(let flow): "nothing below it starts the flow '\(flow)'"
        case .otherRoot(let root): "the tab's root is '\(root)'"
        case .repeats: "it may not stand on itself"
        case .pushedAgain: "a screen of this name is below it, to which the app goes back"
        case .tooDeep: "the app allows no deeper stack"
        case .stoodOnDropped: "what it stood on was dropped"
        }
    }
}
