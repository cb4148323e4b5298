// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what the tool needs is resolved by nobody who only uses or tests scened.
let package = Package(
    name: "mutants",
    dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1")],
    targets: [
        .target(name: "Weaving", swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(name: "mutants", dependencies: ["Weaving"], swiftSettings: [.treatAllWarnings(as: .error)]),
        // Only what needs Swift's grammar waits for it to be built.
        .target(
            name: "MutationOperators",
            dependencies: [
                "Weaving",
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "operators",
            dependencies: ["MutationOperators", "Weaving"],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .testTarget(
            name: "MutationOperatorsTests",
            dependencies: ["MutationOperators"],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .testTarget(name: "WeavingTests", dependencies: ["Weaving"], swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
