/// Where a dispatch, a resume or a sweep can be held on purpose.
///
/// A sweep passes ``admitted`` and ``settled`` once, and the points between once for every op by which it removes
/// something and once more when it finds nothing left to remove; that last time it passes no ``transition``.
public enum HoldPoint: String, Hashable, Sendable, CaseIterable {
    /// Its turn has come, nothing has been looked at.
    case admitted
    /// The engine has answered, nothing has been planned. In a sweep: what is shown has been judged.
    case resolved
    /// The plan stands, nothing has been shown. In a sweep: nothing has been removed; if the session changes here, what is
    /// shown is judged again with the step (<doc:TheSession#S2>).
    case planned
    /// An op has begun, its transition has not ended.
    case transition
    /// It has ended and is recorded, the next has not begun.
    case settled
}

/// Something a hold has caught.
public struct Catch: Hashable, Sendable {
    public let point: HoldPoint
    public let scene: String
    public let ticket: Int?
    public let event: String?
    public let kind: Record.DispatchKind
}
