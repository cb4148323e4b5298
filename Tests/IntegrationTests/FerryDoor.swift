import Foundation
import SceneClient
import StrictJSON
import TestFixtures
import Testing

/// How a link comes in from outside to the app of `Tests/Apps/ferry.yaml`, in which every door takes the same links.
enum FerryDoor: String, CaseIterable, Sendable {
    case url, universalLink, push, widget, handoff, spotlight, shortcut

    /// The app's manifest.
    static let app = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Apps/ferry.yaml").path

    /// What a link can begin with here.
    var origins: [String] {
        let web = "https://ferry.example/"
        return self == .universalLink ? [web] : ["ferry://", web]
    }

    /// Comes in with a link.
    func send(_ link: String, to client: SceneClient, _ delivery: SceneClient.Delivery) async throws -> ClientReceipt {
        switch self {
        case .url: return try await client.openURL(link, delivery)
        case .universalLink:
            return try await client.continueActivity(
                type: "NSUserActivityTypeBrowsingWeb",
                webpageURL: link,
                delivery
            )
        case .push: return try await client.push(payload: ["aps": ["alert": "!"], "url": .string(link)], delivery)
        case .widget: return try await client.tapWidget(kind: "crossings", url: link, delivery)
        case .handoff:
            return try await client.continueActivity(
                type: "com.example.ferry.view",
                userInfo: ["url": .string(link)],
                handoff: true,
                delivery
            )
        case .spotlight:
            return try await client.continueActivity(
                type: "com.apple.corespotlightitem",
                userInfo: ["kCSSearchableItemActivityIdentifier": .string(link)],
                delivery
            )
        case .shortcut:
            return try await client.performShortcut(
                type: "com.example.ferry.open",
                userInfo: ["url": .string(link)],
                delivery
            )
        }
    }

    /// A daemon of the app with the windows A, in front, and B, in the background; nobody is signed in.
    /// - Parameter edit: Another version of the app, from the text of its manifest.
    static func run(
        _ arguments: [String] = [],
        edit: ((String) -> String)? = nil,
        _ body: (LiveDaemon, SceneClient) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        var app = Self.app
        if let edit {
            app = "\(directory.path)/ferry.yaml"
            try edit(String(contentsOfFile: Self.app, encoding: .utf8)).write(
                toFile: app,
                atomically: true,
                encoding: .utf8
            )
        }
        try await LiveDaemon.run(["--app", app] + arguments) { daemon in
            let client = try await daemon.client()
            for scene in ["B", "A"] { _ = try await client.connect(scene: scene) }
            try await client.leave("B")
            try await body(daemon, client)
        }
    }
}

extension SceneClient {
    /// Sends a window to the background, as the system does it: by way of inactive.
    func leave(_ scene: String) async throws {
        if try await self.scene(scene).activation == .foregroundActive {
            _ = try await setActivation(.foregroundInactive, of: scene)
        }
        if try await self.scene(scene).activation != .background {
            _ = try await setActivation(.background, of: scene)
        }
    }
}
