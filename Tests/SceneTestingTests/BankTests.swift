import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneTesting
import StrictJSON
import Testing

/// A window of the bank, and what people do in it.
private struct BankWindow {
    let app: AppTest
    let window: SceneTest

    /// What the selected tab and the presentations show: `accounts › account(id: a1) › approval[letter(payee: noor)]`.
    var shown: String { get throws { WindowText(try window.window).front.description } }

    /// The whole login of a user, in this window.
    func logIn(_ user: String) async throws {
        try await window.report("introRead")
        try await window.report("named", ["user": user])
        try await window.report("codeEntered", ["user": user, "code": "123456"])
    }

    /// Goes on in a transfer until it can be confirmed.
    func fill(_ payee: String) async throws {
        try await window.report("payeeChosen", ["payee": payee])
        try await window.report("amountEntered", ["payee": payee, "amount": "50"])
    }
}

/// Runs a test in a window of the bank, where `user` is signed in.
private func withBank(
    user: String? = nil,
    facts: [String: FactValue] = [:],
    _ body: (AppTest, BankWindow) async throws -> Void
) async throws {
    try await withApp(try ExampleApp.bank.manifest(), exhaustivity: .off) { app in
        let window = try await app.connect("A")
        if let user { try await app.signIn(user, facts: facts) }
        try await body(app, BankWindow(app: app, window: window))
    }
}

@Suite("The bank's login", .timeLimit(.minutes(15)))
struct BankLoginTests {
    @Test("a link waits for the login and its second factor, and goes on by itself; nothing is shown before")
    func linkWaits() async throws {
        try await withBank { app, bank in
            let link = try await bank.window.open("https://bank.example/account/a1")
            #expect(link.outcome == .gated(precondition: "login"))
            #expect(try bank.shown == "intro")
            try await bank.window.report("introRead")
            try await bank.window.report("named", ["user": "mina"])
            #expect(try bank.shown == "intro › name › secondFactor[code(user: mina)]")
            #expect(app.host.session.snapshot.user == nil)
            try await bank.window.report("codeEntered", ["user": "mina", "code": "123456"])
            #expect(try bank.shown == "accounts › account(id: a1)")
            #expect(app.host.session.snapshot.user == "mina")
        }
    }

    @Test("who has read the intro begins with the name, also after another user's sign-out; the rest is forgotten")
    func scopes() async throws {
        try await withBank { app, bank in
            try await bank.logIn("mina")
            try await bank.window.report("muted", ["id": "a1"])
            #expect(app.host.session.snapshot.facts["muted"] == .strings(["a1"]))
            try await bank.window.report("signOutTapped")
            #expect(try bank.shown == "name")
            let facts = app.host.session.snapshot.facts
            #expect(facts["introSeen"] == .boolean(true) && facts["muted"] == .strings([]))
        }
    }

    @Test("the third wrong code ends the second factor; the login stays, and counts from the start")
    func wrongCodes() async throws {
        try await withBank { app, bank in
            try await bank.window.report("introRead")
            try await bank.window.report("named", ["user": "mina"])
            for _ in 0..<2 { try await bank.window.report("codeWrong") }
            #expect(try bank.shown == "intro › name › secondFactor[code(user: mina)]")
            try await bank.window.report("codeWrong")
            #expect(try bank.shown == "intro › name")
            #expect(app.host.session.snapshot.facts["wrongCodes"] == .integer(0))
            #expect(app.host.session.snapshot.user == nil)
        }
    }

