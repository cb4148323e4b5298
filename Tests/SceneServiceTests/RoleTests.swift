import Basics
import NIOCore
import SceneEntryPoints
import SceneManifest
import SceneRouting
import SceneRuntime
import SceneService
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// Clients with some roles and not others, through a socket.
@Suite("Roles", .timeLimit(.minutes(15)))
struct RoleTests {
    /// A server with one host, whose every client has the roles that the test gives it.
    private struct Served: Sendable {
        let host: SceneHost
        let roles: Guarded<Set<Role>>
        let accounts: UserAccounts
        let drains: Guarded<Int>
        let path: String

        static func run(_ body: @Sendable (Served) async throws -> Void) async throws {
            let directory = try TemporaryDirectory()
            let served = Served(
                host: try SceneHost(id: "test", manifest: try AppManifest.builtInShop()),
                roles: Guarded([]),
                accounts: UserAccounts(waits: 3),
                drains: Guarded(0),
                path: "\(directory.path)/socket"
            )
            let controls = DaemonControls(
                version: "0",
                manifestFile: nil,
                reload: {},
                drain: { served.drains.withLock { $0 += 1 } },
                connections: { 0 },
                metrics: { "" },
                roles: { _ in served.policy.roles(of: Self.stranger) },
                accounts: served.accounts
            )
            let server = try VarlinkServer(served.host, controls: controls) { options in
                options.checksReplies = true
                // The tests may run as root, who has every role.
                options.authorize = { _, method in served.policy.refusal(Self.stranger, method) }
            }
            try await server.listen(path: served.path)
            do {
                try await body(served)
            } catch {
                Issue.record("\(error)")
            }
            await server.shutDown(within: .zero)
            await served.host.drain(within: .zero)
        }

        static let stranger = VarlinkPeer(userID: 700, groupID: 700, processID: 1)

        var policy: AccessPolicy { AccessPolicy(ownUser: 501, users: [700: roles.withLock { $0 }]) }

        func give(_ roles: some Sequence<Role>) { self.roles.withLock { $0 = Set(roles) } }

        /// Everything that a call could change.
        var state: [String] {
            [
                "\(host.records.newestIndex)", "\(host.session.snapshot)", "\(host.scenes)", "\(host.holdOwners)",
                "\(drains.withLock { $0 })",
            ]
        }
    }

    /// The error that a call is answered with; `nil` for a reply.
    private static func error(of method: String, _ parameters: JSONObject, _ client: VarlinkClient) async throws
        -> VarlinkError?
    {
        do {
            if method.hasSuffix(".Register") {
                for try await _ in client.callMore(method, parameters) { break }
            } else {
                _ = try await client.call(method, parameters)
            }
            return nil
        } catch let error as VarlinkError {
            return error
        }
    }

    @Test("the heads of the interface files name the role of every method")
    func documented() throws {
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        for service in try SocketAPI.services(RunningHost(host) { old, _ in old }, controls: .forTests()) {
            let interface = service.interface
            let marker = "# Roles: "
            let line = try #require(service.source.split(separator: "\n").first { $0.hasPrefix(marker) })
            var told: [String: [Role]] = [:]
            var rest: [Role] = []
            var roles: [Role] = []
            var isOr = false
            for word in line.dropFirst(marker.count).split(whereSeparator: { " ,.".contains($0) }).map(String.init) {
                if let named = Role(rawValue: word) {
                    roles = (isOr ? roles : []) + [named]
                } else if ["all", "others"].contains(word) {
                    rest = roles
                } else if interface.methodNames.contains(word) {
                    told[word] = roles
                } else if word != "or" {
                    #expect(["for", "and", "the"].contains(word), "\(interface.name): \(word)")
                }
                isOr = word == "or"
            }
            for method in interface.methodNames {
                #expect(MethodRoles.roles(for: "\(interface.name).\(method)") == told[method] ?? rest, "\(method)")
            }
        }
    }

