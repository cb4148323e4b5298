internal import CommandConsole
internal import StrictJSON

/// A window from a file, to restore it.
struct SavedWindow {
    let window: JSONObject
    /// Whose it was, if the file says so.
    let owner: JSONObject?

    /// The window in a file that holds a window, a scene, or the output of `show --json` for one scene.
    static func read(file: String) throws(CommandError) -> SavedWindow {
        let json = try Input.object(file: file)
        if json["tabs"] != nil { return SavedWindow(window: json, owner: nil) }
        if json["window"] != nil { return try window(of: json, file) }
        guard let scenes = json["scenes"]?.arrayValue else {
            let members = json.keys.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
            throw wrong(
                file,
                "it holds no window: expected 'tabs', 'window' or 'scenes', found "
                    + (members.isEmpty ? "no members" : members)
            )
        }
        guard scenes.count == 1, let scene = scenes.first?.objectValue else {
            throw wrong(file, "it holds \(scenes.count) scenes, and only one can be restored")
        }
        return try window(of: scene, file)
    }

    private static func window(of scene: JSONObject, _ file: String) throws(CommandError) -> SavedWindow {
        if let window = scene["window"]?.objectValue {
            return SavedWindow(window: window, owner: scene["owner"]?.objectValue)
        }
        let name = scene["id"]?.stringValue.map { "scene '\($0)'" } ?? "the scene"
        throw wrong(file, "\(name) has no window: it was disconnected when this was written")
    }

    private static func wrong(_ file: String, _ what: String) -> CommandError {
        let name = file == "-" ? "standard input" : file
        return .usage("\(name): \(what). Use the output of 'scenectl show A --json' for a connected window.")
    }
}
