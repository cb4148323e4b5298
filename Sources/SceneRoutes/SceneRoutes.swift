import Foundation
import PackagePlugin

/// Writes the types of each manifest among a target's files at each build: of `shop.yaml`, `ShopRoutes.swift`.
@main
struct SceneRoutes: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let manifests = target.sourceFiles.map(\.url).filter(Self.isManifest)
        if manifests.isEmpty {
            Diagnostics.error(
                "the target \(target.name) uses the plugin SceneRoutes and has no manifest; expected a YAML file with 'destinations:' in its folder"
            )
        }
        let names = Dictionary(grouping: manifests) { $0.deletingPathExtension().lastPathComponent.lowercased() }
        for (name, files) in names where files.count > 1 {
            Diagnostics.error(
                "the target \(target.name) has \(files.count) manifests named '\(name)'; expected different names, which those of the written files are made of"
            )
        }
        let tool = try context.tool(named: "scene-routes").url
        return manifests.map { manifest in
            let name = manifest.deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(
                path: name.prefix(1).uppercased() + name.dropFirst() + "Routes.swift"
            )
            return .buildCommand(
                displayName: "Writing the types of \(manifest.lastPathComponent)",
                executable: tool,
                arguments: [manifest.path(percentEncoded: false), output.path(percentEncoded: false)],
                inputFiles: [manifest],
                outputFiles: [output]
            )
        }
    }

    private static func isManifest(_ file: URL) -> Bool {
        guard ["yaml", "yml"].contains(file.pathExtension), let text = try? String(contentsOf: file, encoding: .utf8)
        else { return false }
        return text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("destinations:") }
    }
}
