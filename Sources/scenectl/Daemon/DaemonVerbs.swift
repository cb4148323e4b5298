internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import StrictJSON

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print the daemon's state and its settings."
    )

    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let status = try await daemon.connect().call("io.scened.Manager.GetStatus")
        guard !daemon.json else { return print(json: .object(status)) }
        let width = status.keys.map(\.count).max() ?? 0
        for (key, value) in status where !["settings", "users", "resting", "methods"].contains(key) {
            var text =
                key == "clock" ? Self.clock(value) : value.arrayValue?.compactMap(\.stringValue).joined(separator: ", ")
            // Whose code runs.
            if key == "storage" { text = Self.storage(value) }
            if let name = value["name"]?.stringValue, let version = value["version"]?.stringValue {
                text = "\(name) \(version)"
            }
            print("\(key.padded(to: width))  \(text ?? value.stringValue ?? value.text())")
        }
        let rests = (try? SceneClient.rests(in: status)) ?? []
        if !rests.isEmpty { print("") }
        for rest in rests { print(Standing(rest).sentence) }
        printUsers(status["users"]?.arrayValue ?? [])
        printSettings(status["settings"]?.arrayValue ?? [])
    }

    /// `2026-11-27T08:00:00Z, 350 ms since the start, virtual`.
    private static func clock(_ clock: JSONValue) -> String {
        let kind = clock["virtual"]?.boolValue ?? false ? "virtual" : "real"
        return "\(clock["date"]?.stringValue ?? ""), \(clock["now"]?.integerValue ?? 0) ms since the start, \(kind)"
    }

    /// `/var/lib/scened`, and what is wrong if something is.
    private static func storage(_ storage: JSONValue) -> String {
        let folder = storage["folder"]?.stringValue ?? ""
        guard let problem = storage["problem"]?.stringValue else { return folder }
        return "\(folder): NOTHING CAN BE WRITTEN, and \(storage["waiting"]?.integerValue ?? 0) steps wait: \(problem)"
    }

    /// Prints what each user has under way and was refused.
    private func printUsers(_ users: [JSONValue]) {
        if !users.isEmpty { print("") }
        for user in users {
            let name = user["user"]?.integerValue.map { "user \($0)" } ?? "others"
            for (member, what) in [("uses", "has"), ("refused", "was refused")] {
                let counts = (user[member]?.objectValue ?? [:]).map { "\($0): \($1.integerValue ?? 0)" }
                if !counts.isEmpty { print("\(name) \(what) \(counts.joined(separator: ", "))") }
            }
        }
    }

    /// Prints each setting with its value and where that comes from.
    private func printSettings(_ settings: [JSONValue]) {
        let rows = settings.map { setting in
            ["key", "value", "origin"].map { setting[$0]?.stringValue ?? "" }
        }
        guard !rows.isEmpty else { return }
        print("")
        let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows { print("\(row[0].padded(to: widths[0]))  \(row[1].padded(to: widths[1]))  \(row[2])") }
    }
}

struct Drain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain",
        abstract: "Stop the daemon once every admitted event is done, and wait for that."
    )

    @OptionGroup var patience: PatienceOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let reply = try await patience.wait(for: "every admitted event to be done", daemon) { client in
            try await client.call("io.scened.Manager.Drain")
        }
        Printing.show(reply, daemon.json, "every admitted event is done; the daemon stops")
    }
}

struct Metrics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print the daemon's metrics as OpenMetrics text."
    )

    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let reply = try await daemon.connect().call("io.scened.Manager.GetMetrics")
        guard !daemon.json else { return print(json: .object(reply)) }
        print(reply["openMetrics"]?.stringValue ?? "", as: .page, terminator: "")
    }
}

struct Reload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Have the daemon read its manifest again; an invalid one changes nothing."
    )

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        do {
            let reply = try await client.call("io.scened.Manager.Reload")
            let version = reply["manifestVersion"]?.stringValue ?? ""
            let digest = reply["manifest"]?.stringValue.map { ", digest \($0)" } ?? ""
            Printing.show(reply, daemon.json, "manifest version \(version) is in force\(digest)")
        } catch {
            guard case .refused(let name, let parameters) = error, case .invalidManifest(let found)? = error.refusal
            else {
                throw error
            }
            let problems = found.map { Terminal.harmless(Self.line($0), as: .line) }
            throw CommandError(
                message: (["The manifest is invalid; the old one stays in force:"] + problems).joined(separator: "\n"),
                status: .refused,
                form: .page,
                name: name,
                parameters: parameters
            )
        }
    }

    private static func line(_ problem: JSONObject) -> String {
        let place = [problem["file"]?.stringValue, number(problem["line"]), number(problem["column"])].compactMap { $0 }
        let severity = problem["severity"]?.stringValue ?? ""
        let message = [severity, problem["key"]?.stringValue ?? "", problem["message"]?.stringValue ?? ""]
        return (place + [" "]).joined(separator: ":") + message.filter { !$0.isEmpty }.joined(separator: ": ")
    }

    private static func number(_ value: JSONValue?) -> String? { (value?.integerValue).map(String.init) }
}
