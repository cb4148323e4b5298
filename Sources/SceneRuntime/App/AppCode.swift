public import SceneNavigation

/// The part of an app that is written in Swift, in addition to its manifest. All of it is optional: flows without a
/// coordinator of their own follow the manifest, and without screens and seam a scene is headless.
public struct AppCode: Sendable {
    /// Makes the coordinators of flows. If it is `nil` or returns `nil`, the flow follows the manifest.
    public var coordinators: FlowCoordinatorFactory?
    /// Makes the factory of a scene's screens. It is called once for each scene, with locks held: it must return at once
    /// and not call the host.
    public var screens: (@Sendable (SceneHandle) -> any ScreenFactory)?
    /// Makes the seam of a scene's window. It is called in the same way as ``screens``.
    public var seam: (@Sendable (SceneHandle) -> any NavigationSeam)?

    /// The app's code, made of these parts.
    public init(
        coordinators: FlowCoordinatorFactory? = nil,
        screens: (@Sendable (SceneHandle) -> any ScreenFactory)? = nil,
        seam: (@Sendable (SceneHandle) -> any NavigationSeam)? = nil
    ) {
        self.coordinators = coordinators
        self.screens = screens
        self.seam = seam
    }
}

extension AppCode {
    /// Whether it may decide what follows from what somebody does: coordinators, and screens, which may take intents.
    var decides: Bool { coordinators != nil || screens != nil }

    /// Whether scenes have screens or a seam.
    var hasDisplay: Bool { screens != nil || seam != nil }

    /// The display of a scene.
    func display(of scene: SceneHandle) -> Display { Display(factory: screens?(scene), seam: seam?(scene)) }
}

/// What an app's screens may know about their scene.
public struct SceneHandle: Sendable {
    /// The scene's ID.
    public let id: String
    private let submit: @Sendable (Intent, _ reporter: String?) throws -> SceneHost.Admission
    private let receipt: @Sendable (SceneHost.Admission) async -> Receipt

    init(
        id: String,
        submit: @escaping @Sendable (Intent, _ reporter: String?) throws -> SceneHost.Admission,
        receipt: @escaping @Sendable (SceneHost.Admission) async -> Receipt
    ) {
        self.id = id
        self.submit = submit
        self.receipt = receipt
    }

    /// Reports what happened on the topmost screen. The coordinators decide where that leads. The intent is handled at its
    /// turn, after this has returned. Do not call this while a screen is being made or updated.
    ///
    /// - Parameter reporter: What reports by itself, such as a covered screen whose download has ended: the ID of a screen that is
    ///   shown, or a container in the words of records, such as `tab home` (<doc:Windows#What-reports-by-itself>). `nil` for
    ///   what somebody did on the topmost screen.
    /// - Throws: ``AdmissionError``, for example if the intent does not take these parameters, or the host is stopping.
    public func report(_ intent: Intent, from reporter: String? = nil) throws {
        _ = try submit(intent, reporter)
    }

    /// Reports like ``report(_:from:)``, and returns once the intent's attempt has ended, with what its coordinator answered.
    ///
    /// - Returns: The receipt, whose ``Receipt/answer`` has what was answered.
    public func ask(_ intent: Intent, from reporter: String? = nil) async throws -> Receipt {
        await receipt(try submit(intent, reporter))
    }
}
