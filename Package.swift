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

/// For what lies on the way of an event: an asynchronous function that belongs to no actor runs where its caller does. Without it
/// each one would take the scene to the shared pool of threads and back.
let staying = ours + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// For what gives or keeps a `Span`, whose lifetime has to be spelled out.
let lifetimes: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// What only the daemon, its clients and the commands need: who links a library for an app or its tests leaves it out with
/// `traits: ["Scenes"]`, and it is not even fetched.
func onlyWithDaemon(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Daemon"]))
}

/// What the libraries for an app with scenes need, too: who links only the explorer or its executors leaves out everything with
/// `traits: []`.
func onlyWithScenes(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Scenes"]))
}

let argumentParser = onlyWithDaemon("ArgumentParser", of: "swift-argument-parser")
let configuration = onlyWithDaemon("Configuration", of: "swift-configuration")
let deque = onlyWithScenes("DequeModule", of: "swift-collections")
let grdb = onlyWithDaemon("GRDB", of: "GRDB.swift")
let sqlite = onlyWithDaemon("GRDBSQLite", of: "GRDB.swift")
let histogram = onlyWithDaemon("Histogram", of: "hdrhistogram-swift")
let httpTypes = onlyWithDaemon("HTTPTypes", of: "swift-http-types")
let hummingbird = onlyWithDaemon("Hummingbird", of: "hummingbird")
let hummingbirdCore = onlyWithDaemon("HummingbirdCore", of: "hummingbird")
let lifecycle = onlyWithDaemon("ServiceLifecycle", of: "swift-service-lifecycle")
let logging = onlyWithDaemon("Logging", of: "swift-log")
let metrics = onlyWithDaemon("CoreMetrics", of: "swift-metrics")
let nioCore = onlyWithDaemon("NIOCore", of: "swift-nio")
let nioEmbedded = onlyWithDaemon("NIOEmbedded", of: "swift-nio")
let nioPosix = onlyWithDaemon("NIOPosix", of: "swift-nio")
let nioTestUtils = onlyWithDaemon("NIOTestUtils", of: "swift-nio")
let subprocess = onlyWithDaemon("Subprocess", of: "swift-subprocess")
let systemPackage = onlyWithScenes("SystemPackage", of: "swift-system")
let unixSignals = onlyWithDaemon("UnixSignals", of: "swift-service-lifecycle")
let yams = onlyWithScenes("Yams", of: "Yams")

