/// The files of a new adapter in Swift: a package with the adapter and a test.
enum SwiftSkeleton {
    static func files(name: String, scened: String) -> [(path: String, text: String)] {
        let module = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Adapter"
        func filled(_ text: String) -> String {
            text.replacing("MODULE", with: module).replacing("NAME", with: name).replacing("SCENED", with: scened)
        }
        return [
            ("Package.swift", filled(package)),
            ("Sources/\(module)/\(module).swift", filled(adapter)),
            ("Tests/\(module)Tests/\(module)Tests.swift", filled(test)),
        ]
    }

    private static let package = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "NAME",
            products: [.library(name: "MODULE", targets: ["MODULE"])],
            dependencies: [.package(name: "scened", path: "SCENED")],
            targets: [
                .target(name: "MODULE", dependencies: [.product(name: "SceneEntryPoints", package: "scened")]),
                .testTarget(name: "MODULETests", dependencies: ["MODULE"]),
            ]
        )

        """

    private static let adapter = """
        public import SceneEntryPoints
        import SceneRouting

        /// Takes pushes that name a campaign.
        ///
        /// Pass it to the host: `SceneHost(id: "app", manifest: manifest, adapters: [MODULE()])`.
        public struct MODULE: EntryPointAdapter {
            public let name = "NAME"
            public let priority = 20
            public let kinds: Set<EntryKind> = [.push]

            public init() {}

            public func adapt(_ event: EntryEvent) -> AdapterAnswer {
                guard case .push(let push) = event.content, let campaign = push.payload.custom["campaign"] else {
                    return .declined(reason: "payload.campaign is absent")
                }
                guard let code = campaign.stringValue else { return .refused(reason: "payload.campaign is not text") }
                return .request(.destination(Destination(id: "promo", parameters: ["code": code.uppercased()])))
            }
        }

        """

    private static let test = """
        import MODULE
        import SceneEntryPoints
        import SceneRouting
        import Testing

        @Suite struct MODULETests {
            private let adapter = MODULE()

            @Test func takesACampaign() throws {
                let event = try EntryEvent.push(payload: ["aps": ["alert": "On sale"], "campaign": "spring24"])
                let destination = Destination(id: "promo", parameters: ["code": "SPRING24"])
                #expect(adapter.adapt(event) == .request(.destination(destination)))
            }

            @Test func declinesOtherPushes() throws {
                let event = try EntryEvent.push(payload: ["aps": ["alert": "On sale"], "url": "https://shop.example/cart"])
                #expect(adapter.adapt(event) == .declined(reason: "payload.campaign is absent"))
            }

            @Test func refusesACampaignThatIsNotText() throws {
                let event = try EntryEvent.push(payload: ["aps": ["alert": "On sale"], "campaign": 24])
                #expect(adapter.adapt(event) == .refused(reason: "payload.campaign is not text"))
            }
        }

        """
}
