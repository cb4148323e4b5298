import SceneManifest
import SceneRouting
import Testing

/// Every URL shape of the shop, and everything that its destinations need.
@Suite("The shop's routes")
struct ShopTests {
    let engine: RoutingEngine
    let everything = RoutingContext(
        user: "ada",
        facts: ["cart": .strings(["p1"]), "paymentMethod": .string("card"), "market": .string("de")]
    )

    init() throws {
        engine = try RoutingEngine(manifest: AppManifest.builtInShop())
    }

    static let shapes: [(String, Destination)] = [
        ("https://shop.example/product/p1004", Destination(id: "product", parameters: ["id": "p1004"])),
        (
            "https://shop.example/product/p1?ref=mail",
            Destination(id: "product", parameters: ["id": "p1", "ref": "mail"])
        ),
        ("https://shop.example/p/p1004", Destination(id: "product", parameters: ["id": "p1004"])),
        ("https://shop.example/produkt/p1004", Destination(id: "product", parameters: ["id": "p1004"])),
        ("https://shop.example/category/fresh-fruit", Destination(id: "category", parameters: ["slug": "fresh-fruit"])),
        ("https://shop.example/promo/SUMMER26", Destination(id: "promo", parameters: ["code": "SUMMER26"])),
        ("https://shop.example/cart", Destination(id: "cart")),
        ("https://shop.example/cart/", Destination(id: "cart")),
        ("https://SHOP.example/cart?utm_source=mail", Destination(id: "cart")),
        ("https://shop.example/warenkorb", Destination(id: "cart")),
        ("https://shop.example/checkout", Destination(id: "checkout")),
        ("https://shop.example/orders", Destination(id: "orders")),
        ("https://shop.example/order/o77", Destination(id: "order", parameters: ["id": "o77"])),
        ("https://shop.example/account", Destination(id: "account")),
        (
            "https://shop.example/account/settings/privacy",
            Destination(id: "settings", parameters: ["section": "privacy"])
        ),
        ("qcommerce://home", Destination(id: "home")),
        ("qcommerce://product/p1004", Destination(id: "product", parameters: ["id": "p1004"])),
        ("QCommerce://Product/p1004", Destination(id: "product", parameters: ["id": "p1004"])),
        ("qcommerce://cart", Destination(id: "cart")),
        ("qcommerce://account/settings/payment", Destination(id: "settings", parameters: ["section": "payment"])),
        ("qcommerce://deeplink?target=product&id=p1", Destination(id: "product", parameters: ["id": "p1"])),
        ("qcommerce://deeplink?target=category&slug=tea", Destination(id: "category", parameters: ["slug": "tea"])),
        ("qcommerce://deeplink?target=cart&utm=1", Destination(id: "cart")),
    ]

    @Test("lead from each URL to its destination", arguments: shapes)
    func leadToDestination(url: String, destination: Destination) throws {
        let match = try engine.match(url: url, context: everything)
        #expect(match.request == RouteRequest(destination: destination, source: .external))
    }

    static let refusals: [(String, RouteError)] = [
        ("https://shop.example/produkt/p1", .unknownRoute(url: "https://shop.example/produkt/p1")),
        ("https://shop.example/Cart", .unknownRoute(url: "https://shop.example/Cart")),
        ("http://shop.example/cart", .unknownRoute(url: "http://shop.example/cart")),
        ("https://evil.example/cart", .unknownRoute(url: "https://evil.example/cart")),
        ("https://shop.example/product/p1/reviews", .unknownRoute(url: "https://shop.example/product/p1/reviews")),
        (
            "https://shop.example/product/x1",
            .validationFailed(parameter: "id", reason: "'x1' is not text that matches p[0-9]{1,9}")
        ),
        (
            "https://shop.example/product/p1234567890",
            .validationFailed(parameter: "id", reason: "'p1234567890' is not text that matches p[0-9]{1,9}")
        ),
        (
            "https://shop.example/account/settings/other",
            .validationFailed(parameter: "section", reason: "'other' is not one of 'profile', 'privacy', 'payment'")
        ),
        (
            "qcommerce://deeplink?target=nowhere",
            .validationFailed(parameter: "target", reason: "there is no destination 'nowhere'")
        ),
        (
            "qcommerce://deeplink?target=product",
            .validationFailed(parameter: "id", reason: "is missing; product needs text that matches p[0-9]{1,9}")
        ),
        ("not a url", .malformed(reason: "a space must be percent-encoded in a URL")),
    ]

