// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what the tool needs is resolved by nobody who only uses or tests scened.
let package = Package(
    name: "mutants",
    targets: [
        .target(name: "Weaving", swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(name: "mutants", dependencies: ["Weaving"], swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(name: "WeavingTests", dependencies: ["Weaving"], swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