let package = Package(
    name: "scened",
    // `Synchronization` decides.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    // Each library comes with the modules whose types its API shows.
    products: [
        .executable(name: "scened", targets: ["scened"]),
        .executable(name: "scenectl", targets: ["scenectl"]),
        .library(
            name: "SceneRuntime",
            targets: [
                "SceneRuntime", "SimulatedExecutors", "SceneEntryPoints", "SceneNavigation", "SceneRouting",
                "SceneVocabulary", "StrictJSON",
            ]
        ),
        // Apart, because it reads YAML, which brings Foundation.
        .library(name: "SceneManifest", targets: ["SceneManifest", "SceneRouting", "SceneVocabulary", "StrictJSON"]),
        .library(
            name: "SceneTesting",
            targets: [
                "SceneTesting", "SceneManifest", "SceneRuntime", "SimulatedExecutors", "SceneEntryPoints",
                "SceneNavigation", "SceneRouting",
                "SceneVocabulary",
                "StrictJSON",
            ]
        ),
        .library(
            name: "SceneEntryPoints",
            targets: ["SceneEntryPoints", "SceneRouting", "SceneVocabulary", "StrictJSON"]
        ),
        // The daemon itself, for an executable with an app's own code.
        .library(
            name: "SceneDaemon",
            targets: [
                "SceneDaemon", "SceneRuntime", "SimulatedExecutors", "SceneEntryPoints", "SceneNavigation",
                "SceneRouting", "SceneVocabulary",
                "StrictJSON",
            ]
        ),
        // The command 'race' of such a daemon, with the app's own code.
        .library(
            name: "SceneDaemonRaces",
            targets: [
                "SceneDaemonRaces", "SceneDaemon", "SceneRuntime", "SimulatedExecutors", "SceneEntryPoints",
                "SceneNavigation",
                "SceneRouting",
                "SceneVocabulary", "StrictJSON",
            ]
        ),
        .library(name: "SceneClient", targets: ["SceneClient", "SceneVocabulary", "StrictJSON"]),
        // The trait of Swift Testing for it.
        .library(
            name: "SceneClientTesting",
            targets: ["SceneClientTesting", "SceneClient", "SceneVocabulary", "StrictJSON"]
        ),
        // All of the explorer that production code may link.
        .library(name: "SimulatedExecutors", targets: ["SimulatedExecutors"]),
        .library(name: "ExploredSynchronization", targets: ["ExploredSynchronization"]),
        .library(name: "Interleaving", targets: ["Interleaving", "SimulatedExecutors", "Basics", "StrictJSON"]),
        .library(
            name: "InterleavingTesting",
            targets: ["InterleavingTesting", "Interleaving", "SimulatedExecutors", "Basics", "StrictJSON"]
        ),
        .library(
            name: "InterleavingXCTest",
            targets: ["InterleavingXCTest", "Interleaving", "SimulatedExecutors", "Basics", "StrictJSON"]
        ),
        // The trait of Swift Testing for races of an app with code of its own.
        .library(
            name: "SceneRacesTesting",
            targets: [
                "SceneRacesTesting", "SceneRaces", "Interleaving", "SceneRuntime", "SimulatedExecutors",
                "SceneEntryPoints",
                "SceneNavigation", "SceneRouting", "SceneVocabulary", "Basics", "StrictJSON",
            ]
        ),
        .library(name: "Varlink", targets: ["Varlink", "StrictJSON"]),
        .plugin(name: "SceneRoutes", targets: ["SceneRoutes"]),
    ],
    traits: [
        .trait(
            name: "Scenes",
            description:
                "The libraries for an app with scenes and its tests. Off, the explorer and its executors remain."
        ),
        .trait(
            name: "Daemon",
            description: "The daemon, its clients and commands. Off, the libraries for an app and its tests remain.",
            enabledTraits: ["Scenes"]
        ),
        .default(enabledTraits: ["Daemon", "Scenes"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        // Without settings of files and environment variables.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Without its Foundation conveniences.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        // MARK: The leaves that everything may use: a lock, numbers from a seed, text in a page, and one JSON value,
        // one strict parser, one writer.
        .target(name: "CAccess"),
        .target(name: "Basics", dependencies: ["CAccess"], swiftSettings: ours + lifetimes),
        .testTarget(name: "BasicsTests", dependencies: ["Basics"], swiftSettings: ours),

        // Executors for actors of production code, which a simulation takes over where one runs.
        .target(name: "SimulatedExecutors", dependencies: ["CAccess", "Basics"], swiftSettings: ours),
        .testTarget(
            name: "SimulatedExecutorsTests",
            dependencies: ["Basics", "SimulatedExecutors"],
            swiftSettings: ours
        ),

        // Locks and atomic values of production code, whose accesses a simulation sees.
        .target(
            name: "ExploredSynchronization",
            dependencies: ["CAccess", "Basics"],
            // As of those of `Synchronization`, there can be no variables of its types.
            swiftSettings: ours + [.enableExperimentalFeature("StaticExclusiveOnly")]
        ),
        .testTarget(
            name: "ExploredSynchronizationTests",
            dependencies: ["Basics", "ExploredSynchronization", "Interleaving"],
            swiftSettings: ours
        ),

        .target(name: "StrictJSON", dependencies: ["Basics"], swiftSettings: ours + lifetimes),
        .testTarget(name: "StrictJSONTests", dependencies: ["Basics", "StrictJSON"], swiftSettings: ours),

        // The words that the runtime, its records, the socket API and its clients share.
        .target(name: "SceneVocabulary", dependencies: ["Basics"], swiftSettings: ours),

        // MARK: The pure half: untrusted input becomes a typed decision.
        .target(
            name: "SceneRouting",
            dependencies: ["Basics", "SceneVocabulary", "StrictJSON"],
            swiftSettings: ours
        ),
        // What a person meant who mistyped a command line.
        .target(name: "CommandMistakes", dependencies: ["SceneRouting", "StrictJSON"], swiftSettings: ours),
        .testTarget(
            name: "CommandMistakesTests",
            dependencies: ["CommandMistakes", "StrictJSON", "TestFixtures", "scenectl", "scened"],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneRoutingTests",
            dependencies: ["Basics", "SceneManifest", "SceneRouting", "StrictJSON", "TestFixtures"],
            exclude: ["Vectors"],
            swiftSettings: ours
        ),

        // Reads manifests of files into the model of SceneRouting, which knows no file format.
        .target(
            name: "SceneManifest",
            dependencies: ["Basics", "SceneRouting", "SceneVocabulary", "StrictJSON", yams],
            // In the code, so that a static binary needs no bundle.
            resources: [
                .embedInCode("Resources/bank.yaml"), .embedInCode("Resources/club.yaml"),
                .embedInCode("Resources/shop.yaml"),
            ],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneManifestTests",
            dependencies: ["SceneManifest", "SceneRouting", "StrictJSON", "TestFixtures"],
            swiftSettings: ours
        ),

        // Apple's event formats, and the adapters that make requests of them.
        .target(
            name: "SceneEntryPoints",
            dependencies: ["Basics", "SceneRouting", "StrictJSON"],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneEntryPointsTests",
            dependencies: ["Basics", "SceneEntryPoints", "SceneRouting", "StrictJSON"],
            swiftSettings: ours
        ),

        // MARK: The executing half: what a window shows and how it gets there.
        .target(
            name: "SceneNavigation",
            dependencies: ["Basics", "SceneRouting", "SceneVocabulary", "StrictJSON"],
            swiftSettings: staying
        ),
        .testTarget(
            name: "SceneNavigationTests",
            dependencies: ["Basics", "SceneManifest", "SceneNavigation", "SceneRouting", "StrictJSON"],
            swiftSettings: ours
        ),

        // MARK: Who goes first: every order that tasks and actors can run in, explored. It knows nothing of scenes.
        // Virtual time for every clock of the process, and what Swift cannot keep per thread.
        .target(name: "CInterleaving"),
        .target(
            name: "Interleaving",
            dependencies: ["CAccess", "CInterleaving", "Basics", "SimulatedExecutors", "StrictJSON"],
            swiftSettings: ours + [.enableExperimentalFeature("Lifetimes")]
        ),
        // The trait of Swift Testing: only tests may link it.
        .target(
            name: "InterleavingTesting",
            dependencies: ["CInterleaving", "Interleaving", "Basics"],
            swiftSettings: ours
        ),
        // The same for XCTest.
        .target(
            name: "InterleavingXCTest",
            dependencies: ["Interleaving", "Basics"],
            swiftSettings: ours
        ),
        .testTarget(
            name: "InterleavingXCTestTests",
            dependencies: ["Interleaving", "InterleavingXCTest", "Basics"],
            swiftSettings: ours
        ),
        // What the tests explore in processes of their own.
        .executableTarget(
            name: "interleaving-probe",
            dependencies: ["CInterleaving", "Interleaving"],
            path: "Tests/InterleavingProbe",
            swiftSettings: ours
        ),
        .testTarget(
            name: "InterleavingTests",
            dependencies: [
                "CInterleaving", "Interleaving", "InterleavingTesting", "Basics", "StrictJSON", "TestFixtures",
                "interleaving-probe",
            ],
            swiftSettings: ours
        ),

        // MARK: The heart: scenes, their mailboxes, the session they share, and the history of it all.
        .target(
            name: "SceneRuntime",
            dependencies: [
                "Basics", "SceneEntryPoints", "SceneNavigation", "SceneRouting", "SceneVocabulary",
                "SimulatedExecutors",
                "StrictJSON", deque,
            ],
            swiftSettings: staying
        ),

        .testTarget(
            name: "SceneRuntimeTests",
            dependencies: [
                "Basics", "SceneEntryPoints", "SceneManifest", "SceneNavigation", "SceneRouting", "SceneRuntime",
                "StrictJSON", "TestFixtures",
            ],
            swiftSettings: ours
        ),

        // What an app team imports in its own tests: the runtime in process, spies, expectations.
        .target(
            name: "SceneTesting",
            dependencies: [
                "Basics", "SceneEntryPoints", "SceneNavigation", "SceneRouting", "SceneRuntime",
                "SceneVocabulary",
            ],
            swiftSettings: ours
        ),
        // The shop's coordinators written by hand: the second way to write an app, and the example of it.
        .target(
            name: "ShopInSwift",
            dependencies: ["SceneNavigation", "SceneRouting", "SceneRuntime"],
            path: "Tests/ShopInSwift",
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneTestingTests",
            dependencies: [
                "Basics", "SceneEntryPoints", "SceneManifest", "SceneNavigation", "SceneRouting", "SceneRuntime",
                "SceneTesting",
                "ShopInSwift", "StrictJSON",
            ],
            swiftSettings: ours
        ),

        // The contract once more, as pure functions. It knows what a manifest declares and nothing of what carries it out.
        .target(
            name: "SceneModel",
            dependencies: ["SceneRouting", "SceneVocabulary", "StrictJSON"],
            swiftSettings: ours
        ),
        // Judges that history by the contract. It knows what records say and nothing of who writes them.
        .target(
            name: "SceneHistory",
            dependencies: ["SceneModel", "SceneVocabulary", "StrictJSON"],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneHistoryTests",
            dependencies: [
                "Basics",
                "SceneEntryPoints", "SceneHistory", "SceneManifest", "SceneModel", "SceneNavigation", "SceneRouting",
                "SceneRuntime", "SceneSoak", "StrictJSON", "TestFixtures",
            ],
            swiftSettings: ours
        ),

        // MARK: The page on which records are seen.
        .target(
            name: "SceneViewer",
            dependencies: ["Basics", "StrictJSON"],
            resources: [.embedInCode("Page")],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneViewerTests",
            dependencies: ["SceneViewer", "StrictJSON", "TestFixtures"],
            swiftSettings: ours
        ),

        // MARK: Races of windows: scenarios, run by the real runtime in every order that the explorer finds.
        .target(
            name: "SceneRaces",
            dependencies: [
                "Interleaving", "Basics", "SceneEntryPoints", "SceneHistory", "SceneManifest", "SceneModel",
                "SceneNavigation", "SceneRouting", "SceneRuntime", "SceneViewer", "SceneVocabulary", "StrictJSON",
            ],
            resources: [.embedInCode("Shipped/Scenarios")],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneRacesTests",
            dependencies: [
                "Interleaving", "SceneEntryPoints", "SceneHistory", "SceneManifest", "SceneModel", "SceneRaces",
                "SceneRouting", "SceneRuntime", "StrictJSON", "TestFixtures",
            ],
            swiftSettings: ours
        ),

        // The trait of Swift Testing that searches a scenario in an app with code of its own: only tests may link it.
        .target(
            name: "SceneRacesTesting",
            dependencies: ["Basics", "Interleaving", "SceneRaces", "SceneRouting", systemPackage],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneRacesTestingTests",
            dependencies: [
                "Basics", "Interleaving", "SceneEntryPoints", "SceneManifest", "SceneNavigation", "SceneRaces",
                "SceneRacesTesting", "SceneRouting", "SceneRuntime", "ShopInSwift", "StrictJSON", "TestFixtures",
            ],
            exclude: ["Scenarios"],
            swiftSettings: ours
        ),

        // MARK: Varlink for anybody: wire codec, interface files, server and client; knows nothing of scenes.
        .target(
            name: "Varlink",
            dependencies: ["Basics", "StrictJSON", deque, nioCore, nioPosix],
            swiftSettings: ours
        ),
        .testTarget(
            name: "VarlinkTests",
            dependencies: [
                "Basics", "Varlink", "StrictJSON", "TestFixtures", nioCore, nioEmbedded, nioPosix, nioTestUtils,
            ],
            swiftSettings: ours
        ),

        // MARK: systemd: the journal both ways, activation, notification. libsystemd itself stays a shared library.
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev", "pkg-config"])]),
        .target(
            name: "Systemd",
            dependencies: ["CSystemd", "Basics", "StrictJSON", deque, logging],
            swiftSettings: ours
        ),
        // What the tests run under a real systemd-journald and systemd-socket-activate.
        .executableTarget(
            name: "systemd-probe",
            dependencies: ["Systemd", "StrictJSON", logging],
            path: "Tests/SystemdProbe",
            swiftSettings: ours
        ),
        .testTarget(
            name: "SystemdTests",
            dependencies: [
                "Basics", "Systemd", "StrictJSON", "TestFixtures", "scenectl", "scened", "systemd-probe", logging,
            ],
            swiftSettings: ours
        ),

        // Records read back from a journal: what is there, what is missing and why.
        .target(
            name: "SceneJournal",
            dependencies: ["SceneHistory", "StrictJSON", "Systemd"],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneJournalTests",
            dependencies: [
                "SceneEntryPoints", "SceneHistory", "SceneJournal", "SceneManifest", "SceneRouting", "SceneRuntime",
                "SceneSoak", "StrictJSON", "Systemd", "TestFixtures", "systemd-probe", histogram,
            ],
            swiftSettings: ours
        ),

        // What a host has to find again after the daemon's end, in a file.
        .target(
            name: "SceneState",
            dependencies: ["Basics", "SceneRouting", "SceneRuntime", "SceneVocabulary", "StrictJSON", grdb, sqlite],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneStateTests",
            dependencies: [
                "Basics", "SceneEntryPoints", "SceneNavigation", "SceneRouting", "SceneRuntime", "SceneState",
                "SceneVocabulary", "StrictJSON", "TestFixtures", grdb,
            ],
            swiftSettings: ours
        ),

        // MARK: The socket API, its client, and the two programs.
        .target(
            name: "SceneService",
            dependencies: [
                "Basics", "SceneEntryPoints", "SceneHistory", "SceneModel", "SceneNavigation", "SceneRouting",
                "SceneRuntime", "StrictJSON", "Varlink", deque, nioCore, nioPosix,
            ],
            resources: [
                .embedInCode("Interfaces/io.scened.Adapters.varlink"),
                .embedInCode("Interfaces/io.scened.Control.varlink"),
                .embedInCode("Interfaces/io.scened.Events.varlink"),
                .embedInCode("Interfaces/io.scened.Manager.varlink"),
                .embedInCode("Interfaces/io.scened.Recording.varlink"),
                .embedInCode("Interfaces/io.scened.Records.varlink"),
                .embedInCode("Interfaces/io.scened.Routing.varlink"),
                .embedInCode("Interfaces/io.scened.Scenes.varlink"),
                .embedInCode("Interfaces/io.scened.Session.varlink"),
            ],
            swiftSettings: staying
        ),
        .testTarget(
            name: "SceneServiceTests",
            dependencies: [
                "Basics", "SceneManifest", "SceneNavigation", "SceneRouting", "SceneRuntime", "SceneService",
                "SceneTesting",
                "StrictJSON", "TestFixtures", "Varlink",
                nioCore, nioEmbedded, nioPosix,
            ],
            swiftSettings: ours
        ),
        .target(
            name: "SceneClient",
            dependencies: ["Basics", "SceneVocabulary", "StrictJSON", "Varlink", nioPosix, subprocess, systemPackage],
            swiftSettings: ours
        ),
        // The trait of Swift Testing that gives a suite its daemon: only tests may link it. It needs the program `scened`, and none
        // of the daemon's modules.
        .target(
            name: "SceneClientTesting",
            dependencies: [
                "Basics", "SceneClient", "SceneHistory", "SceneManifest", "SceneRouting", "StrictJSON", "Varlink",
                subprocess,
                systemPackage,
            ],
            swiftSettings: staying
        ),
        .testTarget(
            name: "SceneClientTestingTests",
            dependencies: ["Basics", "SceneClientTesting", "TestFixtures", "scenectl", "scened", "shop-daemon"],
            exclude: ["bad.yaml", "hotel.yaml"],
            swiftSettings: ours
        ),
        // MARK: Hours of load: who sends what when, what was seen, and what to make of it.
        .target(
            name: "SceneSoak",
            dependencies: [
                "Basics", "SceneClient", "SceneHistory", "SceneJournal", "SceneModel", "SceneRouting",
                "SceneViewer", "SceneVocabulary", "StrictJSON", "Systemd", "Varlink", deque, histogram,
            ],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneSoakTests",
            dependencies: [
                "Basics", "SceneClient", "SceneEntryPoints", "SceneHistory", "SceneManifest", "SceneRouting",
                "SceneSoak",
                "SceneVocabulary", "StrictJSON", "TestFixtures", histogram,
            ],
            exclude: ["Screenshot"],
            swiftSettings: ours
        ),
        // What a signal that ends the process can still say.
        .target(name: "CFatalSignal"),
        // All that a daemon is; the executable adds nothing but whose app it runs.
        .target(
            name: "SceneDaemon",
            dependencies: [
                "CFatalSignal", "Basics", "CommandMistakes", "SceneEntryPoints", "SceneManifest", "SceneNavigation",
                "SceneRouting", "SceneRuntime",
                "SceneService", "SceneState", "SceneVocabulary", "StrictJSON", "Systemd", "Varlink", argumentParser,
                configuration,
                lifecycle, logging, metrics,
                nioCore, nioPosix, systemPackage, unixSignals,
            ],
            swiftSettings: ours
        ),
        .executableTarget(name: "scened", dependencies: ["SceneDaemon"], swiftSettings: ours),
        .testTarget(
            name: "SceneDaemonTests",
            dependencies: [
                "Basics", "SceneManifest", "SceneRouting", "SceneRuntime", "SceneService", "SceneState",
                "SceneVocabulary",
                "Systemd", "TestFixtures", "Varlink", "SceneDaemon", logging, metrics,
                nioCore, nioEmbedded, nioPosix,
            ],
            swiftSettings: ours
        ),
        // Histories packed into a page that is a file. Apart from the page, which apps' tests link: they need no zlib.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "PagePacking", dependencies: ["CZlib"], swiftSettings: ours),
        .testTarget(name: "PagePackingTests", dependencies: ["CZlib", "PagePacking"], swiftSettings: ours),

        // The page over a live daemon: served on this machine only, to whoever has the address that was printed.
        .target(
            name: "SceneInspector",
            dependencies: [
                "Basics", "SceneClient", "SceneRouting", "SceneViewer", "SceneVocabulary", "StrictJSON", "Varlink",
                httpTypes, hummingbird, hummingbirdCore, logging, nioCore,
            ],
            swiftSettings: ours
        ),
        // MARK: What commands share, and the command 'race' of scenectl and of an app's daemon.
        .target(
            name: "CommandConsole",
            dependencies: [
                "Basics", "CommandMistakes", "SceneClient", "SceneManifest", "SceneRouting", "StrictJSON",
                argumentParser,
            ],
            swiftSettings: ours
        ),
        .target(
            name: "RaceCommand",
            dependencies: [
                "Basics", "CommandMistakes", "CommandConsole", "Interleaving", "SceneClient", "SceneManifest",
                "SceneRaces", "SceneRouting", "StrictJSON", argumentParser,
            ],
            swiftSettings: ours
        ),
        .target(
            name: "SceneDaemonRaces",
            dependencies: [
                "CommandMistakes", "CommandConsole", "RaceCommand", "SceneDaemon", "SceneManifest", "SceneRaces",
                "SceneRouting",
                systemPackage,
            ],
            swiftSettings: ours
        ),
        // What 'scenectl app new' writes.
        .target(
            name: "AppTemplate",
            sources: ["AppTemplate.swift"],
            resources: [.embedInCode("NewApp")],
            swiftSettings: ours
        ),
        .executableTarget(
            name: "scenectl",
            dependencies: [
                "AppTemplate", "Basics", "CommandMistakes", "CommandConsole", "PagePacking", "RaceCommand",
                "SceneClient", "SceneEntryPoints", "SceneHistory", "SceneInspector",
                "SceneManifest",
                "SceneJournal", "SceneModel", "SceneNavigation", "SceneRaces", "SceneRouting", "SceneRuntime",
                "SceneSoak",
                "SceneState", "SceneViewer", "SceneVocabulary", "StrictJSON", "TypedRoutes", "Varlink",
                argumentParser,
                subprocess, systemPackage,
            ],
            swiftSettings: ours
        ),
        // What a manifest declares, written as types of Swift, and what writes them at each build of a package.
        .target(name: "TypedRoutes", dependencies: ["SceneRouting"], swiftSettings: ours),
        .testTarget(
            name: "TypedRoutesTests",
            dependencies: ["SceneManifest", "SceneNavigation", "SceneRouting", "TestFixtures", "TypedRoutes"],
            swiftSettings: ours
        ),
        .executableTarget(
            name: "scene-routes",
            dependencies: ["SceneManifest", "TypedRoutes"],
            path: "Sources/SceneRoutesTool",
            swiftSettings: ours
        ),
        .plugin(
            name: "SceneRoutes",
            capability: .buildTool(),
            dependencies: ["scene-routes"],
            path: "Sources/SceneRoutes"
        ),
        // MARK: What benchmarks measured: figures with their spread, one table, two runs beside each other.
        .target(
            name: "Figures",
            dependencies: ["StrictJSON"],
            path: "Tests/Benchmarks/Figures",
            swiftSettings: ours
        ),
        .testTarget(name: "BenchmarkTests", dependencies: ["Figures", "StrictJSON"], swiftSettings: ours),
        // MARK: The plan of the house: which module may import which.
        .testTarget(name: "ArchitectureTests", dependencies: ["SceneVocabulary"], swiftSettings: ours),

        // MARK: The package that 'scenectl app new' writes, compiled and tested as it stands.
        .target(
            name: "NewApp",
            dependencies: ["SceneEntryPoints", "SceneNavigation", "SceneRouting", "SceneRuntime", "StrictJSON"],
            path: "Sources/AppTemplate/NewApp/Sources/NewApp",
            resources: [.embedInCode("NewApp.yaml")],
            swiftSettings: ours
        ),
        .executableTarget(
            name: "newapp-scened",
            dependencies: ["NewApp", "SceneDaemon", "SceneDaemonRaces", "SceneEntryPoints", "SceneRuntime"],
            path: "Sources/AppTemplate/NewApp/Sources/newapp-scened",
            swiftSettings: ours
        ),
        .testTarget(
            name: "NewAppTests",
            dependencies: [
                "NewApp", "SceneEntryPoints", "SceneManifest", "SceneRaces", "SceneRacesTesting", "SceneRouting",
                "SceneRuntime", "SceneTesting", "StrictJSON",
            ],
            path: "Sources/AppTemplate/NewApp/Tests/NewAppTests",
            swiftSettings: ours
        ),

        // MARK: The runtime in an app's UIKit. Here there is a stand-in of it, so no product: on a Mac it is one, see below.
        .target(name: "UserNotifications", path: "Tests/UIKitStandIn/UserNotifications"),
        .target(name: "UIKit", dependencies: ["UserNotifications"], path: "Tests/UIKitStandIn/UIKit"),
        .target(
            name: "SceneUIKit",
            dependencies: [
                "Basics", "SceneEntryPoints", "SceneNavigation", "SceneRouting", "SceneRuntime", "SceneVocabulary",
                "StrictJSON",
                "UIKit", "UserNotifications",
            ],
            swiftSettings: ours
        ),
        .testTarget(
            name: "SceneUIKitTests",
            dependencies: [
                "Basics", "SceneEntryPoints", "SceneHistory", "SceneManifest", "SceneNavigation", "SceneRouting",
                "SceneRuntime", "SceneUIKit", "SceneVocabulary", "StrictJSON", "TestFixtures", "UIKit",
                "UserNotifications",
                "scenectl", "scened",
            ],
            // Tests of a Mac's Swift Testing have more to say of UIKit; here there is nothing of that.
            swiftSettings: ours + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]
        ),

        // MARK: The built programs, from outside.
        // Processes, sockets and a journal of a test's own, for whichever tests need them.
        .target(
            name: "TestFixtures",
            dependencies: ["Basics", "StrictJSON", nioPosix],
            path: "Tests/TestFixtures",
            swiftSettings: ours
        ),
        // The shop in Swift behind a socket.
        .executableTarget(
            name: "shop-daemon",
            dependencies: ["SceneDaemon", "SceneDaemonRaces", "SceneRuntime", "ShopInSwift"],
            path: "Tests/ShopDaemon",
            exclude: ["Scenarios"],
            swiftSettings: ours
        ),
        // A daemon whose own code fails.
        .executableTarget(
            name: "code-probe",
            dependencies: [
                "SceneDaemon", "SceneDaemonRaces", "SceneEntryPoints", "SceneNavigation", "SceneRouting",
                "SceneRuntime", "StrictJSON",
            ],
            path: "Tests/CodeProbe",
            exclude: ["Scenarios"],
            swiftSettings: ours
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Basics", "CommandConsole", "SceneClient", "SceneEntryPoints", "SceneHistory", "SceneManifest",
                "SceneModel",
                "SceneRaces", "SceneRouting", "SceneRuntime", "StrictJSON",
                "TestFixtures", "Varlink", "code-probe", "newapp-scened", "scened", "scenectl", "shop-daemon",
                subprocess,
                systemPackage,
                yams,
            ],
            exclude: ["Python", "Samples"],
            swiftSettings: ours
        ),
    ],
    swiftLanguageModes: [.v6]
)

