import Foundation
import SceneClient
import SceneManifest
import SceneRouting
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// Provokes every error that an interface file declares, and checks that the daemon's state stays the same.
///
/// `Draining` and `CutOff` are missing: they need a daemon that stops, and `StoppingTests` provokes them. So is `TimePassed`, which needs
/// a virtual clock; `VirtualTimeTests` provokes it.
@Suite("Every declared error", .timeLimit(.minutes(15)))
struct ErrorTests {
    /// A daemon prepared to refuse a call, with the connections that have to stay open.
    final class Stage {
        let daemon: LiveDaemon
        let client: VarlinkClient
        let lever: VarlinkClient
        /// The file of the app's manifest.
        let manifest: String
        var registrations: [VarlinkReplies.Iterator] = []
        var others: [VarlinkClient] = []

        init(_ daemon: LiveDaemon, manifest: String) async throws {
            self.daemon = daemon
            self.manifest = manifest
            client = try await daemon.connect()
            lever = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
        }

        func hold(_ point: String) async throws {
            let hold = try await lever.call("io.scened.Control.Hold", ["point": .string(point), "scene": "A"])
            #expect(hold["hold"] == "h1", "the provocations use this ID")
        }

        func open(_ event: String, wait: String = "settled") async throws {
            _ = try await client.send(
                "OpenURL",
                ["url": "qcommerce://product/p1", "scene": "A", "event": .string(event), "wait": .string(wait)]
            )
        }

        /// Registers an adapter and returns its registration.
        func register(_ name: String, kinds: JSONValue = ["widget"]) async throws -> JSONValue {
            let parameters: JSONObject = ["name": .string(name), "kinds": kinds, "timeoutMilliseconds": 10_000]
            let replies = try await daemon.connect().callMore("io.scened.Adapters.Register", parameters)
            var iterator = replies.makeAsyncIterator()
            defer { registrations.append(iterator) }
            return try await iterator.next()?["registration"] ?? .null
        }

        /// Everything that a refused call could have changed.
        func picture() async throws -> JSONObject {
            var picture = JSONObject()
            for method in ["Scenes.List", "Session.Get", "Adapters.List", "Routing.Routes"] {
                picture[method] = .object(try await client.call("io.scened.\(method)"))
            }
            let status = try await client.call("io.scened.Manager.GetStatus")
            for key in ["host", "manifestVersion", "records", "revision"] { picture[key] = status[key] }
            return picture
        }
    }

    /// A call that is refused with one error.
    struct Provocation: Sendable, CustomTestStringConvertible {
        let error: String
        let method: String
        let parameters: JSONObject
        /// Prepares the daemon, and returns further parameters of the call.
        let prepare: @Sendable (Stage) async throws -> JSONObject

        var testDescription: String { error }

        init(
            _ error: String,
            by method: String,
            _ parameters: JSONObject = [:],
            prepare: @escaping @Sendable (Stage) async throws -> JSONObject = { _ in [:] }
        ) {
            self.error = "io.scened.\(error)"
            self.method = "io.scened.\(method)"
            self.parameters = parameters
            self.prepare = prepare
        }
    }

    private static let background: JSONObject = ["scene": "A", "activation": "foregroundInactive"]
    private static let long: JSONObject = [
        "name": "unheardOf", "parameters": ["x": .string(String(repeating: "x", count: 100_000))], "scene": "A",
        "wait": "admitted",
    ]
    private static let link: JSONObject = ["url": "qcommerce://product/p1"]

    static let provocations: [Provocation] = events + scenes + sessionAndRecords + control + routing + adapters

    private static let events = [
        Provocation("Events.Malformed", by: "Events.OpenURL", ["url": "product/p1"]),
        Provocation("Events.UnknownRoute", by: "Events.OpenURL", ["url": "qcommerce://nowhere"]),
        Provocation("Events.ValidationFailed", by: "Events.OpenURL", ["url": "qcommerce://product/1"]),
        Provocation("Events.NotAssociated", by: "Events.OpenURL", ["url": "https://elsewhere.example/"]),
        Provocation("Events.NoAdapter", by: "Events.TapWidget", ["kind": "clock"]),
        Provocation(
            "Events.MemberRefused",
            by: "Events.OpenURLs",
            ["urls": ["qcommerce://product/p1", "qcommerce://nowhere"]]
        ),
        Provocation("Events.NoEligibleScene", by: "Events.OpenURL", link) { stage in
            // The only window takes everything; windows for details do not.
            _ = try await stage.client.call("io.scened.Scenes.Discard", ["scene": "A"])
            for _ in 1...64 {
                _ = try await stage.client.call("io.scened.Scenes.Connect", ["configuration": "detail"])
            }
            return [:]
        },
        Provocation("Events.UnknownScene", by: "Events.OpenURL", ["url": "qcommerce://home", "scene": "Z"]),
        Provocation("Events.UnknownEvent", by: "Events.Get", ["event": "nothing"]),
        Provocation("Events.EventMismatch", by: "Events.OpenURL", ["url": "qcommerce://home", "event": "mine"]) {
            stage in
            try await stage.open("mine")
            return [:]
        },
        Provocation("Events.QueueFull", by: "Events.OpenURL", ["url": "qcommerce://home", "scene": "A"]) { stage in
            try await stage.hold("admitted")
            try await stage.open("held", wait: "admitted")
            _ = try await stage.lever.call("io.scened.Control.Await", ["hold": "h1"])
            try await stage.open("waiting", wait: "admitted")
            return [:]
        },
        Provocation("Events.TooMuchWaiting", by: "Events.SendIntent", long) { stage in
            try await stage.hold("admitted")
            for _ in 0..<2 { _ = try await stage.client.send("SendIntent", long) }
            return [:]
        },
        Provocation(
            "Events.InvalidFact",
            by: "Events.FinishFlow",
            ["flow": "auth", "result": "completed", "user": "anna", "facts": ["colour": "red"], "scene": "A"]
        ),
    ]

