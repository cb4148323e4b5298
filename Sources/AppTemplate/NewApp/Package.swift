// swift-tools-version: 6.2
import PackageDescription

/// Where scened's sources are: in this folder, unless the environment names another, as a container does.
let scened = Context.environment["SCENED_SOURCES"] ?? "../scened"

let package = Package(
    name: "NewApp",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "NewApp", targets: ["NewApp"])],
    dependencies: [.package(name: "scened", path: scened)],
    targets: [
        // What the app itself links: its coordinators, its adapter, and what they ask. It knows of no daemon.
        .target(
            name: "NewApp",
            dependencies: [.product(name: "SceneRuntime", package: "scened")],
            resources: [.embedInCode("NewApp.yaml")]
        ),
        .testTarget(
            name: "NewAppTests",
            dependencies: [
                "NewApp",
                .product(name: "SceneRacesTesting", package: "scened"),
                .product(name: "SceneTesting", package: "scened"),
            ]
        ),
    ]
)

// The same behind a socket, for scenectl and pytest, and its races by command. On a Mac scened has neither.
#if os(Linux)
    package.targets.append(
        .executableTarget(
            name: "newapp-scened",
            dependencies: [
                "NewApp",
                .product(name: "SceneDaemon", package: "scened"),
                .product(name: "SceneDaemonRaces", package: "scened"),
            ]
        )
    )
#endif