    @Test("refuse other URLs with a reason", arguments: refusals)
    func refuse(url: String, error: RouteError) throws {
        #expect(throws: error) { try engine.match(url: url, context: RoutingContext()) }
    }

    @Test("gate first for the user, then for the payment method, and only then check that the cart is not empty")
    func gateInOrder() throws {
        let request = RouteRequest(destination: Destination(id: "checkout"), source: .external)
        var context = RoutingContext()
        #expect(try engine.resolve(request, context: context) == .gated(precondition: "signedIn", resume: request))
        context.user = "ada"
        #expect(try engine.resolve(request, context: context) == .gated(precondition: "paymentMethod", resume: request))
        context.facts["paymentMethod"] = .string("card")
        #expect(throws: RouteError.validationFailed(parameter: "cartNotEmpty", reason: "the cart is empty")) {
            try engine.resolve(request, context: context)
        }
        context.facts["cart"] = .strings(["p1"])
        let target = Target.placed(
            tab: "home",
            path: [Destination(id: "home"), Destination(id: "cart")],
            modals: [ModalState(flow: "checkout", style: .fullScreen, stack: [Destination(id: "checkout")])]
        )
        #expect(try engine.resolve(request, context: context) == .proceed(target))
    }

    @Test("refuse a product that is out of stock")
    func refuseOutOfStock() throws {
        let context = RoutingContext(facts: ["unavailable": .strings(["p2"])])
        #expect(throws: RouteError.validationFailed(parameter: "inStock", reason: "the product is out of stock")) {
            try engine.resolve(url: "qcommerce://product/p2", context: context)
        }
        let product = Destination(id: "product", parameters: ["id": "p3"])
        let target = Target.placed(tab: "home", path: [Destination(id: "home"), product])
        #expect(try engine.resolve(url: "qcommerce://product/p3", context: context) == .proceed(target))
    }

    @Test("judge one destination by its own needs")
    func verdicts() {
        let checkout = Destination(id: "checkout")
        #expect(engine.verdict(for: checkout, context: RoutingContext()) == .gated(precondition: "signedIn"))
        let rich = RoutingContext(user: "ada", facts: ["paymentMethod": .string("card")])
        #expect(
            engine.verdict(for: checkout, context: rich)
                == .refused(condition: "cartNotEmpty", reason: "the cart is empty")
        )
        #expect(engine.verdict(for: checkout, context: everything) == .allowed)
        #expect(engine.verdict(for: Destination(id: "login"), context: RoutingContext()) == .allowed)
        #expect(
            engine.verdict(for: Destination(id: "nowhere"), context: RoutingContext())
                == .unknown(reason: "there is no destination 'nowhere'")
        )
    }

    @Test("know whether every precondition and every condition without parameters holds")
    func truths() {
        let truths = engine.truths(context: RoutingContext(user: "ada"))
        #expect(truths.map(\.name) == ["signedIn", "paymentMethod", "freshSignIn", "cartNotEmpty"])
        #expect(truths.map(\.holds) == [true, false, true, false])
        #expect(engine.holds(precondition: "signedIn", context: RoutingContext()) == false)
        #expect(engine.holds(precondition: "nothing", context: RoutingContext()) == nil)
        #expect(engine.needs(of: "checkout") == ["signedIn", "paymentMethod", "cartNotEmpty"])
    }

    @Test("print the URLs of a destination in the market")
    func printing() {
        let product = Destination(id: "product", parameters: ["id": "p1", "ref": "a b&c"])
        #expect(
            engine.urls(for: product, context: RoutingContext())
                == ["https://shop.example/product/p1?ref=a%20b%26c", "qcommerce://product/p1?ref=a%20b%26c"]
        )
        #expect(
            engine.urls(for: product, context: everything)
                == ["https://shop.example/produkt/p1?ref=a%20b%26c", "qcommerce://product/p1?ref=a%20b%26c"]
        )
    }

    static let associations: [(String, AssociationDecision)] = [
        ("https://shop.example/product/p1", .match(domain: "shop.example")),
        ("https://shop.example/account/settings/profile", .match(domain: "shop.example")),
        ("https://shop.example/cart", .match(domain: "shop.example")),
        ("https://shop.example/elsewhere", .noMatch),
        ("https://other.example/cart", .noMatch),
        ("qcommerce://cart", .noMatch),
        (
            "https://shop.example/help/returns",
            .exclude(component: #"{"/":"/help/*","exclude":true,"comment":"Help stays in the browser"}"#)
        ),
    ]

    @Test("belong to the app according to its association file", arguments: associations)
    func association(url: String, decision: AssociationDecision) {
        #expect(engine.association(for: url) == decision)
    }
}
