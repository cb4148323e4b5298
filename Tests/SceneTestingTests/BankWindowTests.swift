import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneTesting
import StrictJSON
import Testing

/// Several windows of the bank, and what comes to them from outside.
@Suite("The bank's windows", .timeLimit(.minutes(15)))
struct BankWindowTests {
    private func stack(_ window: SceneTest) throws -> String {
        try window.window.selectedStack.map(\.description).joined(separator: " › ")
    }

    private func withBank(_ body: (AppTest) async throws -> Void) async throws {
        try await withApp(try ExampleApp.bank.manifest(), exhaustivity: .off) { app in
            try await app.signIn("mina")
            try await body(app)
        }
    }

    @Test(
        "a link to an account goes to the window of accounts, though another is in front; any other link does not",
        arguments: ["bank://account/a1", "https://bank.example/account/a1"]
    )
    func accountsHaveAWindow(link: String) async throws {
        try await withBank { app in
            let accounts = try await app.connect("K", configuration: "account")
            let main = try await app.connect("A")
            try await main.open("bank://payments")
            let event: EntryEvent =
                link.hasPrefix("https")
                ? try .activity(activityType: "NSUserActivityTypeBrowsingWeb", webpageURL: link) : try .url(link)
            #expect(try await app.send(event).scene == "K")
            #expect(try stack(accounts) == "accounts › account(id: a1)" && stack(main) == "payments")
            #expect(try await app.send(.url("bank://card")).scene == "A")
        }
    }

    @Test(
        "without a window of accounts an account is shown in one that can show it, and with none it opens one of accounts"
    )
    func noWindowOfAccounts() async throws {
        try await withBank { app in
            let opened = try await app.send(.url("bank://account/a1"))
            let made = try #require(opened.scene.flatMap { app.scene($0) })
            #expect(try made.status.configuration == "account")
        }
        try await withBank { app in
            _ = try await app.connect("A")
            #expect(try await app.send(.url("bank://account/a1")).scene == "A")
        }
    }

    @Test("an account gets a window of its own, which closes itself and leaves the others as they are")
    func accountBeside() async throws {
        try await withBank { app in
            let main = try await app.connect("A")
            try await main.report("accountWindowWanted", ["id": "a1"])
            let beside = try #require(app.scene("scene-1"))
            #expect(try beside.status.configuration == "account" && stack(beside) == "accounts › account(id: a1)")
            #expect(try stack(main) == "accounts")
            // From now on it takes what is about an account.
            #expect(try await app.send(.url("bank://account/a2")).scene == "scene-1")
            try await beside.report("windowDone")
            #expect(app.host.scenes.map(\.id) == ["A"])
            #expect(app.host.session.snapshot.facts["ownWindows"] == .strings(["a1"]))
        }
    }

    @Test("of two windows of accounts the one that was used last takes the next account")
    func lastUsed() async throws {
        try await withBank { app in
            let one = try await app.connect("K1", configuration: "account")
            _ = try await app.connect("K2", configuration: "account")
            try await one.open("bank://account/a1")
            #expect(try await app.send(.url("bank://account/a2")).scene == "K1")
        }
    }

    @Test("a window of accounts shows the login like any other, and its account when somebody has signed in elsewhere")
    func signInElsewhere() async throws {
        try await withApp(try ExampleApp.bank.manifest(), exhaustivity: .off) { app in
            let accounts = try await app.connect("K", configuration: "account")
            let main = try await app.connect("A")
            #expect(try await accounts.open("bank://account/a1").outcome == .gated(precondition: "login"))
            try await main.report("introRead")
            try await main.report("named", ["user": "mina"])
            try await main.report("codeEntered", ["user": "mina", "code": "123456"])
            #expect(try stack(accounts) == "accounts › account(id: a1)" && stack(main) == "accounts")
        }
    }

