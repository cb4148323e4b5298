import SceneEntryPoints
import SceneRouting
import StrictJSON
import Testing

@Suite("The shop's adapters")
struct ShopAdaptersTests {
    let chain = AdapterChain(manifest: ShopAdapters.manifest)

    @Test(
        "lead from every kind of event to what it means",
        arguments: [
            (
                .push, #"{"payload":{"aps":{"alert":"a"},"url":"qcommerce://cart"}}"#, "push-url",
                .url("qcommerce://cart")
            ),
            (
                .push, #"{"payload":{"aps":{"alert":"a"},"url":"https://shop.example/p/p1","route":"cart"}}"#,
                "push-url",
                .universalLink("https://shop.example/p/p1")
            ),
            (
                .push, #"{"payload":{"aps":{"alert":"a"},"route":"product","parameters":{"id":"p1","ref":"push"}}}"#,
                "push-route", .destination(Destination(id: "product", parameters: ["id": "p1", "ref": "push"]))
            ),
            (
                .push, #"{"payload":{"aps":{"alert":"a"},"route":"orders"},"action":"SHOW"}"#, "push-route",
                .destination(Destination(id: "orders"))
            ),
            (
                .widget, #"{"kind":"deals","url":"qcommerce://promo/SPRING"}"#, "widget-url",
                .url("qcommerce://promo/SPRING")
            ),
            (
                .widget, #"{"kind":"order-status","userInfo":{"order":"o1"}}"#, "widget-order",
                .destination(Destination(id: "order", parameters: ["id": "o1"]))
            ),
            (
                .activity,
                """
                {"activityType":"com.example.shop.view","handoff":true,\
                "userInfo":{"destination":"category","parameters":{"slug":"shoes"}}}
                """, "handoff", .destination(Destination(id: "category", parameters: ["slug": "shoes"]))
            ),
            (
                .activity, #"{"activityType":"com.example.shop.view","userInfo":{"destination":"cart"}}"#, "handoff",
                .destination(Destination(id: "cart"))
            ),
            (
                .activity,
                #"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"https://shop.example/cart"}"#,
                "browsing-web", .universalLink("https://shop.example/cart")
            ),
            (.shortcut, #"{"type":"com.example.shop.cart"}"#, "shortcut-cart", .destination(Destination(id: "cart"))),
            (
                .shortcut, #"{"type":"com.example.shop.orders"}"#, "shortcut-orders",
                .destination(Destination(id: "orders"))
            ),
            (.url, #"{"url":"QCOMMERCE://cart"}"#, "opened-url", .url("QCOMMERCE://cart")),
            (.url, #"{"url":"HTTPS://shop.example/"}"#, "opened-url", .universalLink("HTTPS://shop.example/")),
        ] as [(EntryKind, String, String, AdaptedRequest)]
    )
    func leads(kind: EntryKind, text: String, adapter: String, request: AdaptedRequest) throws {
        let adaptation = try chain.adapt(EntryEvent(kind: kind, json: object(text)))
        #expect(adaptation.adapter == adapter)
        #expect(adaptation.request == request)
    }

    @Test(
        "read a Spotlight identifier as destination and parameter",
        arguments: [
            ("product/p1004", "spotlight-product", Destination(id: "product", parameters: ["id": "p1004"])),
            ("category/shoes", "spotlight-category", Destination(id: "category", parameters: ["slug": "shoes"])),
            ("promo/SPRING24", "spotlight-promo", Destination(id: "promo", parameters: ["code": "SPRING24"])),
            ("order/o1", "spotlight-order", Destination(id: "order", parameters: ["id": "o1"])),
            ("settings/payment", "spotlight-settings", Destination(id: "settings", parameters: ["section": "payment"])),
            ("cart", "spotlight-plain", Destination(id: "cart")),
            ("account", "spotlight-plain", Destination(id: "account")),
        ]
    )
    func readsSpotlight(identifier: String, adapter: String, destination: Destination) throws {
        let adaptation = try chain.adapt(spotlight(identifier))
        #expect(adaptation.adapter == adapter)
        #expect(adaptation.request == .destination(destination))
    }

    @Test(
        "pass on a Spotlight identifier of another shape",
        arguments: [
            "", "/", "product", "product/", "product/p1/x", "/product/p1", "Product/p1", "cart/", "product//p1",
        ]
    )
    func passesOnOthers(identifier: String) throws {
        let refusal = #expect(throws: EntryRefusal.self) { try chain.adapt(spotlight(identifier)) }
        #expect(refusal?.adapter == nil)
        #expect(refusal?.declined.count == 8)
    }

    @Test(
        "decline what their paths do not lead to, and say why",
        arguments: [
            (
                .push, #"{"payload":{"aps":{"alert":"a"}}}"#,
                "push-url: payload.url is absent; push-route: payload.route is absent"
            ),
            (
                .push, #"{"payload":{"aps":{"alert":"a"},"url":5,"route":null}}"#,
                "push-url: payload.url is not text but integer; push-route: payload.route is absent"
            ),
            (
                .push, #"{"payload":{"aps":{"alert":"a"},"url":"cart","route":["cart"]}}"#,
                #"push-url: "cart" is not an absolute URL; push-route: payload.route is not text but array"#
            ),
            (
                .push, #"{"payload":{"aps":{"alert":"a"},"route":"product","parameters":"p1"}}"#,
                "push-url: payload.url is absent; push-route: payload.parameters is not an object but string"
            ),
            (
                .widget, #"{"kind":"order-status","userInfo":{"order":1}}"#,
                "widget-url: url is absent; widget-order: userInfo.order is not text but integer"
            ),
            (
                .widget, #"{"kind":"clock"}"#,
                #"widget-url: url is absent; widget-order: kind is "clock", not "order-status""#
            ),
            (
                .shortcut, #"{"type":"com.example.shop.search"}"#,
                """
                shortcut-cart: type is "com.example.shop.search", not "com.example.shop.cart"; \
                shortcut-orders: type is "com.example.shop.search", not "com.example.shop.orders"
                """
            ),
        ] as [(EntryKind, String, String)]
    )
    func declines(kind: EntryKind, text: String, reason: String) throws {
        let event = try EntryEvent(kind: kind, json: object(text))
        let refusal = #expect(throws: EntryRefusal.self) { try chain.adapt(event) }
        #expect(refusal?.kind == kind)
        #expect(refusal?.reason == reason)
    }

    @Test("an absent order of a widget is left to the check of the destination")
    func leavesOutAbsentParameters() throws {
        let event = try EntryEvent.widget(kind: "order-status")
        #expect(try chain.adapt(event).request == .destination(Destination(id: "order")))
    }

    private func spotlight(_ identifier: String) throws -> EntryEvent {
        try .activity(
            activityType: UserActivity.spotlightItem,
            userInfo: [UserActivity.spotlightItemIdentifier: .string(identifier)]
        )
    }
}
