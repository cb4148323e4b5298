/// While draining goes on past the usual time, asks the service manager for a little more again and again: a daemon that
/// hangs is not waited for.
struct DrainPatience: Sendable {
    /// How long draining takes at most unless told; longer only if somebody configured that.
    static let usual = Duration.seconds(4)
    static let pause = Duration.seconds(3)
    static let extensionAsked = Duration.seconds(10)

    var clock: any Clock<Duration> = .continuous
    let ask: @Sendable (Duration) -> Void

    /// Asks until it is cancelled.
    func run() async {
        var pause = Self.usual
        while (try? await clock.sleep(for: pause)) != nil {
            ask(Self.extensionAsked)
            pause = Self.pause
        }
    }
}
