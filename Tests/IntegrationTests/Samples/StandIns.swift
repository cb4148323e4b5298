// What the samples on pages take for granted. `SampleTests` compiles them with this file; a sample's own declarations go first.

import Interleaving
import SceneClientTesting
import SceneDaemon
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Varlink

/// A value of which only the type counts: nothing here is ever run.
func typed<Value>() -> Value { fatalError("samples are compiled only") }

// An app.

final class CheckoutCoordinator: FlowCoordinator {
    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? { nil }
}

final class AddPayment: FlowCoordinator {
    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? { nil }
}

struct CampaignAdapter: EntryPointAdapter {
    let name = "campaign"
    let kinds: Set<EntryKind> = [.push]
    func adapt(_ event: EntryEvent) -> SceneEntryPoints.AdapterAnswer { .declined(reason: "it is nobody's") }
}

struct OfferPushAdapter: EntryPointAdapter {
    let name = "offer"
    let kinds: Set<EntryKind> = [.push]
    func adapt(_ event: EntryEvent) -> SceneEntryPoints.AdapterAnswer { .declined(reason: "it is nobody's") }
}

enum App {
    static let manifest = ""
    static let adapters: [any EntryPointAdapter] = []
    static func code() -> AppCode { AppCode() }
}

let manifest: AppManifest = typed()

enum PackageResources {
    static let shop_yaml: [UInt8] = []
}

let home = Destination(id: "home")
let cart = Destination(id: "cart")
let login = ModalState(flow: "auth", style: .sheet, stack: [Destination(id: "login")])

// Async code to explore.

actor Session {
    func token() async -> Int { 0 }
}

let session = Session()

actor Account {
    var balance = 0
    func deposit(_ amount: Int) async {}
}

actor TokenStore {
    func token(from server: @Sendable () async -> String) async -> String { await server() }
}

final class Purse: Sendable {
    init(balance: Int) {}
    func withdraw(_ amount: Int) -> Bool { amount == 0 }
}

// A window of a test, and a service.

var window: TestWindow {
    get async throws { try await TestApp.current.window("A") }
}

final class Counter: Sendable {
    let last = 0
    init(send: @escaping @Sendable (Int) -> Void) {}
    func goOn() {}
    func stop() {}
}

nonisolated(unsafe) var ping: VarlinkService = typed()
