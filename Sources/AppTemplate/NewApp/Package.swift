// swift-tools-version: 6.2
import PackageDescription

/// Where scened's sources are: in this folder, unless the environment names another, as a container does.
let scened = Context.environment["SCENED_SOURCES"] ?? "../scened"

let package = Package(
    name: "NewApp",
    dependencies: [.package(name: "scened", path: scened)],
    targets: [
        // What the app itself links: its coordinators, its adapter, and what they ask. It knows of no daemon.
        .target(
            name: "NewApp",
            dependencies: [.product(name: "SceneRuntime", package: "scened")],
            resources: [.embedInCode("NewApp.yaml")]
        ),
        // The same behind a socket, for scenectl and pytest, and its races by command.
        .executableTarget(
            name: "newapp-scened",
            dependencies: [
                "NewApp",
                .product(name: "SceneDaemon", package: "scened"),
                .product(name: "SceneDaemonRaces", package: "scened"),
            ]
        ),
        .testTarget(
            name: "NewAppTests",
            dependencies: [
                "NewApp",
                .product(name: "InterleavingTesting", package: "scened"),
                .product(name: "SceneRacesTesting", package: "scened"),
                .product(name: "SceneTesting", package: "scened"),
            ]
        ),
    ]
)
