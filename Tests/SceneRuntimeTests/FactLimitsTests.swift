import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

@Suite("What one fact may take", .timeLimit(.minutes(15)))
struct FactLimitsTests {
    private static let app = """
        name: Noting
        schemes: [noting]
        facts: { text: { type: string }, list: { type: strings } }
        tabs: { home: home }
        preconditions: { signedIn: { holds: signedIn, flow: auth } }
        destinations:
          home: { tab: home }
          own: { ancestry: [home], preconditions: [signedIn], routes: ["noting://own"] }
        flows: { auth: { screens: [login] } }
        intents:
          added: { parameters: { it: string }, effects: [{ append: list, value: { parameter: it } }] }
        """

    /// How a fact gets its value.
    enum Way: CaseIterable {
        case commit, signIn, change, append, completion, effect
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let largest: FactValue
        let tooLarge: FactValue
        let reason: String

        var fact: String { if case .string = largest { "text" } else { "list" } }
    }

    private static func text(_ count: Int, _ character: String = "x") -> String {
        String(repeating: character, count: count)
    }

    /// A list of elements that all differ.
    private static func list(_ count: Int, of bytes: Int, last: String) -> FactValue {
        .strings((1..<count).map { text(bytes - "\($0)".count) + "\($0)" } + [last])
    }

    /// A text and an element take 16 bytes and those that they have in JSON; so does a list with its elements.
    static let cases = [
        Case(
            testDescription: "a text",
            largest: .string(text(65_520)),
            tooLarge: .string(text(65_521)),
            reason: "takes 65537 bytes; one fact may take 65536"
        ),
        Case(
            testDescription: "a text that is longer in JSON",
            largest: .string(text(10_920, "\u{1}")),
            tooLarge: .string(text(10_920, "\u{1}") + "x"),
            reason: "takes 65537 bytes; one fact may take 65536"
        ),
        Case(
            testDescription: "elements with many bytes",
            largest: list(65, of: 1_000, last: text(480)),
            tooLarge: list(65, of: 1_000, last: text(481)),
            reason: "takes 65537 bytes; one fact may take 65536"
        ),
        Case(
            testDescription: "many elements",
            largest: list(1_000, of: 4, last: "x"),
            tooLarge: list(1_001, of: 4, last: "x"),
            reason: "has 1001 elements; a list may have 1000"
        ),
    ]

    @Test("is the same whichever way it gets its value, to the byte and the element", arguments: cases, Way.allCases)
    func limits(example: Case, way: Way) async throws {
        // A text is not appended to, and the text of a parameter is never so long.
        if example.fact == "text", way == .append || way == .effect { return }
        let fact = example.fact
        let allowed = try await Self.set(example.largest, fact, way)
        #expect(allowed.refusal == nil && allowed.value == example.largest)
        let refused = try await Self.set(example.tooLarge, fact, way)
        // The receipt of an event names the fact only.
        #expect(refused.refusal == (way == .effect ? "invalidFact: \(fact)" : example.reason))
        #expect(refused.value == refused.before)
    }

    /// Sets a fact in a new host. The last element of a list is appended where it can be.
    /// - Returns: Why it was refused, and what the fact is then and was before.
    private static func set(
        _ value: FactValue,
        _ fact: String,
        _ way: Way
    ) async throws -> (refusal: String?, value: FactValue?, before: FactValue?) {
        let manifest = try AppManifest.read(app).manifest
        let test = try TestHost(windows: ["A"], edit: { $0 = manifest })
        let session = test.host.session
        var last = ""
        if case .strings(let list) = value, way == .append || way == .effect {
            last = list.last ?? ""
            try await session.commit(set: [fact: .strings(list.dropLast())])
        }
        if way == .completion { try await test.open("noting://own") }
        let before = session.snapshot.facts[fact]
        var refusal: String?
        do {
            switch way {
            case .commit: try await session.commit(set: [fact: value])
            case .signIn: try await session.signIn(user: "anna", facts: [fact: value])
            case .change: try await session.apply([.set(fact: fact, value)], origin: CommitOrigin())
            case .append: try await session.apply([.append(fact: fact, last)], origin: CommitOrigin())
            case .completion:
                let completion = FlowCompletion(user: "anna", facts: [fact: value])
                try await test.act(.finishFlow("auth", .completed(completion)))
            case .effect:
                let receipt = try await test.tap("added", ["it": last])
                if case .rejected(let reason) = receipt.outcome { refusal = reason }
            }
        } catch SessionError.invalidFact(fact, let reason) {
            refusal = reason
        } catch AdmissionError.invalidFact(fact, let reason) {
            refusal = reason
        }
        return (refusal, session.snapshot.facts[fact], before)
    }
}
