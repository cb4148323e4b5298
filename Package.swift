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
        .target(name: "SceneRouting", dependencies: ["StrictJSON"], swiftSettings: ours),
        // Reads manifests of files into the model of SceneRouting, which knows no file format.
        .target(
            name: "SceneManifest",
            dependencies: ["SceneRouting", "StrictJSON", .product(name: "Yams", package: "Yams")],
            // Embedded as a Swift string, so that a static binary needs no bundle.
            exclude: ["Resources"],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneManifestTests",
            dependencies: ["SceneManifest", "SceneRouting", "StrictJSON"],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneRoutingTests",
            dependencies: ["SceneManifest", "SceneRouting", "StrictJSON"],
            exclude: ["Vectors"],
            swiftSettings: ours
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Compares routing with Hummingbird's router trie. Behind a variable, because nothing else needs Hummingbird's router:
// SCENED_BENCH=1 swift run -c release RoutingBenchmark
if Context.environment["SCENED_BENCH"] == "1" {
    package.dependencies.append(.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"))
    package.targets += [
        .target(name: "CountingMalloc", path: "Tests/Benchmarks/CountingMalloc"),
        .executableTarget(
            name: "RoutingBenchmark",
            dependencies: ["CountingMalloc", "SceneRouting", .product(name: "Hummingbird", package: "hummingbird")],
            path: "Tests/Benchmarks/RoutingBenchmark",
            swiftSettings: ours
        ),
    ]
}

// Fuzzes what reads untrusted text, with libFuzzer, everything of ours instrumented:
// SCENED_FUZZ=1 swift build -c release --scratch-path .build-fuzz && .build-fuzz/release/FuzzURL -runs=1000000
if Context.environment["SCENED_FUZZ"] == "1" {
    let instrumented: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])]
    for target in package.targets where ["StrictJSON", "SceneRouting", "SceneManifest"].contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + instrumented
    }
    package.targets.append(.target(name: "FuzzerDriver", path: "Tests/Fuzz/FuzzerDriver"))
    for name in ["FuzzURL", "FuzzManifest", "FuzzAssociation"] {
        package.targets.append(
            .executableTarget(
                name: name,
                dependencies: ["FuzzerDriver", "SceneManifest", "SceneRouting"],
                path: "Tests/Fuzz/\(name)",
                swiftSettings: ours + instrumented,
                linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
            )
        )
    }
}
