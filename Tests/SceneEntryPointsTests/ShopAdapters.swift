import SceneRouting

/// The adapters of the built-in shop, declared by hand.
enum ShopAdapters {
    static let manifest = AppManifest(name: "Shop", schemes: ["qcommerce"], adapters: all)

    static let all: [AdapterDeclaration] =
        [
            AdapterDeclaration(
                name: "push-url",
                kinds: ["push"],
                conditions: [.present(path: "payload.url")],
                mapping: .url(template: "{payload.url}")
            ),
            AdapterDeclaration(
                name: "push-route",
                kinds: ["push"],
                conditions: [.present(path: "payload.route")],
                mapping: .destination(
                    id: "{payload.route}",
                    parameters: [:],
                    parametersFrom: "payload.parameters"
                )
            ),
            AdapterDeclaration(
                name: "widget-url",
                kinds: ["widget"],
                conditions: [.present(path: "url")],
                mapping: .url(template: "{url}")
            ),
            AdapterDeclaration(
                name: "widget-order",
                kinds: ["widget"],
                conditions: [.equals(path: "kind", oneOf: ["order-status"])],
                mapping: .destination(id: "order", parameters: ["id": "{userInfo.order}"], parametersFrom: nil)
            ),
            AdapterDeclaration(
                name: "handoff",
                kinds: ["activity"],
                conditions: [.equals(path: "activityType", oneOf: ["com.example.shop.view"])],
                mapping: .destination(
                    id: "{userInfo.destination}",
                    parameters: [:],
                    parametersFrom: "userInfo.parameters"
                )
            ),
            AdapterDeclaration(
                name: "shortcut-cart",
                kinds: ["shortcut"],
                conditions: [.equals(path: "type", oneOf: ["com.example.shop.cart"])],
                mapping: .destination(id: "cart", parameters: [:], parametersFrom: nil)
            ),
            AdapterDeclaration(
                name: "shortcut-orders",
                kinds: ["shortcut"],
                conditions: [.equals(path: "type", oneOf: ["com.example.shop.orders"])],
                mapping: .destination(id: "orders", parameters: [:], parametersFrom: nil)
            ),
        ] + spotlight

    /// A Spotlight identifier is `destination/parameter`; the parameter has another name in every destination.
    private static let spotlight: [AdapterDeclaration] =
        [("product", "id"), ("category", "slug"), ("promo", "code"), ("order", "id"), ("settings", "section")].map {
            AdapterDeclaration(
                name: "spotlight-\($0.0)",
                kinds: ["activity"],
                conditions: [
                    .equals(path: "activityType", oneOf: ["com.apple.corespotlightitem"]),
                    .matches(path: identifier, pattern: "\($0.0)/{value}"),
                ],
                mapping: .destination(id: $0.0, parameters: [$0.1: "{value}"], parametersFrom: nil)
            )
        } + [
            AdapterDeclaration(
                name: "spotlight-plain",
                kinds: ["activity"],
                conditions: [
                    .equals(path: "activityType", oneOf: ["com.apple.corespotlightitem"]),
                    .equals(path: identifier, oneOf: ["home", "cart", "checkout", "orders", "account"]),
                ],
                mapping: .destination(id: "{\(identifier)}", parameters: [:], parametersFrom: nil)
            )
        ]

    private static let identifier = "userInfo.kCSSearchableItemActivityIdentifier"
}
