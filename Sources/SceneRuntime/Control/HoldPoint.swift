/// Something a hold has caught.
public struct Catch: Hashable, Sendable {
    public let point: HoldPoint
    public let scene: String
    public let ticket: Int?
    public let event: String?
    public let kind: DispatchKind
}