    @Test("every method is refused to who lacks its role, whatever other roles they have, and that changes nothing")
    func refused() async throws {
        try await Served.run { served in
            try served.host.connect(scene: "A")
            let client = try await VarlinkClient.connect(path: served.path)
            var refusals: [String: Int] = [:]
            for line in DrainingTests.methods {
                let method = "io.scened.\(line.method)"
                let roles = MethodRoles.roles(for: method)
                let role = try #require(roles.first)
                for others in [
                    Role.allCases.filter { !roles.contains($0) }, Array(Role.allCases.prefix { !roles.contains($0) }),
                ] {
                    served.give(others)
                    let before = served.state
                    let error = try await Self.error(of: method, line.parameters, client)
                    #expect(error?.name == VarlinkError.permissionDenied.name, "\(method)")
                    #expect(error?.parameters == ["role": .string(role.rawValue)], "\(method)")
                    #expect(served.state == before, "\(method)")
                    refusals[role.rawValue, default: 0] += 1
                }
            }
            #expect(refusals.values.reduce(0, +) == 2 * MethodRoles.table.count)
            // A role is enough for its methods. Those that end everything come last.
            let last = ["Manager.Drain", "Control.Reset"]
            let lines = DrainingTests.methods.sorted { !last.contains($0.method) && last.contains($1.method) }
            for (line, role) in lines.flatMap({ line in
                MethodRoles.roles(for: "io.scened.\(line.method)").map { (line, $0) }
            }) {
                let method = "io.scened.\(line.method)"
                let client = try await VarlinkClient.connect(path: served.path)
                served.give([role])
                if line.method == "Manager.Drain" {
                    // It is answered when the daemon ends.
                    try await client.oneway(method, line.parameters)
                    _ = try await client.call("org.varlink.service.GetInfo")
                    #expect(served.drains.withLock { $0 } == 1)
                } else {
                    let error = try await Self.error(of: method, line.parameters, client)
                    #expect(error?.name != VarlinkError.permissionDenied.name, "\(method)")
                }
                await client.close()
            }
        }
    }

    @Test("the status tells its caller the caller's roles, in their order", arguments: [Role.inject, .manage])
    func own(role: Role) async throws {
        try await Served.run { served in
            served.give([role, .observe])
            let client = try await VarlinkClient.connect(path: served.path)
            let status = try await client.call("io.scened.Manager.GetStatus")
            #expect(status["roles"] == ["observe", .string(role.rawValue)])
        }
    }

