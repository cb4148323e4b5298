/// What the daemon says of itself on the wire and on the command line.
enum DaemonVersion {
    static let vendor = "scened"
    static let product = "scened"
    static let current = "0.1.0"
    static let url = "https://github.com/scened/scened"
}
