internal import Glibc
internal import SceneClient
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

/// The daemon of the line that a shell completes.
struct AskedDaemon {
    private let client: SceneClient

    /// How long a person who has pressed Tab waits, in milliseconds, unless `SCENECTL_COMPLETION_TIMEOUT` says otherwise. Then
    /// this program ends.
    private static let patience = 1_000

    /// Ends this program, with nothing to offer, once the time is over, whatever it is doing then.
    private static func limitTime() {
        let given = getenv("SCENECTL_COMPLETION_TIMEOUT").flatMap { Int(String(cString: $0)) }
        let time = min(max(given ?? patience, 1), 600_000)
        signal(SIGALRM) { _ in _exit(0) }
        var timer = itimerval()
        timer.it_value.tv_sec = time / 1_000
        timer.it_value.tv_usec = (time % 1_000) * 1_000
        setitimer(__itimer_which_t(0), &timer, nil)
    }

    /// Connects to the daemon.
    /// - Parameter words: The words of the line, as they are written there.
    /// - Returns: `nil` if there is no daemon.
    init?(_ words: [String]) async {
        Self.limitTime()
        var options = DaemonOptions()
        options.socket = Self.socket(words)
        guard let path = try? options.path(), let client = try? await SceneClient(path: path) else { return nil }
        self.client = client
    }

    /// The socket that a line names.
    private static func socket(_ words: [String]) -> String? {
        for (place, word) in words.enumerated().reversed() {
            if word.hasPrefix("--socket=") { return unquoted(String(word.dropFirst("--socket=".count))) }
            guard word == "--socket" else { continue }
            // For bash the sign is a word of its own.
            let value = words.dropFirst(place + 1).first { $0 != "=" }
            return value.map(unquoted)
        }
        return nil
    }

    /// A path as the shell would pass it, but for variables: without quotes and backslashes, and with the home folder for `~`.
    private static func unquoted(_ word: String) -> String {
        var path = ""
        var isEscaped = false
        for character in word {
            if !isEscaped, character == "\\" {
                isEscaped = true
            } else {
                if isEscaped || (character != "\"" && character != "'") { path.append(character) }
                isEscaped = false
            }
        }
        guard word.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }

    /// The IDs of all scenes.
    func scenes() async throws -> [String] { try await client.scenes().map(\.id) }

    /// The manifest in force.
    func app() async throws -> AppManifest {
        guard let text = try await client.manifest() else { return AppManifest(name: "") }
        return try AppManifest.inForce(text)
    }

    /// The IDs of the newest events.
    func events() async throws -> [String] { try await newest([.eventAdmitted]).compactMap(\.event) }

    /// Everybody who has been signed in lately.
    func users() async throws -> [String] {
        let now = try await client.session().user
        return try await newest([.sessionCommitted]).compactMap(\.user) + [now].compactMap(\.self)
    }

    /// The names of all adapters.
    func adapters() async throws -> [String] {
        let reply = try await client.call("io.scened.Adapters.List")
        return (reply["adapters"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }

    /// The records of some kinds among the newest that the daemon retains.
    private func newest(_ kinds: [RecordKind]) async throws -> [ClientRecord] {
        let last = try await client.call("io.scened.Manager.GetStatus")["records"]?.integerValue ?? 0
        return try await client.records(after: max(0, last - 5_000), kinds: kinds, limit: 1_000).records
    }
}
