internal import Basics
internal import SceneRouting
public import StrictJSON

/// The payload of a push as a provider sends it to APNs: Apple's `aps` dictionary and the app's own members.
public struct APNsPayload: Hashable, Sendable {
    /// Apple's part.
    public var aps: APS
    /// The app's own members.
    public var custom: JSONObject
    /// The bundle identifier of the receiver, as in `.apns` files for `simctl push`.
    public var simulatorTargetBundle: String?

    /// The maximum size of a payload in bytes.
    public static let sizeLimit = 4096
    /// The maximum size of a VoIP push's payload in bytes.
    public static let voipSizeLimit = 5120

    static let bundleKey = "Simulator Target Bundle"

    /// A payload of these parts.
    public init(aps: APS, custom: JSONObject = [:], simulatorTargetBundle: String? = nil) {
        self.aps = aps
        self.custom = custom
        self.simulatorTargetBundle = simulatorTargetBundle
    }

    /// Reads a payload. Its size is that of its compact JSON without `Simulator Target Bundle`, which is never sent to APNs.
    /// - Parameters:
    ///   - json: The payload.
    ///   - isVoIP: whether it is a VoIP push, which may be larger and needs no `aps`.
    /// - Throws: an error with its path from the payload's root: `aps.badge`.
    public init(_ json: JSONObject, isVoIP: Bool = false) throws(JSONFieldError) {
        let reader = JSONReader(json, isNullAbsent: false)
        if json["aps"] == nil, !isVoIP,
            let key = json.keys.first(where: { Spelling.nearest(to: $0, among: ["aps"]) != nil })
        {
            throw JSONFieldError(path: JSONPath([.member(key)]), expected: "'aps'", found: "another member")
        }
        aps = try json["aps"] == nil && isVoIP ? APS() : APS(reader["aps"])
        simulatorTargetBundle = try reader.optional(Self.bundleKey)?.nonEmptyText()
        custom = json.without(["aps": .null, Self.bundleKey: .null])
        var sent = self
        sent.simulatorTargetBundle = nil
        var bytes: [UInt8] = []
        JSONValue.object(sent.json).write(to: &bytes)
        let limit = isVoIP ? Self.voipSizeLimit : Self.sizeLimit
        guard bytes.count <= limit else {
            throw JSONFieldError(path: "payload", expected: "at most \(limit) bytes", found: "\(bytes.count) bytes")
        }
    }

    /// The payload as JSON, `aps` first.
    package var json: JSONObject {
        var object: JSONObject = ["aps": .object(aps.json)]
        object.set(Self.bundleKey, simulatorTargetBundle)
        object.append(custom)
        return object
    }

    /// Whether the payload is for the app with these app IDs (`TEAM.bundle`). A payload without `Simulator Target Bundle` is
    /// for every app, and every payload is for an app without IDs.
    func isAddressed(to appIDs: [String]) -> Bool {
        guard let bundle = simulatorTargetBundle, !appIDs.isEmpty else { return true }
        return appIDs.contains { Self.bundle(of: $0).hasSameBytes(as: bundle) }
    }

    /// The bundle identifier in an app ID: the part after the team.
    static func bundle(of appID: String) -> String {
        String(appID.drop { $0 != "." }.dropFirst())
    }

    /// What is allowed but probably not meant, each as `path: what`.
    var warnings: [String] {
        func unknown(_ keys: [String], in way: JSONPath.Step...) -> [String] {
            keys.map { key in
                let meant = way.count == 1 ? Spelling.hint(for: key, among: APS.keys) : ""
                return "\(JSONPath(way + [.member(key)])): unknown key, kept\(meant)"
            }
        }
        var warnings = unknown(aps.unknown.keys, in: "aps")
        if case .content(let alert) = aps.alert { warnings += unknown(alert.unknown.keys, in: "aps", "alert") }
        if case .critical(let sound) = aps.sound { warnings += unknown(sound.unknown.keys, in: "aps", "sound") }
        if case .content(let alert) = aps.alert {
            for (arguments, text) in alert.unusedArguments {
                warnings.append("aps.alert.\(arguments): has no effect without \(text)")
            }
        }
        warnings += aps.liveActivity.warnings
        for key in ["alert", "badge", "sound", "content-available", "mutable-content"] where custom[key] != nil {
            warnings.append("\(key): has no effect here; it belongs in aps")
        }
        return warnings
    }
}