// What is measured, and what it is compared with: make bench
if Context.environment["SCENED_BENCH"] == "1" {
    package.targets += [
        .target(name: "CountingMalloc", path: "Tests/Benchmarks/CountingMalloc"),
        .executableTarget(
            name: "benchmark-table",
            dependencies: ["Figures", "StrictJSON", argumentParser],
            path: "Tests/Benchmarks/BenchmarkTable",
            swiftSettings: ours
        ),
        .executableTarget(
            name: "bench-runtime",
            dependencies: [
                "Figures", "Basics", "SceneEntryPoints", "SceneManifest", "SceneRouting", "SceneRuntime",
                "SceneService", "TestFixtures",
                "Varlink", nioCore, nioPosix,
            ],
            path: "Tests/Benchmarks/RuntimeBenchmark",
            swiftSettings: ours
        ),
        .executableTarget(
            name: "bench-routing",
            dependencies: [
                "CountingMalloc", "Figures", "SceneRouting", "Basics", hummingbird,
            ],
            path: "Tests/Benchmarks/RoutingBenchmark",
            swiftSettings: ours
        ),
        .target(name: "LoadGenerator", path: "Tests/Benchmarks/LoadGenerator"),
        .executableTarget(
            name: "bench-wire",
            dependencies: ["Figures", "LoadGenerator"],
            path: "Tests/Benchmarks/WireBenchmark",
            swiftSettings: ours
        ),
        .executableTarget(
            name: "bench-journal",
            dependencies: ["Figures", "LoadGenerator", "SceneHistory", "SceneJournal", "TestFixtures"],
            path: "Tests/Benchmarks/JournalBenchmark",
            swiftSettings: ours
        ),
        .executableTarget(
            name: "bench-state",
            dependencies: ["Figures", "LoadGenerator", "SceneManifest", "SceneRouting", "StrictJSON", "TestFixtures"],
            path: "Tests/Benchmarks/StateBenchmark",
            swiftSettings: ours
        ),
        .executableTarget(
            name: "bench-soak",
            dependencies: ["Figures", "LoadGenerator", "StrictJSON", "TestFixtures"],
            path: "Tests/Benchmarks/SoakBenchmark",
            swiftSettings: ours
        ),
        .executableTarget(
            name: "bench-page",
            dependencies: ["Figures", "StrictJSON", "TestFixtures"],
            path: "Tests/Benchmarks/PageBenchmark",
            exclude: ["page.py"],
            swiftSettings: ours
        ),
        .executableTarget(
            name: "bench-interleaving",
            dependencies: ["Figures", "Interleaving"],
            path: "Tests/Benchmarks/InterleavingBenchmark",
            swiftSettings: ours
        ),
        .executableTarget(
            name: "bench-navigation",
            dependencies: [
                "CountingMalloc", "Figures", "SceneEntryPoints", "SceneManifest", "SceneNavigation", "SceneRouting",
                "SceneRuntime",
            ],
            path: "Tests/Benchmarks/NavigationBenchmark",
            swiftSettings: ours
        ),
    ]
}