    @Test("an account that the bank closes leaves every window, and a link to it asks nobody to sign in")
    func closedAccount() async throws {
        try await withBank { app in
            let windows = [try await app.connect("A"), try await app.connect("B")]
            for window in windows { try await window.open("bank://account/a1") }
            try await app.commit(["closedAccounts": .strings(["a1"])])
            for window in windows { #expect(try stack(window) == "accounts") }
            await app.signOut()
            #expect(try await windows[0].open("bank://account/a1").outcome == .rejected(reason: "accountOpen"))
            #expect(try await windows[0].open("bank://account/a2").outcome == .gated(precondition: "login"))
        }
    }

    @Test(
        "whether the card works depends on the user, so a guest is asked to sign in first; a lost card leaves every window"
    )
    func blockedCard() async throws {
        try await withBank { app in
            let window = try await app.connect("A")
            #expect(try await window.open("bank://card").outcome == .applied)
            try await window.report("cardLost")
            #expect(try stack(window) == "accounts")
            #expect(try await window.open("bank://card").outcome == .rejected(reason: "cardWorks"))
            await app.signOut()
            #expect(try await window.open("bank://card").outcome == .gated(precondition: "login"))
        }
    }

    // MARK: - Notifications

    private func push(_ category: String, action: String, text: String? = nil, _ more: JSONObject) throws -> EntryEvent
    {
        var payload: JSONObject = ["aps": ["alert": "Hello", "category": .string(category)]]
        for (name, value) in more { payload[name] = value }
        return try .push(payload: payload, action: action, text: text)
    }

    @Test("a payee approved on the lock screen opens the gate of what waits for it, and brings no window to the front")
    func approvedOnTheLockScreen() async throws {
        try await withBank { app in
            let window = try await app.connect("A")
            try await window.open("bank://payee/noor")
            _ = try await app.host.setActivation(.foregroundInactive, of: "A")
            _ = try await app.host.setActivation(.background, of: "A")
            let approved = try await app.send(push("PAYEE", action: "APPROVE", ["payee": "noor", "user": "mina"]))
            #expect(approved.outcome == .delivered)
            #expect(try stack(window) == "payments › payee(payee: noor)")
            #expect(try window.status.activation == .background)
        }
    }

    @Test("a notification for another user approves nothing, answers nothing and shows nothing")
    func otherUser() async throws {
        try await withBank { app in
            let window = try await app.connect("A")
            let others: [EntryEvent] = [
                try push("PAYEE", action: "APPROVE", ["payee": "noor", "user": "theo"]),
                try push("MESSAGE", action: "REPLY", text: "Yes", ["user": "theo"]),
                try push("PAYEE", action: "SHOW", ["account": "a1", "user": "theo"]),
            ]
            for event in others {
                #expect(try await window.send(event).outcome == .rejected(reason: "otherUser"))
            }
            let facts = app.host.session.snapshot.facts
            #expect(facts["approved"] == .strings([]) && facts["note"] == nil)
            #expect(try stack(window) == "accounts")
        }
    }

    @Test("a reply is kept, and a card is blocked from a notification")
    func replies() async throws {
        try await withBank { app in
            _ = try await app.connect("A")
            #expect(try await app.send(push("MESSAGE", action: "REPLY", text: "Yes", [:])).outcome == .delivered)
            #expect(try await app.send(push("FRAUD", action: "BLOCK", ["user": "mina"])).outcome == .delivered)
            let facts = app.host.session.snapshot.facts
            #expect(facts["note"] == .string("Yes") && facts["cardBlocked"] == .boolean(true))
        }
    }

    @Test("an account comes by push, widget, Handoff and Spotlight, a transfer by a quick action")
    func doors() async throws {
        try await withBank { app in
            let window = try await app.connect("A")
            let doors: [EntryEvent] = [
                try .push(payload: ["aps": ["alert": "Money"], "account": "a1", "user": "mina"]),
                try .push(payload: ["aps": ["alert": "Money"], "url": "bank://account/a2"]),
                try .widget(kind: "balance", url: "bank://account/a3"),
                try .activity(
                    activityType: "com.example.bank.view",
                    userInfo: ["destination": "account", "parameters": ["id": "a4"]],
                    handoff: true
                ),
                try .activity(
                    activityType: "com.apple.corespotlightitem",
                    userInfo: ["kCSSearchableItemActivityIdentifier": "account/a5"]
                ),
            ]
            for (place, event) in doors.enumerated() {
                #expect(try await window.send(event).outcome == .applied)
                #expect(try stack(window) == "accounts › account(id: a\(place + 1))")
            }
            try await window.send(.shortcut(type: "com.example.bank.transfer"))
            #expect(try window.window.modals.map(\.description) == ["fullScreen transfer[transfer]"])
        }
    }
}
