public import StrictJSON

/// The sound of a notification.
public enum APNsSound: Hashable, Sendable {
    /// A sound file of the app by its name, or `default`.
    case named(String)
    /// The dictionary form, for a critical alert.
    case critical(CriticalSound)

    init(_ reader: JSONReader) throws(JSONFieldError) {
        switch reader.value {
        case .string(let name): self = .named(name)
        case .object: self = .critical(try CriticalSound(reader))
        default: throw reader.mismatch("string or object")
        }
    }

    /// The sound in the form of `aps.sound`.
    var json: JSONValue {
        switch self {
        case .named(let name): .string(name)
        case .critical(let sound): .object(sound.json)
        }
    }
}

/// The dictionary form of a sound.
public struct CriticalSound: Hashable, Sendable {
    /// Whether the alert is critical.
    public var critical: Bool?
    /// The name of a sound file of the app, or `default`.
    public var name: String?
    /// The volume, from 0 (silent) to 1 (full).
    public var volume: Double?
    /// Members that Apple does not describe, as they came.
    public var unknown: JSONObject

    /// A sound of these parts.
    public init(critical: Bool? = nil, name: String? = nil, volume: Double? = nil, unknown: JSONObject = [:]) {
        self.critical = critical
        self.name = name
        self.volume = volume
        self.unknown = unknown
    }

    init(_ reader: JSONReader) throws(JSONFieldError) {
        critical = try reader.optional("critical")?.flag()
        name = try reader.optional("name")?.text()
        volume = try reader.optional("volume")?.number(from: 0, to: 1)
        unknown = [:]
        unknown = try reader.object().without(json)
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("critical", flag: critical)
        object.set("name", name)
        object.set("volume", number: volume)
        object.append(unknown)
        return object
    }
}
