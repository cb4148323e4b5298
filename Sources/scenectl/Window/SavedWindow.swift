internal import StrictJSON

/// A window in a file, to be shown again.
enum SavedWindow {
    /// The window in any JSON that shows one: a window, a scene, or what `show --json` prints of one scene.
    static func read(file: String) throws(CommandError) -> JSONObject {
        let json = try Input.object(file: file)
        if json["tabs"] != nil { return json }
        if json["window"] != nil { return try window(of: json, file) }
        guard let scenes = json["scenes"]?.arrayValue else {
            let members = json.keys.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
            throw wrong(
                file,
                "there is no window in it: neither 'tabs' nor 'window' nor 'scenes', but "
                    + (members.isEmpty ? "no members at all" : members)
            )
        }
        guard scenes.count == 1, let scene = scenes.first?.objectValue else {
            throw wrong(file, "there are \(scenes.count) scenes in it, and only one can be restored")
        }
        return try window(of: scene, file)
    }

    private static func window(of scene: JSONObject, _ file: String) throws(CommandError) -> JSONObject {
        if let window = scene["window"]?.objectValue { return window }
        let name = scene["id"]?.stringValue.map { "scene '\($0)'" } ?? "the scene"
        throw wrong(file, "\(name) in it shows no window: it was disconnected when this was written")
    }

    private static func wrong(_ file: String, _ what: String) -> CommandError {
        let name = file == "-" ? "standard input" : file
        return .usage("\(name): \(what). What 'scenectl show A --json' prints of a connected window would be right.")
    }
}