// On a Mac there is only what apps and their tests link: the daemon, its clients and what they are made of need Linux.
// Tests and .ci/apple look at that part on Linux, too.
#if os(Linux)
    let isOnMac = Context.environment["SCENED_AS_ON_A_MAC"] == "1"
#else
    let isOnMac = true
#endif

if isOnMac {
    let offered: Set = [
        "SceneRuntime", "SceneManifest", "SceneTesting", "SceneEntryPoints", "SimulatedExecutors",
        "ExploredSynchronization", "Interleaving", "InterleavingTesting", "SceneRacesTesting", "SceneRoutes",
        "SceneUIKit",
    ]
    package.products.append(
        .library(
            name: "SceneUIKit",
            targets: [
                "SceneUIKit", "SceneRuntime", "SimulatedExecutors", "SceneEntryPoints", "SceneNavigation",
                "SceneRouting", "SceneVocabulary",
                "StrictJSON",
            ]
        )
    )
    // UIKit is the system's there. On macOS there is none, and the library is empty.
    for target in package.targets where target.name == "SceneUIKit" {
        target.dependencies.removeAll { dependency in
            guard case .byNameItem(let name, _) = dependency else { return false }
            return ["UIKit", "UserNotifications"].contains(name)
        }
    }
    package.products.removeAll { !offered.contains($0.name) }
    var needed: Set<String> = []
    func need(_ name: String) {
        guard let target = package.targets.first(where: { $0.name == name }), needed.insert(name).inserted else {
            return
        }
        for dependency in target.dependencies {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): need(name)
            default: break
            }
        }
    }
    for product in package.products {
        if let library = product as? Product.Library { library.targets.forEach(need) }
        if let plugin = product as? Product.Plugin { plugin.targets.forEach(need) }
    }
    // What the plugin runs.
    need("scene-routes")
    package.targets.removeAll { !needed.contains($0.name) }
    package.dependencies.removeAll { dependency in
        guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
        return !["swift-collections", "Yams", "swift-system"].contains { location.hasSuffix("/\($0)") }
    }
}

