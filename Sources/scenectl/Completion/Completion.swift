internal import ArgumentParser
internal import CommandConsole
internal import SceneManifest
internal import SceneRouting
internal import SceneVocabulary

/// What a shell offers at an argument or option. What only a daemon knows is asked of the daemon that the line names, with
/// `--socket`, or of the usual one; without a daemon nothing is offered, and nothing is said.
extension CompletionKind {
    // MARK: - What the daemon knows

    static let windows = asking { try await $0.scenes() }
    static let events = asking { try await $0.events() }
    static let users = asking { try await $0.users() }
    static let adapters = asking { try await $0.adapters() }
    static let tabs = asking { try await $0.app().tabs.map(\.id) }
    static let flows = asking { try await $0.app().flows.map(\.name) }
    static let destinations = asking { try await $0.app().destinations.map(\.id) }
    static let configurations = asking { try await $0.app().configurations.map(\.name) }
    static let facts = asking { try await $0.app().facts.map(\.name) }
    /// A fact with the sign before its value.
    static let settings = asking { try await $0.app().facts.map { "\($0.name)=" } }
    static let intents = asking {
        let app = try await $0.app()
        return app.intents.map(\.name) + app.flows.flatMap(\.intents).map(\.name)
    }
    /// What can report an intent by itself.
    static let reporters = asking {
        let app = try await $0.app()
        return app.destinations.map(\.id) + app.flows.flatMap(\.screens).map(\.id) + app.tabs.map { "tab \($0.id)" }
    }

    private static func asking(_ ask: @escaping @Sendable (AskedDaemon) async throws -> [String]) -> CompletionKind {
        .custom { words, _, _ in
            guard let daemon = await AskedDaemon(words), let found = try? await ask(daemon) else { return [] }
            return Set(found.filter(isOneWord)).sorted()
        }
    }

    /// Shells read one candidate a line.
    private static func isOneWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    // MARK: - What this program knows

    static let examples = CompletionKind.list(ExampleApp.allCases.map(\.rawValue))
    static let holdPoints = CompletionKind.list(HoldPoint.allCases.map(\.rawValue))
    static let dispatchKinds = CompletionKind.list(DispatchKind.allCases.map(\.rawValue))
    static let activations = CompletionKind.list(Activate.states.map(\.rawValue))
    static let recordKinds = CompletionKind.list(RecordKind.allCases.map(\.rawValue))
}
