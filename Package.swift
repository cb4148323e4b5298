// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with: a warning here is an error, an import shows its access level, and an
/// existential says that it is one.
let ours: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let orderedCollections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")

let package = Package(
    name: "scened",
    products: [],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // The leaf that everything may use: one JSON value, one strict parser, one writer.
        // The parser holds a `Span`, which needs lifetimes to be spelled out.
        .target(
            name: "StrictJSON",
            dependencies: [orderedCollections],
            swiftSettings: ours + [.enableExperimentalFeature("Lifetimes")]
        ),
        .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON"], swiftSettings: ours),

        // The pure half: untrusted input becomes a typed decision.
        .target(name: "SceneRouting", swiftSettings: ours),

        // Varlink for anybody: wire codec, interface files, server and client; knows nothing of scenes.
        .target(
            name: "Varlink",
            dependencies: [
                "StrictJSON",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: ours
        ),
        .testTarget(
            name: "VarlinkTests",
            dependencies: [
                "Varlink", "StrictJSON",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTestUtils", package: "swift-nio"),
            ],
            swiftSettings: ours
        ),
    ],
    swiftLanguageModes: [.v6]
)
