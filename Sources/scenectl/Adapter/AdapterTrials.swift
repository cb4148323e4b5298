internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneEntryPoints
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

/// Which adapters a trial asks: those of a daemon, which may run in other processes, or those of a manifest, without a daemon.
struct TrialOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Ask the adapters of this manifest, or of an example by its name, with nobody signed in; needs no daemon.",
            valueName: "file"
        ),
        completion: .apps
    )
    var app: String?

    @Flag(help: "As --app, with the built-in shop.")
    var shop = false

    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if shop, app != nil { throw ValidationError("Give either --shop or --app.") }
    }

    func trials() async throws -> AdapterTrials {
        if shop { return .app(try LoadedAdapters(AppManifest.builtInShop())) }
        guard let app else { return .daemon(try await daemon.connect()) }
        return .app(try LoadedAdapters(file: app))
    }
}

/// What answers trials: a daemon, or a manifest in this process.
enum AdapterTrials {
    case daemon(SceneClient)
    case app(LoadedAdapters)

    /// The trial as `io.scened.Adapters.Try` answers it.
    /// - Throws: A ``CommandError`` if the event or the adapter's name is wrong.
    func trial(of event: EntryEvent, adapter: String?) async throws -> JSONObject {
        switch self {
        case .daemon(let client):
            var parameters: JSONObject = ["kind": .string(event.kind.rawValue), "event": .object(event.json)]
            parameters["adapter"] = adapter.map(JSONValue.string)
            return try await client.call("io.scened.Adapters.Try", parameters)["trial"]?.objectValue ?? [:]
        case .app(let app): return try app.trial(of: event, adapter: adapter)
        }
    }
}

/// A manifest's adapters and its routing engine, in this process.
struct LoadedAdapters {
    private let chain: AdapterChain
    private let engine: RoutingEngine

    init(_ manifest: AppManifest) throws(ManifestProblems) {
        chain = AdapterChain(manifest: manifest)
        // No host draws a key here. With the one that everybody knows, a fixture says what is secret as one of a daemon does.
        engine = try RoutingEngine(manifest: manifest, secrets: .shared)
    }

    init(file: String) throws {
        let manifest = try ManifestFile.read(file)
        do throws(ManifestProblems) {
            try self.init(manifest)
        } catch {
            throw CommandError.usage("\(error)", as: .page)
        }
    }

    func trial(of event: EntryEvent, adapter: String?) throws(CommandError) -> JSONObject {
        do throws(JSONFieldError) {
            try event.requireReceiver(engine.manifest.appIDs)
        } catch {
            throw .failed("Malformed: \(error).")
        }
        if let adapter, !chain.adapters.contains(where: { $0.name == adapter }) {
            throw .failed(
                "No adapter '\(adapter)'. The adapters are \(chain.adapters.map(\.name).joined(separator: ", "))."
            )
        }
        let facts = engine.manifest.facts.compactMap { fact in fact.defaultValue.map { (fact.name, $0) } }
        let context = RoutingContext(facts: Dictionary(facts) { first, _ in first })
        return chain.trial(of: event, only: adapter, engine: engine, context: context).json
    }
}
