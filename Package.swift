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