    private static let scenes = [
        Provocation("Scenes.Malformed", by: "Scenes.Connect") { stage in
            let scene = try await stage.client.call("io.scened.Scenes.Get", ["scene": "A"])["scene"]
            var window = scene?["window"]?.objectValue ?? [:]
            window["selectedTab"] = "nowhere"
            return ["window": .object(window)]
        },
        Provocation("Scenes.UnknownScene", by: "Scenes.Discard", ["scene": "Z"]),
        Provocation("Scenes.QueueFull", by: "Scenes.SetActivation", background) { stage in
            try await stage.hold("admitted")
            try await stage.open("held", wait: "admitted")
            _ = try await stage.lever.call("io.scened.Control.Await", ["hold": "h1"])
            // A connection waits once this many of its calls do.
            for _ in 0..<4 {
                let other = try await stage.daemon.connect()
                for _ in 0..<16 { try await other.oneway("io.scened.Scenes.SetActivation", background) }
                stage.others.append(other)
            }
            try await until("all wait") {
                let inputs = try await stage.client.call("io.scened.Recording.Read")["inputs"]?.arrayValue ?? []
                return inputs.count { $0["method"] == "io.scened.Scenes.SetActivation" } == 64
            }
            return [:]
        },
        Provocation("Scenes.SceneExists", by: "Scenes.Connect", ["scene": "A"]),
        Provocation(
            "Scenes.IllegalActivation",
            by: "Scenes.SetActivation",
            ["scene": "A", "activation": "background"]
        ),
        Provocation("Scenes.UnknownConfiguration", by: "Scenes.Connect", ["configuration": "wide"]),
        Provocation("Scenes.TooManyScenes", by: "Scenes.Connect") { stage in
            for _ in 2...64 { _ = try await stage.client.call("io.scened.Scenes.Connect") }
            return [:]
        },
    ]

    private static let sessionAndRecords = [
        Provocation(
            "Session.RevisionConflict",
            by: "Session.Commit",
            ["set": ["market": "de"], "expectedRevision": 7]
        ),
        Provocation("Session.InvalidFact", by: "Session.Commit", ["set": ["colour": "red"]]),
        Provocation("Session.UnknownScene", by: "Session.SignIn", ["user": "anna", "scene": "Z"]),
        Provocation("Records.UnknownKind", by: "Records.Read", ["kinds": ["gate.praked"]]),
    ]

    private static let control = [
        Provocation("Control.HoldExists", by: "Control.Hold", ["point": "planned", "hold": "mine"]) { stage in
            _ = try await stage.lever.call("io.scened.Control.Hold", ["point": "settled", "hold": "mine"])
            return [:]
        },
        Provocation("Control.UnknownHold", by: "Control.Release", ["hold": "h99"]),
        Provocation("Control.UnknownScene", by: "Control.Hold", ["point": "planned", "scene": "Z"]),
        Provocation("Control.TimedOut", by: "Control.Quiesce", ["timeoutMilliseconds": 1]) { stage in
            try await stage.hold("planned")
            try await stage.open("held", wait: "admitted")
            _ = try await stage.lever.call("io.scened.Control.Await", ["hold": "h1"])
            return [:]
        },
        Provocation("Control.RealClock", by: "Control.Advance", ["milliseconds": 1]),
        Provocation("Manager.UnknownManifest", by: "Manager.GetManifest", ["digest": "0"]),
        Provocation("Manager.InvalidManifest", by: "Manager.Reload") { stage in
            try "{}".write(toFile: stage.manifest, atomically: true, encoding: .utf8)
            return [:]
        },
    ]

    private static let routing = [
        Provocation("Routing.Malformed", by: "Routing.Resolve", ["url": "product/p1"]),
        Provocation("Routing.UnknownRoute", by: "Routing.Resolve", ["url": "qcommerce://nowhere"]),
        Provocation("Routing.ValidationFailed", by: "Routing.Resolve", ["url": "qcommerce://product/1"]),
        Provocation("Routing.InvalidFact", by: "Routing.Resolve", ["url": "qcommerce://home", "facts": ["colour": 1]]),
    ]

