public import SceneNavigation
public import SceneRouting

/// The part of an app that is written in Swift, in addition to its manifest. All of it is optional: flows without a
/// coordinator of their own follow the manifest, as notifications do, and without screens and seam a scene is headless.
public struct AppCode: Sendable {
    /// Makes the coordinators of flows. If it is `nil` or returns `nil`, the flow follows the manifest.
    public var coordinators: FlowCoordinatorFactory?
    /// Makes the factory of a scene's screens. It is called once for each scene, with locks held: it must return at once
    /// and not call the host.
    public var screens: (@Sendable (SceneHandle) -> any ScreenFactory)?
    /// Makes the seam of a scene's window. It is called in the same way as ``screens``.
    public var seam: (@Sendable (SceneHandle) -> any NavigationSeam)?
    /// Decides what the app does with notifications that bring no window to the front. If it is `nil`, the manifest does.
    public var notifications: (any NotificationCoordinator)?

    /// What the code names of its manifest.
    private let claims: Claims

    /// The app's code, made of these parts. Which flows ``coordinators`` knows only the function itself can say.
    ///
    /// - Parameters:
    ///   - coordinators: Makes the coordinator of a flow; `nil` if all follow the manifest.
    ///   - screens: Makes the factory of a scene's screens; `nil` if the app has none.
    ///   - seam: Makes the seam of a scene's window; `nil` if the app has none.
    ///   - notifications: Decides what the app does with notifications that bring no window to the front.
    ///   - destinations: The IDs of the destinations that the code names: that its screens are made for or its coordinators lead
    ///     to. A manifest that does not declare each of them is refused.
    ///   - routes: What the types that the code uses were written from (`Shop.written`). A manifest that they do not fit is refused.
    ///   - file: Where the code is, for messages about what does not fit the manifest.
    ///   - line: The same.
    public init(
        coordinators: FlowCoordinatorFactory? = nil,
        screens: (@Sendable (SceneHandle) -> any ScreenFactory)? = nil,
        seam: (@Sendable (SceneHandle) -> any NavigationSeam)? = nil,
        notifications: (any NotificationCoordinator)? = nil,
        destinations: Set<String> = [],
        routes: WrittenRoutes? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.coordinators = coordinators
        self.screens = screens
        self.seam = seam
        self.notifications = notifications
        claims = Claims(
            flows: [],
            destinations: destinations.sorted(),
            routes: routes,
            place: "\(file):\(line)"
        )
    }

    /// The app's code, with a coordinator for each of these flows, by their names: `root`, those of the tabs, and the manifest's
    /// flows. All others follow the manifest.
    ///
    /// - Parameters:
    ///   - coordinators: Makes a coordinator of each flow. They are called on the scene's actor, sometimes with locks held: they must
    ///     return at once and not call the host. A manifest that does not declare one of the flows is refused.
    ///   - screens: Makes the factory of a scene's screens; `nil` if the app has none.
    ///   - seam: Makes the seam of a scene's window; `nil` if the app has none.
    ///   - notifications: Decides what the app does with notifications that bring no window to the front.
    ///   - destinations: The IDs of the destinations that the code names: that its screens are made for or its coordinators lead
    ///     to. A manifest that does not declare each of them is refused.
    ///   - routes: What the types that the code uses were written from (`Shop.written`). A manifest that they do not fit is refused.
    ///   - file: Where the code is, for messages about what does not fit the manifest.
    ///   - line: The same.
    public init(
        coordinators: [String: @Sendable () -> any FlowCoordinator],
        screens: (@Sendable (SceneHandle) -> any ScreenFactory)? = nil,
        seam: (@Sendable (SceneHandle) -> any NavigationSeam)? = nil,
        notifications: (any NotificationCoordinator)? = nil,
        destinations: Set<String> = [],
        routes: WrittenRoutes? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.coordinators = { flow, _ in coordinators[flow]?() }
        self.screens = screens
        self.seam = seam
        self.notifications = notifications
        claims = Claims(
            flows: coordinators.keys.sorted(),
            destinations: destinations.sorted(),
            routes: routes,
            place: "\(file):\(line)"
        )
    }