    @Test("a backup code does what a code does")
    func backupCode() async throws {
        try await withBank { app, bank in
            try await bank.window.report("introRead")
            try await bank.window.report("named", ["user": "mina"])
            try await bank.window.report("backupWanted", ["user": "mina"])
            #expect(
                try bank.shown == "intro › name › secondFactor[code(user: mina) › backupCode(user: mina)]"
            )
            try await bank.window.report("codeEntered", ["user": "mina", "code": "123456"])
            #expect(try bank.shown == "accounts" && app.host.session.snapshot.user == "mina")
        }
    }

    @Test("help comes over the login and over the second factor, and gives back what was there")
    func helpOverLogin() async throws {
        try await withBank { _, bank in
            #expect(try await bank.window.open("bank://help/login").outcome == .applied)
            #expect(try bank.shown == "intro › [help(topic: login)]")
            try await bank.window.touch(.dismiss)
            try await bank.window.report("introRead")
            try await bank.window.report("named", ["user": "mina"])
            try await bank.window.open("bank://help")
            #expect(
                try bank.shown
                    == "intro › name › secondFactor[code(user: mina)] › [help(topic: start)]"
            )
            try await bank.window.touch(.swipeDown())
            #expect(try bank.shown == "intro › name › secondFactor[code(user: mina)]")
        }
    }

    @Test("messages come over whatever is shown, but for users alone: they wait for the login that is there")
    func messagesWait() async throws {
        try await withBank { _, bank in
            let messages = try await bank.window.open("bank://messages")
            #expect(messages.outcome == .gated(precondition: "signedIn"))
            #expect(try bank.shown == "intro")
            try await bank.logIn("mina")
            #expect(try bank.shown == "accounts › [messages]")
        }
    }

    @Test("a link that leads nowhere shows the fallback, over the login too, and a link that waits goes on waiting")
    func fallback() async throws {
        try await withBank { _, bank in
            let lost = try await bank.window.open("bank://nowhere")
            #expect(lost.outcome == .rejected(reason: "unknownRoute"))
            #expect(try bank.shown == "intro › [help(topic: lost)]")
        }
    }
}

@Suite("The bank's transfers", .timeLimit(.minutes(15)))
struct BankTransferTests {
    @Test("a link to a transfer with a stale sign-in asks to sign in again, with the second factor, and goes on")
    func stepUp() async throws {
        try await withBank(user: "mina") { app, bank in
            await app.markStale()
            let link = try await bank.window.open("bank://transfer")
            #expect(link.outcome == .gated(precondition: "freshSignIn"))
            #expect(try bank.shown == "accounts › stepUp[password]")
            try await bank.window.report("passwordEntered", ["user": "mina"])
            #expect(try bank.shown == "accounts › stepUp[password] › secondFactor[code(user: mina)]")
            try await bank.window.report("codeEntered", ["user": "mina", "code": "123456"])
            #expect(try bank.shown == "payments › transfer[transfer]")
            #expect(!app.host.session.snapshot.isStale)
        }
    }

    @Test("a second factor that is given up gives up the step-up, and the link with it")
    func stepUpGivenUp() async throws {
        try await withBank(user: "mina") { app, bank in
            await app.markStale()
            try await bank.window.open("bank://transfer")
            try await bank.window.report("passwordEntered", ["user": "mina"])
            for _ in 0..<3 { try await bank.window.report("codeWrong") }
            #expect(try bank.shown == "accounts")
            #expect(try bank.window.status.parked.isEmpty && app.host.session.snapshot.isStale)
        }
    }

    @Test("a code for a step-up of somebody who has left signs nobody in again")
    func codeOfWhoLeft() async throws {
        try await withBank(user: "mina") { app, bank in
            await app.markStale()
            try await bank.window.open("bank://transfer")
            try await bank.window.report("passwordEntered", ["user": "mina"])
            let other = try await app.connect("B")
            try await other.report("signOutTapped")
            try await app.signIn("theo")
            let late = try await bank.window.report("codeEntered", ["user": "mina", "code": "123456"])
            #expect(late.outcome == .rejected(reason: "unhandledIntent"))
            #expect(try bank.shown == "accounts" && app.host.session.snapshot.user == "theo")
        }
    }

    @Test("a transfer that is open when the sign-in becomes stale stays, and can be paid")
    func staleWhilePaying() async throws {
        try await withBank(user: "mina") { app, bank in
            try await bank.window.open("bank://transfer")
            try await bank.fill("theo")
            try await bank.window.report("locked")
            #expect(app.host.session.snapshot.isStale)
            let shown = "amount(payee: theo) › review(amount: 50, payee: theo)"
            #expect(try bank.shown == "payments › transfer[transfer › \(shown)]")
            try await bank.window.report("confirmed", ["reference": "t7"])
            #expect(try bank.shown == "payments › receipt(reference: t7)")
            let facts = app.host.session.snapshot.facts
            #expect(facts["transfers"] == .integer(1) && facts["references"] == .strings(["t7"]))
        }
    }

