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
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
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

        // The executing half: what a window shows and how it gets there.
        .target(name: "SceneNavigation", dependencies: ["SceneRouting"], swiftSettings: ours),
        .testTarget(name: "SceneNavigationTests", dependencies: ["SceneNavigation"], swiftSettings: ours),

        // Apple's event formats, and the adapters that make requests of them.
        .target(name: "SceneEntryPoints", dependencies: ["SceneRouting", "StrictJSON"], swiftSettings: ours),
        .testTarget(
            name: "SceneEntryPointsTests",
            dependencies: ["SceneEntryPoints", "SceneRouting", "StrictJSON"],
        .target(name: "SceneRouting", dependencies: ["StrictJSON"], swiftSettings: ours),
        // Reads manifests of files into the model of SceneRouting, which knows no file format.
        .target(
            name: "SceneManifest",
            dependencies: ["SceneRouting", "StrictJSON", .product(name: "Yams", package: "Yams")],
            // Embedded as a Swift string, so that a static binary needs no bundle.
            exclude: ["Resources"],
            swiftSettings: ours
        ),
        .testTarget(name: "SceneManifestTests", dependencies: ["SceneManifest", "SceneRouting"], swiftSettings: ours),
        .testTarget(
            name: "SceneRoutingTests",
            dependencies: ["SceneManifest", "SceneRouting", "StrictJSON"],
            exclude: ["Vectors"],
        // Varlink for anybody: wire codec, interface files, server and client; knows nothing of scenes.
        .target(
            name: "Varlink",
            dependencies: [
                "StrictJSON",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: ours
        ),
        .testTarget(
            name: "VarlinkTests",
            dependencies: [
                "Varlink", "StrictJSON",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTestUtils", package: "swift-nio"),
            ],
        // systemd: the journal both ways, socket activation, notification. libsystemd itself stays a shared library.
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev", "pkg-config"])]),
        .target(
            name: "Systemd",
            dependencies: [
                "CSystemd", "StrictJSON",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: ours
        ),
        // What the tests run under a real systemd-journald and systemd-socket-activate.
        .executableTarget(
            name: "systemd-probe",
            dependencies: ["Systemd", "StrictJSON", .product(name: "Logging", package: "swift-log")],
            path: "Tests/SystemdProbe",
            swiftSettings: ours
        ),
        .testTarget(
            name: "SystemdTests",
            dependencies: ["Systemd", "StrictJSON", "systemd-probe", .product(name: "Logging", package: "swift-log")],
            swiftSettings: ours
        ),
    ],
    swiftLanguageModes: [.v6]
)