    @Test("the status lists the methods that its caller may call, and no other", arguments: Role.allCases)
    func callable(role: Role) async throws {
        try await Served.run { served in
            served.give([role, .observe])
            let client = try await VarlinkClient.connect(path: served.path)
            let status = try await client.call("io.scened.Manager.GetStatus")
            let methods = (status["methods"]?.arrayValue ?? []).compactMap(\.stringValue)
            #expect(methods.count == Set(methods).count)
            let others = MethodRoles.table.map(\.method).filter { !methods.contains($0) }
            #expect(
                methods.count + others.count == MethodRoles.table.count && methods.contains("io.scened.Records.Read")
            )
            // What is listed is not called here: some of it ends the daemon.
            for method in others {
                let error = try await Self.error(of: method, [:], client)
                #expect(error?.name == VarlinkError.permissionDenied.name, "\(method)")
            }
            for method in methods where method.hasPrefix("io.scened.Events.") || method.hasPrefix("io.scened.Session.")
            {
                let error = try await Self.error(of: method, [:], client)
                #expect(error?.name != VarlinkError.permissionDenied.name, "\(method)")
            }
        }
    }

    @Test("whoever may send something may ask what became of it, and of nothing that others sent")
    func receipts() async throws {
        try await Served.run { served in
            try served.host.connect(scene: "A")
            let client = try await VarlinkClient.connect(path: served.path)
            for (number, line) in DrainingTests.methods.enumerated()
            where line.method.hasPrefix("Events.") && line.method != "Events.Get" {
                served.give(MethodRoles.roles(for: "io.scened.\(line.method)"))
                var parameters = line.parameters
                parameters["event"] = .string("e\(number)")
                parameters["scene"] = "A"
                let sent: JSONObject
                do {
                    sent = try await client.call("io.scened.\(line.method)", parameters)
                } catch let error as VarlinkError where error.name != VarlinkError.permissionDenied.name {
                    continue
                }
                for receipt in sent["receipts"]?.arrayValue ?? [sent["receipt"] ?? .null] {
                    let event = receipt["event"]?.stringValue ?? ""
                    #expect(event.hasPrefix("e\(number)"), "\(line.method)")
                    let asked = try await client.call("io.scened.Events.Get", ["event": .string(event)])
                    #expect(asked["receipt"]?["ticket"] == receipt["ticket"], "\(line.method)")
                }
            }
            _ = try served.host.admit(Submission(try .url("qcommerce://home"), scene: "A", eventID: "theirs"))
            let error = try await Self.error(of: "io.scened.Events.Get", ["event": "theirs"], client)
            #expect(error?.name == "io.scened.Events.UnknownEvent")
        }
    }

    // MARK: - What the system delivers does not touch a screen

    /// Every name that means something to the app: a hostile sender tries each of them everywhere.
    private static func names(_ manifest: AppManifest) -> [String] {
        manifest.destinations.map(\.id) + manifest.intents.map(\.name)
            + manifest.flows.flatMap { [$0.name] + $0.screens.map(\.id) + $0.intents.map(\.name) }
            + manifest.facts.map(\.name) + manifest.tabs.map(\.id)
            + manifest.notificationCategories.flatMap { $0.actions.map(\.id) }
            + ["back", "swipeBack", "dismiss", "swipeDown", "selectTab", "completed", "cancelled", "signIn", "signOut"]
    }

    /// Events that say in every way that there is to say it: do that.
    private static func events(_ name: String) -> [(method: String, parameters: JSONObject)] {
        let parameters: JSONObject = ["id": "p1", "user": "eve", "name": .string(name), "flow": .string(name)]
        let orders: JSONObject = [
            "destination": .string(name), "route": .string(name), "parameters": .object(parameters),
            "intent": .string(name),
            "flow": .string(name), "result": "completed", "user": "eve", "gesture": .string(name),
            "url": .string("qcommerce://\(name)?user=eve"), "facts": ["market": "at"], "order": "o7",
            "kCSSearchableItemActivityIdentifier": .string("\(name)/p1"),
        ]
        let push = JSONObject([("aps", ["alert": "x", "category": .string(name)])] + orders.map { ($0.key, $0.value) })
        let offer: JSONObject = ["aps": ["alert": "x", "category": "OFFER"], "product": "p1"]
        let urls = [
            "qcommerce://\(name)", "qcommerce://\(name)/p1?user=eve&result=completed", "https://shop.example/\(name)",
            "https://shop.example/flow/\(name)/completed",
        ]
        return urls.map { ("Events.OpenURL", ["url": .string($0), "sourceApplication": .string(name)]) }
            + [
                ("Events.Push", ["payload": .object(push)]),
                ("Events.Push", ["payload": .object(push), "interaction": "dismiss"]),
                (
                    "Events.Push",
                    ["payload": .object(push), "interaction": "action", "action": .string(name), "text": "eve"]
                ),
                (
                    "Events.Push",
                    ["payload": .object(offer), "interaction": "action", "action": .string(name)]
                ),
                ("Events.ContinueActivity", ["activityType": .string(name), "userInfo": .object(orders)]),
                (
                    "Events.ContinueActivity",
                    ["activityType": "com.example.shop.view", "userInfo": .object(orders), "handoff": true]
                ),
                (
                    "Events.ContinueActivity",
                    ["activityType": "com.apple.corespotlightitem", "userInfo": .object(orders)]
                ),
                ("Events.TapWidget", ["kind": .string(name), "url": .string(urls[0]), "userInfo": .object(orders)]),
                ("Events.TapWidget", ["kind": "order-status", "userInfo": .object(orders)]),
                ("Events.PerformShortcut", ["type": .string(name), "userInfo": .object(orders)]),
                ("Adapters.Try", ["event": .object(push)]),
                ("Adapters.Try", ["event": ["activityType": .string(name), "userInfo": .object(orders)]]),
            ]
    }

    @Test("inject alone signs nobody in or out, finishes no flow and presses no button", arguments: [nil, "anna"])
    func injectOnly(user: String?) async throws {
        try await Served.run { served in
            let host = served.host
            try host.connect(scene: "A")
            if let user { try await host.session.signIn(user: user) }
            let (session, before) = (host.session.snapshot, host.records.newestIndex)
            let names = Self.names(host.manifest)
            served.give(Role.allCases)
            // An adapter that lets every answer through that there is.
            let adapter = try await VarlinkClient.connect(path: served.path)
            let answering = try await VarlinkClient.connect(path: served.path)
            var asked = adapter.callMore(
                "io.scened.Adapters.Register",
                ["name": "n", "kinds": ["shortcut"], "priority": 99, "timeoutMilliseconds": 10_000]
            ).makeAsyncIterator()
            let registration = try #require(try await asked.next()?["registration"])

            let client = try await VarlinkClient.connect(path: served.path)
            for (index, name) in names.enumerated() {
                // A flow is on screen, and something waits for it.
                served.give([.inject])
                _ = try await Self.error(
                    of: "io.scened.Events.OpenURL",
                    ["url": "https://shop.example/cart", "scene": "A"],
                    client
                )
                for (number, event) in Self.events(name).enumerated() {
                    let place: [(String, JSONValue)] = event.method == "Adapters.Try" ? [] : [("scene", "A")]
                    let parameters = JSONObject(event.parameters.map { ($0.key, $0.value) } + place)
                    let method = "io.scened.\(event.method)"
                    if event.method == "Events.PerformShortcut" {
                        async let error = Self.error(of: method, parameters, client)
                        let question = try #require(try await asked.next())
                        let answer: JSONObject =
                            index.isMultiple(of: 2)
                            ? ["url": .string("qcommerce://\(name)")]
                            : ["destination": ["id": .string(name), "parameters": ["user": "eve"]]]
                        served.give([.inject, .control])
                        _ = try await answering.call(
                            "io.scened.Adapters.Answer",
                            JSONObject(
                                [("registration", registration), ("request", question["request"] ?? .null)]
                                    + answer.map { ($0.key, $0.value) }
                            )
                        )
                        served.give([.inject])
                        _ = try await error
                    } else {
                        _ = try await Self.error(of: method, parameters, client)
                    }
                    #expect(host.session.snapshot == session, "\(name), \(number): \(parameters)")
                }
                // What a screen or a finger does is refused.
                for action in DrainingTests.methods where MethodRoles.roles(for: "io.scened.\(action.method)") == [.act]
                {
                    let before = served.state
                    let error = try await Self.error(of: "io.scened.\(action.method)", action.parameters, client)
                    #expect(error?.parameters == ["role": "act"])
                    #expect(served.state == before)
                }
            }
            let records = host.records.read(after: before).records
            #expect(!records.contains { [.sessionCommitted, .intentBubbled].contains($0.kind) })
            let kinds = Set(
                records.compactMap { record in
                    if case .eventAdmitted(let arrival) = record.body { "\(arrival.kind)" } else { nil }
                }
            )
            #expect(kinds.isSubset(of: ["url", "activity", "push", "widget", "shortcut"]), "\(kinds)")
            #expect(kinds.count == 5)
        }
    }

    // MARK: - What a user may have under way

    @Test("a user's waits are limited, refused beyond that with a clear error, and counted until they end")
    func waits() async throws {
        try await Served.run { served in
            try served.host.connect(scene: "A")
            let hold = try served.host.hold(.admitted, scene: "A")
            _ = try served.host.admit(Submission(try .url("qcommerce://cart"), scene: "A"))
            served.give(Role.allCases)
            let client = try await VarlinkClient.connect(path: served.path)
            let waiting = try RawConnection(path: served.path)
            // As many as may wait, on one connection. Each ends in another way.
            let quiesce = #"{"method":"io.scened.Control.Quiesce","oneway":true}␀"#
            try await waiting.write(quiesce + quiesce + #"{"method":"io.scened.Control.Quiesce"}␀"#)
            try await until("they wait") { try await Self.uses(client) == ["waits": 3] }
            for method in ["Quiesce", "Await"] {
                let error = try await Self.error(
                    of: "io.scened.Control.\(method)",
                    method == "Await" ? ["hold": .string(hold)] : [:],
                    client
                )
                #expect(error == VarlinkError("io.scened.Control.TooManyWaits", ["limit": 3]))
            }
            #expect(try await Self.user(client)["refused"] == ["waits": 2])
            served.host.release(hold)
            _ = try await waiting.read(messages: 1)
            try await until("all have ended") { try await Self.uses(client) == [:] }
            #expect(try await Self.error(of: "io.scened.Control.Quiesce", [:], client) == nil)
            // One that times out, and one whose client leaves, are over too.
            let again = try served.host.hold(.admitted, scene: "A")
            _ = try served.host.admit(Submission(try .url("qcommerce://home"), scene: "A"))
            let timedOut = try await Self.error(of: "io.scened.Control.Quiesce", ["timeoutMilliseconds": 0], client)
            #expect(timedOut?.name == "io.scened.Control.TimedOut")
            let leaving = try RawConnection(path: served.path)
            try await leaving.write(quiesce + quiesce + #"{"method":"io.scened.Control.Quiesce"}␀"#)
            try await until("they wait") { try await Self.uses(client) == ["waits": 3] }
            leaving.closeBoth()
            try await until("they are gone") { try await Self.uses(client) == [:] }
            served.host.release(again)
        }
    }

    @Test("a user's holds are limited, over all its connections, and those of a closed one do not count")
    func holds() async throws {
        try await Served.run { served in
            served.give(Role.allCases)
            let clients = [
                try await VarlinkClient.connect(path: served.path), try await VarlinkClient.connect(path: served.path),
            ]
            var holds: [JSONValue] = []
            for number in 0..<256 {
                let reply = try await clients[number % 2].call("io.scened.Control.Hold", ["point": "planned"])
                holds.append(try #require(reply["hold"]))
            }
            let many = VarlinkError("io.scened.Control.TooManyHolds", ["limit": 256])
            for client in clients {
                #expect(try await Self.error(of: "io.scened.Control.Hold", ["point": "planned"], client) == many)
            }
            #expect(served.host.holdOwners.count == 256)
            _ = try await clients[0].call("io.scened.Control.Release", ["hold": holds[1]])
            #expect(try await Self.error(of: "io.scened.Control.Hold", ["point": "planned"], clients[0]) == nil)
            #expect(try await Self.error(of: "io.scened.Control.Hold", ["point": "planned"], clients[1]) == many)
            await clients[0].close()
            try await until("its holds are gone") { served.host.holdOwners.count == 127 }
            #expect(try await Self.error(of: "io.scened.Control.Hold", ["point": "planned"], clients[1]) == nil)
            #expect(try await Self.user(clients[1])["refused"] == ["holds": 3])
        }
    }

    /// What the status says of the one user who has or was refused something.
    private static func user(_ client: VarlinkClient) async throws -> JSONObject {
        let users = try await client.call("io.scened.Manager.GetStatus")["users"]?.arrayValue ?? []
        return users.first?.objectValue ?? [:]
    }

    private static func uses(_ client: VarlinkClient) async throws -> JSONObject {
        var uses = try await user(client)["uses"]?.objectValue ?? [:]
        for (name, _) in uses where !["waits", "trials"].contains(name) { uses[name] = nil }
        return uses
    }

    @Test("refusals are remembered for 256 users, and counted together for the others")
    func manyUsers() async throws {
        let reported = Guarded<[String]>([])
        let accounts = UserAccounts { user, reason in
            reported.withLock { $0.append("\(user.map(String.init) ?? "others") \(reason)") }
        }
        for user in UInt32(1)...300 { accounts.refused(user, "role act") }
        accounts.refused(7, "role act")
        let names = reported.withLock { $0 }
        #expect(Set(names).count == 257 && names.last == "7 role act")
        #expect(names.count { $0 == "others role act" } == 44)
    }
}