    @Test("who starts over is back at the transfer's first screen")
    func startedOver() async throws {
        try await withBank(user: "mina") { _, bank in
            try await bank.window.open("bank://transfer")
            try await bank.fill("theo")
            try await bank.window.report("startedOver")
            #expect(try bank.shown == "payments › transfer[transfer]")
        }
    }

    @Test("a new payee is approved, and handed over to the transfer that wanted it; one that is given up is not")
    func payeeHandedOver() async throws {
        try await withBank(user: "mina") { app, bank in
            try await bank.window.open("bank://transfer")
            try await bank.window.report("newPayeeWanted")
            #expect(try bank.shown == "payments › transfer[transfer] › newPayee[payeeName]")
            try await bank.window.report("gaveUp")
            #expect(try bank.shown == "payments › transfer[transfer]")
            try await bank.window.report("newPayeeWanted")
            try await bank.window.report("payeeNamed", ["payee": "noor"])
            try await bank.window.report("payeeAdded", ["payee": "noor"])
            #expect(try bank.shown == "payments › transfer[transfer › amount(payee: noor)]")
            #expect(app.host.session.snapshot.facts["approved"] == .strings(["noor"]))
        }
    }

    @Test("each payee is approved by itself: the letter names the one that waits, and another one opens nothing")
    func approvedForThisPayee() async throws {
        try await withBank(user: "mina", facts: ["approved": .strings(["theo"])]) { app, bank in
            #expect(try await bank.window.open("bank://payee/theo").outcome == .applied)
            #expect(try await bank.window.open("bank://payee/noor").outcome == .gated(precondition: "approved"))
            #expect(try bank.shown == "payments › payee(payee: theo) › approval[letter(payee: noor)]")
            try await app.commit(["approved": .strings(["theo", "kim"])])
            #expect(try bank.shown == "payments › payee(payee: theo) › approval[letter(payee: noor)]")
            try await bank.window.report("payeeApproved", ["payee": "noor"])
            #expect(try bank.shown == "payments › payee(payee: noor)")
        }
    }

    @Test("an approval of another payee leaves the gate closed")
    func approvedForAnother() async throws {
        try await withBank(user: "mina") { app, bank in
            let link = try await bank.window.open("bank://payee/noor")
            try await bank.window.report("payeeApproved", ["payee": "kim"])
            #expect(try bank.shown == "payments" || bank.shown == "accounts")
            #expect(app.host.receipt(event: link.event)?.outcome == .rejected(reason: "gateUnsatisfied"))
        }
    }

    @Test("transfers that are switched off ask nobody to sign in, neither for the first time nor again")
    func switchedOff() async throws {
        try await withBank { app, bank in
            try await app.commit(["maintenance": .boolean(true)])
            let before = try await bank.window.open("bank://transfer")
            #expect(before.outcome == .rejected(reason: "transfersOpen"))
            #expect(try bank.shown == "intro › [help(topic: lost)]")
            try await bank.window.touch(.dismiss)
            try await bank.logIn("mina")
            await app.markStale()
            let stale = try await bank.window.open("bank://transfer")
            #expect(stale.outcome == .rejected(reason: "transfersOpen"))
        }
    }

    @Test("a transfer that is open when transfers are switched off leaves, and its flow with it")
    func switchedOffWhileOpen() async throws {
        try await withBank(user: "mina") { app, bank in
            try await bank.window.open("bank://transfer")
            try await bank.fill("theo")
            try await app.commit(["maintenance": .boolean(true)])
            #expect(try bank.shown == "payments")
            let late = try await bank.window.finish("transfer")
            #expect(late.outcome == .rejected(reason: "noSuchFlow"))
            #expect(app.host.session.snapshot.facts["transfers"] == .integer(0))
        }
    }
}
