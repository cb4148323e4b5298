internal import CommandConsole
internal import SceneClient
internal import SceneEntryPoints
internal import SceneInspector
internal import SceneManifest
internal import SceneSoak
internal import StrictJSON

/// Serves the page of `scenectl inspect` until it is interrupted.
struct InspectServer {
    /// `nil` for a free one.
    let port: Int?
    let daemon: DaemonOptions

    /// Shows the daemon while it runs.
    func show() async throws {
        // Who gives a wrong socket learns that here, not in the browser.
        let status = try await daemon.connect().call("io.scened.Manager.GetStatus")
        let daemon = daemon
        let inspected = InspectedDaemon(
            connect: { try await daemon.connect() },
            command: { "\(CallWords(exactly: $0, $1))" },
            message: Self.message,
            // They are the shop's.
            samples: Self.app(status) == ExampleApp.shop.rawValue ? Self.samples : [],
            copies: Self.copies(of: Self.app(status))
        )
        try await serve("Live:", .daemon(inspected))
    }

    /// Shows histories that were read before.
    func show(_ sources: [HistorySource]) async throws {
        var flaws = FoundFlaws()
        var runs: [InspectedRun] = []
        for source in sources {
            var pieces: [[UInt8]] = []
            let unread = try flaws.read(source) { pieces.append(Array($0)) }
            runs.append(InspectedRun(label: source.label, pieces: pieces, unread: unread))
        }
        for sentence in flaws.sentences { Terminal.complain(sentence) }
        try await serve("Records: \(sources.map(\.label).joined(separator: " and "))", .runs(runs))
    }

    private func serve(_ title: String, _ source: Inspector.Source) async throws {
        let json = daemon.json
        let inspector = Inspector(title: title, source: source) { address in
            if json { print(json: ["address": .string(address)], .compact) } else { print(address) }
            Terminal.flush()
        }
        try await Interruption.during {
            let looking = Task {
                while !Task.isCancelled, !Interruption.wasAsked { try? await Task.sleep(for: .milliseconds(50)) }
                // There is nothing to tidy up, and SwiftNIO traps if a server is cancelled that has accepted a connection and not looked at
                // it yet.
                if Interruption.wasAsked { Terminal.exit(0) }
            }
            defer { looking.cancel() }
            do {
                try await inspector.serve(port: port ?? 0)
            } catch {
                throw CommandError.failed(
                    "\(port.map { "127.0.0.1:\($0)" } ?? "127.0.0.1") cannot be served: \(error). Another program may listen there; --port names another."
                )
            }
        }
    }

    /// What was done as a script, and as what 'play --export' makes of one.
    private static func copies(of app: String?) -> [InspectedDaemon.Copy] {
        func copy(
            _ name: String,
            mayMiss: Bool,
            _ text: @escaping @Sendable ([ScriptStep], ScriptSecrets, _ keepsTime: Bool) throws -> String
        ) -> InspectedDaemon.Copy {
            InspectedDaemon.Copy(name) { client in
                let steps = try await Record.steps(of: client)
                let secrets = try ScriptSecrets([], for: steps, in: Self.name, mayMiss: true)
                guard mayMiss || secrets.missing.isEmpty else { throw Self.missing(secrets) }
                // How long somebody took to click belongs in no test.
                return try text(steps, secrets, steps.first?.start != nil)
            }
        }
        return [
            InspectedDaemon.Copy("script") { try await Record.script(of: $0) },
            copy("pytest", mayMiss: true) {
                try PytestScript($0, secrets: $1, in: Self.name, app: app, keepsTime: $2).text
            },
            copy("Swift test", mayMiss: true) {
                try SwiftScript($0, secrets: $1, in: Self.name, app: app, keepsTime: $2).text
            },
            copy("scenario", mayMiss: false) {
                try ScenarioScript($0, secrets: $1, in: Self.name, app: app, keepsTime: $2).text
            },
        ]
    }

    /// Why a text that needs the values of secrets cannot be made here, and what can be done.
    private static func missing(_ secrets: ScriptSecrets) -> CommandError {
        let values = Wording.counted(secrets.missing.count, "secret value")
        return .failed(
            "A scenario has every value written in it, and the daemon has forgotten \(values). Copy as script, and have 'scenectl play --export scenario' make one of it, which takes the values; or copy as pytest, which asks for them when it runs."
        )
    }

    /// What a test of it is called.
    private static let name = "inspected"

    /// The manifest as `--app` takes it: its file, or the example's name.
    private static func app(_ status: JSONObject) -> String? {
        if let file = status["manifestFile"]?.stringValue { return file }
        return status["app"]?.stringValue.flatMap { ExampleApp(rawValue: $0.lowercased())?.rawValue }
    }

    private static let message: @Sendable (any Error) -> String = { error in
        switch error {
        case let error as SceneClientError: Failure(error).message
        case let error as CommandError: error.message
        default: "\(error)"
        }
    }

    private static let samples: [JSONValue] = SampleEvent.all.compactMap { sample in
        guard let event = try? sample.event() else { return nil }
        return [
            "name": .string("\(sample.name): \(sample.about)"), "method": .string("Events.\(sample.kind.method)"),
            "parameters": .object(event.json),
        ]
    }
}
