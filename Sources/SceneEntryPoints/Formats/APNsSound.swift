public import StrictJSON

/// The sound of a notification: the name of a file, or for a critical alert a name with its volume.
public enum APNsSound: Hashable, Sendable {
    /// The name of a sound file of the app, or `default`.
    case named(String)
    case critical(CriticalSound)

    init(_ reader: JSONReader) throws(JSONFieldError) {
        switch reader.value {
        case .string(let name): self = .named(name)
        case .object: self = .critical(try CriticalSound(reader))
        default: throw reader.mismatch("string or object")
        }
    }

    /// The sound as `aps.sound` writes it.
    public var json: JSONValue {
        switch self {
        case .named(let name): .string(name)
        case .critical(let sound): .object(sound.json)
        }
    }
}

/// The dictionary form of a sound.
public struct CriticalSound: Hashable, Sendable {
    public var critical: Bool?
    public var name: String?
    /// From 0 (silent) to 1 (full).
    public var volume: Double?
    /// Members nobody knows, as they came.
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

    /// The sound as `aps.sound` writes it.
    public var json: JSONObject {
        var object = JSONObject()
        object.set("critical", flag: critical)
        object.set("name", name)
        object.set("volume", number: volume)
        object.append(unknown)
        return object
    }
}
