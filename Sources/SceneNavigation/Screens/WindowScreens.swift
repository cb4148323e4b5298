public import SceneRouting

/// The screens of a window by container: a ``/SceneVocabulary/WindowState`` with an object at every place.
public struct WindowScreens {
    /// A place in a window, with its screen.
    public struct Place {
        /// What is shown there.
        public let destination: Destination
        /// The flow that owns the screen.
        public let flow: String
        /// The screen; `nil` if the factory failed to make one for a window that had to be shown, or there is no factory.
        public let screen: AnyObject?
    }

    /// The tabs' stacks in the order shown, root first.
    public private(set) var tabs: [(id: String, stack: [Place])] = []
    /// The presentations' stacks, bottom first, each root first.
    public private(set) var modals: [[Place]] = []

    /// No screens.
    public init() {}

    /// A tab's screens, root first; empty if there is no such tab.
    public func stack(of tab: String) -> [AnyObject?] {
        tabs.first { $0.id == tab }?.stack.map(\.screen) ?? []
    }

    /// A presentation's screens, root first; empty if there is none at this place of the chain, 0 for the lowest.
    public func modal(_ index: Int) -> [AnyObject?] {
        modals.indices.contains(index) ? modals[index].map(\.screen) : []
    }

    /// Every place, in the order of ``/SceneVocabulary/WindowState/destinations``.
    public var places: [Place] { tabs.flatMap(\.stack) + modals.flatMap { $0 } }

    /// The place on top: in the topmost presentation, or else in the window's selected tab.
    public func topmost(in window: WindowState) -> Place? {
        modals.last?.last ?? tabs.first { $0.id == window.selectedTab }?.stack.last
    }

    /// Whether this object is one of the screens.
    public func contains(_ object: AnyObject) -> Bool { places.contains { $0.screen === object } }

    /// The screens for another state of the window. A place that keeps its destination's ID keeps its screen; others get new
    /// ones.
    ///
    /// - Parameters:
    ///   - owners: For each of ``/SceneVocabulary/WindowState/destinations``, the flow that owns it.
    ///   - make: Makes a new screen.
    package func following<Failure: Error>(
        _ window: WindowState,
        owners: [String],
        make: (_ destination: Destination, _ flow: String) throws(Failure) -> AnyObject?
    ) throws(Failure) -> WindowScreens {
        var next = WindowScreens()
        var owners = owners[...]
        for tab in window.tabs {
            let before = tabs.first { $0.id == tab.id }?.stack ?? []
            next.tabs.append((tab.id, try Self.stack(tab.stack, following: before, &owners, make)))
        }
        for (index, modal) in window.modals.enumerated() {
            let before = modals.indices.contains(index) ? modals[index] : []
            next.modals.append(try Self.stack(modal.stack, following: before, &owners, make))
        }
        return next
    }

    private static func stack<Failure: Error>(
        _ stack: [Destination],
        following before: [Place],
        _ owners: inout ArraySlice<String>,
        _ make: (Destination, String) throws(Failure) -> AnyObject?
    ) throws(Failure) -> [Place] {
        var next: [Place] = []
        var isShared = true
        for (depth, destination) in stack.enumerated() {
            isShared = isShared && depth < before.count && before[depth].destination.id == destination.id
            let flow = owners.popFirst() ?? ""
            let screen = isShared ? before[depth].screen : try make(destination, flow)
            next.append(Place(destination: destination, flow: flow, screen: screen))
        }
        return next
    }
}