// The build of `make test`, in release configuration: the programs of the package are linked from it, too. Tests and what they are
// made with are not optimized, and neither is the explorer: an optimized one sees fewer suspensions of the code that it is given.
// make test
if Context.environment["TEST_OPTIMIZED"] == "1" {
    let explorer = [
        "ExploredSynchronization", "Interleaving", "InterleavingTesting", "InterleavingXCTest", "SimulatedExecutors",
    ]
    for target in package.targets
    where target.type == .test || target.path?.hasPrefix("Tests/") == true || explorer.contains(target.name) {
        // What it would compile once more, to have the module a little sooner, nobody waits for.
        let flags: SwiftSetting = .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])
        target.swiftSettings = (target.swiftSettings ?? []) + [flags]
    }
    // Nothing here uses the plugin, for which its tool and all that it links would be built twice. Packages that depend on this
    // one do: make dependent
    package.products.removeAll { $0.name == "SceneRoutes" }
    package.targets.removeAll { $0.name == "SceneRoutes" }
}

// Fuzzes what reads untrusted text, with libFuzzer, everything of ours instrumented:
// make fuzz
if Context.environment["SCENED_FUZZ"] == "1" {
    let instrumented: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])]
    let readers = [
        "StrictJSON", "SceneVocabulary", "SceneRouting", "SceneManifest", "SceneEntryPoints", "SceneNavigation",
        "SceneRuntime", "Varlink",
        "SceneService",
    ]
    for target in package.targets where readers.contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + instrumented
    }
    package.targets.append(.target(name: "FuzzerDriver", path: "Tests/Fuzz/FuzzerDriver"))
    let dependencies: [String: [Target.Dependency]] = [
        "Wire": ["Varlink"], "Interface": ["Varlink"],
        "Server": ["SceneRuntime", "SceneService", "StrictJSON", "Varlink", nioCore, nioPosix],
        "Payload": ["SceneEntryPoints", "StrictJSON"], "Activity": ["SceneEntryPoints", "StrictJSON"],
    ]
    for name in ["URL", "Manifest", "Association", "Payload", "Activity", "Wire", "Interface", "Server"] {
        package.targets.append(
            .executableTarget(
                name: "fuzz-\(name.lowercased())",
                dependencies: ["FuzzerDriver", "SceneManifest", "SceneRouting"] + (dependencies[name] ?? []),
                path: "Tests/Fuzz/Fuzz\(name)",
                swiftSettings: ours + instrumented,
                linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
            )
        )
    }
}
