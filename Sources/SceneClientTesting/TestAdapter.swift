internal import Basics
public import SceneClient
public import StrictJSON
public import Testing
internal import Varlink

/// An event about which an adapter is asked.
public struct AskedEvent: Sendable {
    /// `url`, `activity`, `push`, `widget` or `shortcut`.
    public let kind: String
    /// The parameters of the call in `io.scened.Events` that sent it.
    public let event: JSONObject

    /// A push's payload; empty for other kinds.
    public var payload: JSONObject { event["payload"]?.objectValue ?? [:] }
    /// The URL of a link or a widget, the web page of an activity.
    public var url: String? { event["url"]?.stringValue ?? event["webpageURL"]?.stringValue }
    /// The user info of an activity, a widget or a quick action; empty for none.
    public var userInfo: JSONObject { event["userInfo"]?.objectValue ?? [:] }
}

/// What an adapter makes of an event.
public enum AdapterAnswer: Hashable, Sendable {
    /// It asks for this absolute URL; with a user, only for that one.
    case url(String, user: String? = nil)
    /// It asks for this destination; with a user, only for that one.
    case destination(Destination, user: String? = nil)
    /// The app is done with it, and there is nothing to navigate.
    case handled
    /// It is not for this adapter, for this reason; the next one is asked.
    case declined(String)
    /// It is for this adapter but invalid, for this reason; nobody else is asked.
    case refused(String)

    fileprivate var parameters: JSONObject {
        switch self {
        case .url(let url, let user): ["url": .string(url), "user": user.map(JSONValue.string) ?? .null]
        case .destination(let destination, let user):
            [
                "destination": [
                    "id": .string(destination.id),
                    "parameters": .object(JSONObject(destination.parameters.map { ($0.key, .string($0.value)) })),
                ],
                "user": user.map(JSONValue.string) ?? .null,
            ]
        case .handled: ["handled": true]
        case .declined(let reason): ["declined": .string(reason)]
        case .refused(let reason): ["refused": .string(reason)]
        }
    }
}

extension TestApp {
    /// Makes a closure an adapter of the app until the test ends: the daemon asks it what becomes of an event.
    ///
    /// What it throws declines the event, and is an issue of the test. It can look at the app, and send with `wait: .admitted`; what
    /// would wait for the event about which it is asked throws a ``DaemonTestError``.
    /// - Parameters:
    ///   - name: 1 to 128 bytes of visible ASCII, which no other adapter has.
    ///   - kinds: The kinds of event it is asked about: `url`, `activity`, `push`, `widget`, `shortcut`.
    ///   - priority: Adapters with a higher priority are asked first.
    ///   - sourceLocation: Where an issue is reported.
    ///   - body: Answers what becomes of an event.
    public func adapter(
        _ name: String,
        kinds: [String],
        priority: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable (AskedEvent) async throws -> AdapterAnswer
    ) async throws {
        let run = try run()
        let adapter = try await TestAdapter(run, name, kinds, priority, sourceLocation, body)
        run.state.withLock { state in
            state.adapters.append(adapter)
            state.leftOut.insert("adapters that are closures")
        }
    }
}

/// A closure that the daemon asks, until it is closed.
final class TestAdapter: Sendable {
    private let name: String
    private let client: SceneClient
    private let questions: VarlinkClient
    private let asking: Task<Void, Never>
    private let sourceLocation: SourceLocation

    init(
        _ run: TestRun,
        _ name: String,
        _ kinds: [String],
        _ priority: Int,
        _ sourceLocation: SourceLocation,
        _ body: @escaping @Sendable (AskedEvent) async throws -> AdapterAnswer
    ) async throws {
        let questions = try await VarlinkClient.connect(path: run.daemon.socket)
        let answers = try await run.daemon.client()
        var replies = questions.callMore(
            "io.scened.Adapters.Register",
            [
                "name": .string(name), "kinds": .array(kinds.map(JSONValue.string)), "priority": .integer(priority),
                // The longest that the daemon allows: a test's closure may be stopped in a debugger, or run on a busy machine.
                "timeoutMilliseconds": 10_000,
            ]
        ).makeAsyncIterator()
        // From here on the daemon asks it.
        guard let registration = try await replies.next()?["registration"] else {
            throw DaemonTestError("the daemon did not register the adapter '\(name)'")
        }
        (self.name, self.client, self.questions) = (name, run.client, questions)
        self.sourceLocation = sourceLocation
        let rest = replies
        asking = Task {
            var replies = rest
            // It ends with the connection.
            while let question = try? await replies.next() {
                guard let request = question["request"], !request.isNull else { continue }
                let asked = AskedEvent(
                    kind: question["kind"]?.stringValue ?? "",
                    event: question["event"]?.objectValue ?? [:]
                )
                var parameters: JSONObject
                do {
                    let answer = try await TestRun.$adapterClient.withValue(answers) { try await body(asked) }
                    parameters = try await Self.checked(answer, name, answers, sourceLocation)
                } catch {
                    Issue.record("the adapter '\(name)' threw \(error)", sourceLocation: sourceLocation)
                    parameters = Self.declined("it threw \(error)")
                }
                func give(_ parameters: JSONObject) async throws(SceneClientError) {
                    var parameters = parameters
                    parameters["registration"] = registration
                    parameters["request"] = request
                    _ = try await answers.call("io.scened.Adapters.Answer", parameters)
                }
                do throws(SceneClientError) {
                    try await give(parameters)
                } catch {
                    Issue.record(
                        "the answer of the adapter '\(name)' was not taken: \(error)",
                        sourceLocation: sourceLocation
                    )
                    // It may be no answer, such as one for a user whose name is none: then the event still waits for one.
                    try? await give(Self.declined("its answer was not taken: \(error)"))
                }
            }
            await answers.close()
        }
    }

    /// The answer as the daemon takes it; what the app cannot show is an issue, and declines: the daemon says it only to whoever sent
    /// the event, if to anybody.
    private static func checked(
        _ answer: AdapterAnswer,
        _ name: String,
        _ client: SceneClient,
        _ sourceLocation: SourceLocation
    ) async throws(SceneClientError) -> JSONObject {
        guard let destination = answer.parameters["destination"] else { return answer.parameters }
        do throws(SceneClientError) {
            _ = try await client.call("io.scened.Routing.Print", ["destination": destination])
            return answer.parameters
        } catch {
            guard case .validationFailed(let parameter, let reason)? = error.refusal else { throw error }
            Issue.record(
                "the adapter '\(name)' returned a destination that cannot be: \(parameter): \(reason)",
                sourceLocation: sourceLocation
            )
            return declined("it returned a destination that cannot be")
        }
    }

    private static func declined(_ reason: String) -> JSONObject { ["declined": .string(String(reason.prefix(200)))] }

    /// Takes it back, and waits until the closure has returned and the daemon knows it no more.
    func close() async {
        await questions.close()
        await asking.value
        // The daemon takes it back once it has seen that the connection is closed; the next test may have one of the same name.
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(10)
        while let list = try? await client.call("io.scened.Adapters.List")["adapters"]?.arrayValue,
            list.contains(where: { $0["name"] == .string(name) })
        {
            guard clock.now < deadline else {
                Issue.record(
                    "the daemon still has an adapter '\(name)' 10 s after the test closed its own",
                    sourceLocation: sourceLocation
                )
                return
            }
            try? await clock.sleep(for: .milliseconds(1))
        }
    }
}
