internal import Foundation
internal import SceneManifest
internal import TypedRoutes

/// What the plugin runs: `scene-routes MANIFEST OUTPUT`.
@main
enum SceneRoutesTool {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let manifest = arguments.first, let output = arguments.last else {
            fail("usage: scene-routes MANIFEST OUTPUT")
        }
        do {
            let app = try NamedManifest(manifest) { try String(contentsOfFile: $0, encoding: .utf8) }.read().manifest
            let name = URL(filePath: manifest).lastPathComponent
            let (text, numbered) = SwiftRoutes(app, from: name).written()
            try text.write(toFile: output, atomically: true, encoding: .utf8)
            for name in numbered { say("\(manifest): warning: \(name).") }
        } catch {
            fail("\(error)")
        }
    }

    private static func say(_ message: String) { FileHandle.standardError.write(Data("\(message)\n".utf8)) }

    private static func fail(_ message: String) -> Never {
        say(message)
        exit(1)
    }
}