    private static let widget: JSONObject = ["kind": "deals", "url": "qcommerce://home"]

    private static let adapters = [
        Provocation("Adapters.NameTaken", by: "Adapters.Register", ["name": "mine", "kinds": ["url"]]) { stage in
            _ = try await stage.register("mine")
            return [:]
        },
        Provocation("Adapters.TooManyAdapters", by: "Adapters.Register", ["name": "mine", "kinds": ["url"]]) { stage in
            for number in 1...64 { _ = try await stage.register("\(number)") }
            return [:]
        },
        Provocation("Adapters.UnknownAdapter", by: "Adapters.Try", ["event": .object(link), "adapter": "nobody"]),
        Provocation("Adapters.UnknownKind", by: "Adapters.Try", ["event": .object(link), "kind": "fax"]),
        Provocation(
            "Adapters.UnknownRegistration",
            by: "Adapters.Answer",
            ["registration": "adapter-9", "request": 1, "declined": "x"]
        ),
        Provocation("Adapters.UnknownRequest", by: "Adapters.Answer", ["request": 7, "declined": "x"]) { stage in
            ["registration": try await stage.register("mine")]
        },
        Provocation("Adapters.InvalidAnswer", by: "Adapters.Answer") { stage in
            let registration = try await stage.register("mine")
            // A trial asks the adapter and changes nothing, whatever its result.
            let lever = stage.lever
            Task { try await lever.call("io.scened.Adapters.Try", ["event": .object(widget), "adapter": "mine"]) }
            var asked = stage.registrations.removeLast()
            let question = try await asked.next()
            stage.registrations.append(asked)
            return ["registration": registration, "request": question?["request"] ?? .null]
        },
        Provocation("Adapters.Malformed", by: "Adapters.Try", ["event": ["ulr": "x"]]),
    ]

    @Test("is provoked by one of these tests")
    func complete() throws {
        var declared: Set<String> = []
        for file in ProtocolFilesTests.files {
            let interface = try VarlinkInterface(parsing: try ProtocolFilesTests.text(file))
            for member in interface.members {
                if case .error = member.kind { declared.insert("\(interface.name).\(member.name)") }
            }
        }
        #expect(declared.count > 40)
        let provoked = Self.provocations.map(\.error)
        #expect(Set(provoked).count == provoked.count)
        // Stopping, the limits of users and disks that fail have tests of their own.
        let elsewhere = [
            "Draining", "CutOff", "TooManyTrials", "TooManyChecks", "TooManyHolds", "TooManyWaits", "TimePassed",
            "StorageFailed",
        ]
        let expected = declared.filter { name in !elsewhere.contains { name.hasSuffix(".\($0)") } }
        #expect(expected == Set(provoked).filter { name in !elsewhere.contains { name.hasSuffix(".\($0)") } })
    }

    @Test(
        "is what its provocation is answered with, says what it declares, and leaves the daemon as it was",
        arguments: provocations
    )
    func provoked(provocation: Provocation) async throws {
        let directory = try TemporaryDirectory()
        let manifest = "\(directory.path)/shop.yaml"
        try AppManifest.builtInShopText.write(toFile: manifest, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", manifest, "--mailbox", "1", "--set", "waitingBytesPerUser=262144"]) {
            daemon in
            let stage = try await Stage(daemon, manifest: manifest)
            var parameters = provocation.parameters
            for (name, value) in try await provocation.prepare(stage) { parameters[name] = value }
            let before = try await stage.picture()
            let refusal = try await Self.refusal(daemon, provocation.method, parameters)
            #expect(refusal?.name == provocation.error, "\(String(describing: refusal))")
            if let refusal, case .other = DaemonError(name: refusal.name, parameters: refusal.parameters) {
                Issue.record("the client does not know \(refusal)")
            }
            #expect(try Self.declaredParameters(of: provocation.error).isSuperset(of: refusal?.parameters.keys ?? []))
            #expect(try await stage.picture() == before)
            // This connection and all others still work.
            _ = try await stage.client.call("io.scened.Scenes.List")
            _ = (stage.registrations, stage.others)
        }
    }

    /// Calls with `more`, which one method requires and all others accept, and returns the error.
    private static func refusal(
        _ daemon: LiveDaemon,
        _ method: String,
        _ parameters: JSONObject
    ) async throws -> VarlinkError? {
        var replies = try await daemon.connect().callMore(method, parameters).makeAsyncIterator()
        do {
            _ = try await replies.next()
            return nil
        } catch let error as VarlinkError {
            return error
        }
    }

    /// The fields of the error according to the interface file.
    private static func declaredParameters(of error: String) throws -> Set<String> {
        let words = error.split(separator: ".")
        let file = words.dropLast().joined(separator: ".") + ".varlink"
        let interface = try VarlinkInterface(parsing: try ProtocolFilesTests.text(file))
        for member in interface.members where member.name == words.last.map(String.init) {
            if case .error(let parameters) = member.kind { return Set(parameters.map(\.name)) }
        }
        return []
    }
}