    /// What the code names, in alphabetical order, and where it does.
    private struct Claims: Sendable {
        let flows: [String]
        let destinations: [String]
        let routes: WrittenRoutes?
        let place: String
    }
}

extension AppCode {
    /// What the code names and the manifest does not declare.
    func misfits(_ manifest: AppManifest) -> [ManifestProblem] {
        let flows = [CoordinatorTree.rootName] + manifest.tabs.map(\.id) + manifest.flows.map(\.name)
        return misfits(claims.flows, among: flows, in: "flows", what: "has a coordinator for the flow")
            + misfits(
                claims.destinations,
                among: manifest.destinations.map(\.id) + manifest.flows.flatMap { $0.screens.map(\.id) },
                in: "destinations",
                what: "names the destination"
            )
            + misfits(
                (notifications?.categories ?? []).sorted(),
                among: manifest.notificationCategories.map(\.id),
                in: "notificationCategories",
                what: "names the notification category"
            ) + (claims.routes?.misfits(manifest) ?? [])
    }

    /// The longest list of names that a message repeats.
    private static let mostNames = 32

    private func misfits(_ names: [String], among declared: [String], in key: String, what: String) -> [ManifestProblem]
    {
        names.filter { !declared.contains($0) }.map { name in
            ManifestProblem(
                key: key,
                message: "the code at \(claims.place) \(what) '\(name)', which is not declared",
                expected: declared.isEmpty || declared.count > Self.mostNames
                    ? nil : "one of \(declared.joined(separator: ", "))",
                suggestion: Spelling.nearest(to: name, among: declared)
            )
        }
    }
}

extension AppCode {
    /// Whether it may decide what follows from what somebody does: coordinators, and screens, which may take intents.
    package var decides: Bool { coordinators != nil || screens != nil }

    /// Whether there is no code at all.
    package var isEmpty: Bool { coordinators == nil && notifications == nil && !hasDisplay }

    /// Whether scenes have screens or a seam.
    var hasDisplay: Bool { screens != nil || seam != nil }

    /// The display of a scene.
    func display(of scene: SceneHandle) -> Display { Display(factory: screens?(scene), seam: seam?(scene)) }
}

/// What an app's screens may know about their scene.
public struct SceneHandle: Sendable {
    /// The scene's ID.
    public let id: String
    private let submit: Submit

    /// Submits an intent, and returns what waits for its receipt.
    typealias Submit = @Sendable (Intent, _ reporter: String?) throws -> @Sendable () async -> Receipt

    init(id: String, submit: @escaping Submit) {
        self.id = id
        self.submit = submit
    }

    /// Reports what happened on the topmost screen. The coordinators decide where that leads. The intent is handled at its
    /// turn, after this has returned. Do not call this while a screen is being made or updated.
    ///
    /// - Parameters:
    ///   - intent: What happened.
    ///   - reporter: What reports by itself, such as a covered screen whose download has ended: the ID of a screen that is
    ///     shown, or a container in the words of records, such as `tab home` (<doc:Windows#What-reports-by-itself>). `nil` for
    ///     what somebody did on the topmost screen.
    /// - Throws: ``AdmissionError``, for example if the intent does not take these parameters, or the host is stopping.
    public func report(_ intent: Intent, from reporter: String? = nil) throws {
        _ = try submit(intent, reporter)
    }

    /// Reports like ``report(_:from:)``, and returns once the intent's attempt has ended, with what its coordinator answered.
    ///
    /// - Returns: The receipt, whose ``Receipt/answer`` has what was answered.
    public func ask(_ intent: Intent, from reporter: String? = nil) async throws -> Receipt {
        let receipt = try submit(intent, reporter)
        return await receipt()
    }
}
