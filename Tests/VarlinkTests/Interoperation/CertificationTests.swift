import Basics
import Foundation
import NIOCore
import StrictJSON
import Testing
import Varlink

@Suite(
    "org.varlink.certification",
    .timeLimit(.minutes(15)),
    .enabled(if: PythonPackage.isInstalled, PythonPackage.absence)
)
struct CertificationTests {
    private static let name = "org.varlink.certification"

    private func interfaceSource() async throws -> String {
        let outcome = try await PythonPackage.run([
            "-c",
            "import varlink.tests, os; print(open(os.path.join(os.path.dirname(varlink.tests.__file__), "
                + "'org.varlink.certification.varlink')).read(), end='')",
        ])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    private func withServer(_ body: (String, CertificationService) async throws -> Void) async throws {
        let certification = CertificationService(source: try await interfaceSource())
        var options = VarlinkServer.Options()
        options.checksReplies = true
        // Recorded where it happens, on a thread of no test, an incident would be every test's.
        let incidents = Guarded<[String]>([])
        options.report = { incident in incidents.withLock { $0.append("\(incident)") } }
        let server = try VarlinkServer(
            services: [try certification.service()],
            identity: VarlinkIdentity(vendor: "", product: "", version: "", url: ""),
            options: options
        )
        let path = FileManager.default.temporaryDirectory.appending(path: "c-\(UUID().uuidString.prefix(8))").path
        try await server.listen(path: path)
        do {
            try await body(path, certification)
        } catch {
            await server.shutDown(within: .zero)
            throw error
        }
        // Whoever has not quite left yet is not cut off.
        await server.shutDown(within: .seconds(120))
        #expect(incidents.withLock { $0 } == [])
    }

    /// The transcript of the Python client, without the ID and the address, which differ in each run, and with the members
    /// of a set sorted.
    private func transcript(path: String) async throws -> [String] {
        let outcome = try await PythonPackage.run(
            ["-m", "varlink.tests.test_certification", "--client", "--varlink=unix:\(path)"]
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n")
            .filter { !$0.hasPrefix("client_id:") && !$0.hasPrefix("Connecting to") }
            .map { line in
                String(line).replacing(/\{('[a-z]+'(?:, '[a-z]+')*)\}/) { match in
                    "{" + match.1.split(separator: ", ").sorted().joined(separator: ", ") + "}"
                }
            }
    }

    @Test("the Python client gets the same from our server as from its own")
    func certifiesServer() async throws {
        let reference = try await PythonPackage.withCertificationServer { try await transcript(path: $0) }
        #expect(reference.last == "Certification passed")
        #expect(reference.count == 22)
        try await withServer { path, certification in
            let own = try await transcript(path: path)
            #expect(own == reference)
            #expect(
                certification.log
                    == ["Start"] + (1...11).map { $0 < 10 ? "Test0\($0)" : "Test\($0)" } + ["End"]
            )
        }
    }

    /// Calls the whole sequence; each reply is the argument of the next call.
    private func runClient(_ client: VarlinkClient) async throws -> JSONObject {
        var parameters = try await client.call("\(Self.name).Start")
        let id = try #require(parameters["client_id"])
        for index in 1...9 {
            parameters["client_id"] = id
            parameters = try await client.call("\(Self.name).Test0\(index)", parameters)
        }
        var strings: [JSONValue] = []
        parameters["client_id"] = id
        for try await reply in client.callMore("\(Self.name).Test10", parameters) {
            strings.append(try #require(reply["string"]))
        }
        #expect(strings.count == 10)
        try await client.oneway("\(Self.name).Test11", ["client_id": id, "last_more_replies": .array(strings)])
        return try await client.call("\(Self.name).End", ["client_id": id])
    }

    @Test("the Python server, which compares raw messages, certifies our client")
    func certifiesClient() async throws {
        try await PythonPackage.withCertificationServer { path in
            let client = try await VarlinkClient.connect(path: path)
            #expect(try await runClient(client) == ["all_ok": true])
        }
    }

    @Test("our client passes our strict server, which refuses a wrong value, order, flag, member and symbol")
    func refusesDeviations() async throws {
        try await withServer { path, certification in
            let client = try await VarlinkClient.connect(path: path)
            #expect(try await runClient(client) == ["all_ok": true])

            func refusal(_ method: String, _ parameters: JSONObject, from step: Int = 0) async throws -> VarlinkError? {
                var reply = try await client.call("\(Self.name).Start")
                let id = try #require(reply["client_id"])
                for index in 1..<max(step, 1) {
                    reply["client_id"] = id
                    reply = try await client.call("\(Self.name).Test0\(index)", reply)
                }
                var parameters = parameters
                parameters["client_id"] = id
                do {
                    _ = try await client.call("\(Self.name).\(method)", parameters)
                    return nil
                } catch let error as VarlinkError {
                    return error
                }
            }
            let deviation = "\(Self.name).CertificationError"
            #expect(try await refusal("Test02", ["bool": true])?.name == deviation)
            #expect(try await refusal("Test02", ["bool": false], from: 2)?.name == deviation)
            #expect(try await refusal("Test02", ["bool": 1], from: 2)?.parameters["parameter"] == "bool")
            #expect(
                try await refusal("Test02", ["bool": true, "extra": 1], from: 2)?.parameters["parameter"] == "extra"
            )
            #expect(try await refusal("Test02", ["bool": true], from: 2) == nil)
            #expect(try await refusal("Test10", ["mytype": [:]], from: 1) == .expectedMore)
            #expect(
                try await refusal("Test11", ["last_more_replies": []], from: 1)?.name == deviation
            )
        }
    }
}
