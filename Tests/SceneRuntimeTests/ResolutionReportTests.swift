import Basics
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

@Suite("Every answer of the routing engine is reported, for metrics", .timeLimit(.minutes(15)))
struct ResolutionReportTests {
    /// What is sent, and what is reported of it: the door, the route and the answer.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let event: SubmittedEvent
        let report: String

        init(_ description: String, _ event: SubmittedEvent, _ report: String) {
            testDescription = description
            self.event = event
            self.report = report
        }
    }

    static func cases() throws -> [Case] {
        func link(_ url: String) throws -> SubmittedEvent { .entry(try .url(url)) }
        func push(_ route: String, _ parameters: JSONObject = [:]) throws -> SubmittedEvent {
            let payload: JSONObject = [
                "aps": ["alert": "x"], "route": .string(route), "parameters": .object(parameters),
            ]
            return .entry(try .push(payload: payload))
        }
        let product = "qcommerce://product/{id}?ref={ref?}"
        return [
            Case("a link that no route takes", try link("qcommerce://nowhere"), "url - unknownRoute"),
            Case("a link", try link("qcommerce://product/p1"), "url \(product) proceed"),
            Case("a link to what is sold out", try link("qcommerce://product/p9"), "url \(product) inStock"),
            Case("a link that has to wait", try link("qcommerce://cart"), "url qcommerce://cart gated"),
            Case("a destination that is not there", try push("nowhere"), "request - destination"),
            Case("a destination", try push("product", ["id": "p1"]), "request - proceed"),
            Case("a parameter that is not allowed", try push("product", ["id": "x"]), "request - id"),
            Case(
                "a tap",
                .action(.intent(Intent(name: "productSelected", parameters: ["id": "p1"]))),
                "request - proceed"
            ),
        ]
    }

    @Test("at the door what is refused, at its turn what is answered then", arguments: try cases())
    func reported(event: Case) async throws {
        let reports = Guarded<[ResolutionReport]>([])
        let host = try SceneHost(
            id: "test",
            manifest: try .builtInShop(),
            report: { report in reports.withLock { $0.append(report) } }
        )
        try host.connect(scene: "A")
        try await host.session.commit(set: ["unavailable": .strings(["p9"])])
        var submission = Submission(.gesture(.back), scene: "A")
        submission.event = event.event
        if let admission = try? host.admit(submission) { _ = await host.receipt(of: admission) }
        #expect(reports.withLock { $0 }.map(\.words) == [event.report])
    }
}

extension ResolutionReport {
    /// The report in one line: `url qcommerce://cart gated`.
    fileprivate var words: String {
        let answer =
            switch self.answer {
            case .success(let verdict): verdict.rawValue
            case .failure(.malformed): "malformed"
            case .failure(.unknownRoute): "unknownRoute"
            case .failure(.validationFailed(let parameter, _)): parameter
            }
        return "\(door.rawValue) \(route ?? "-") \(answer)"
    }
}
