/// Where a dispatch, a resume or a sweep can be held on purpose.
public enum HoldPoint: String, Hashable, Sendable, CaseIterable {
    /// Its turn has come, nothing has been looked at.
    case admitted
    /// The engine has answered, nothing has been planned.
    case resolved
    /// The plan stands, nothing has been shown.
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
