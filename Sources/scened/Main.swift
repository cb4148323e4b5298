internal import SceneDaemon

/// The daemon of a manifest alone.
@main
enum Main {
    static func main() async { await DaemonProcess.main() }
}
