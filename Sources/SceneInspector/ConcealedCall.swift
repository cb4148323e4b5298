internal import SceneClient
internal import SceneRouting
internal import StrictJSON

/// A call of a page as it may be shown: with placeholders for what is secret, as the daemon has recorded it (<doc:/SceneRuntime/Secrets>).
/// What the daemon does not say of it nobody else can say.
struct ConcealedCall {
    private let method: String
    private let parameters: JSONObject
    /// The number of the call that was recorded last before this one; `nil` if the daemon does not tell it.
    private let place: Int?

    /// Members that name things of the app and of scened, of which the daemon conceals none.
    private static let names: Set<String> = [
        "scene", "event", "wait", "order", "name", "from", "flow", "result", "tab", "action", "gesture", "activation",
        "configuration", "owner",
    ]

    /// Before the call is made. `nil` if there is nothing in it that could be secret.
    init?(_ method: String, _ parameters: JSONObject, by client: SceneClient) async {
        let isOfScened = ["Control.", "Manager."].contains { method.hasPrefix("io.scened.\($0)") }
        let mayHide = parameters.contains { name, value in
            switch value {
            case .null, .bool: false
            case .integer, .number, .string, .array, .object: !Self.names.contains(name)
            }
        }
        guard !isOfScened, mayHide else { return nil }
        self.method = method
        self.parameters = parameters
        // Nothing comes after that; the daemon says where it is.
        place = try? await client.call("io.scened.Recording.Read", ["after": .integer(.max), "limit": 1])["next"]?
            .integerValue
    }

    /// Its parameters, once it is answered; `nil` if nobody knows what in them is secret: what was refused may be anything.
    func shown(by client: SceneClient) async -> JSONObject? {
        guard var place else { return nil }
        while let page = try? await client.call("io.scened.Recording.Read", ["after": .integer(place)]) {
            for input in page["inputs"]?.arrayValue ?? [] where input["method"]?.stringValue == method {
                guard let recorded = input["parameters"]?.objectValue, !recorded.isEmpty else { continue }
                // Others may have made the same call meanwhile.
                if Self.shows(.object(recorded), .object(parameters)) { return recorded }
            }
            guard let next = page["next"]?.integerValue, next > place else { return nil }
            place = next
        }
        return nil
    }

    /// Whether a value is another one but for its placeholders.
    static func shows(_ recorded: JSONValue, _ given: JSONValue) -> Bool {
        switch (recorded, given) {
        case (.string(let text), .string(let other)): return shows(text, other)
        // Adapters read a number as text.
        case (.string(let text), .integer), (.string(let text), .number): return shows(text, given.text())
        case (.array(let values), .array(let others)):
            return values.count == others.count && zip(values, others).allSatisfy { shows($0, $1) }
        case (.object(let object), .object(let other)):
            return object.count == other.count
                && other.allSatisfy { name, value in
                    if let same = object[name] { return shows(same, value) }
                    return object.contains { shows($0.key, name) && shows($0.value, value) }
                }
        default: return recorded == given
        }
    }

    private static func shows(_ recorded: String, _ given: String) -> Bool {
        let placeholders = SecretPlaceholder.all(in: recorded)
        guard let last = placeholders.last else { return recorded == given }
        var rest = given.utf8[...]
        var end = recorded.utf8.startIndex
        for placeholder in placeholders {
            let piece = recorded.utf8[end..<placeholder.startIndex]
            if end == recorded.utf8.startIndex {
                guard rest.starts(with: piece) else { return false }
                rest = rest.dropFirst(piece.count)
            } else {
                guard let found = place(of: piece, in: rest) else { return false }
                rest = found
            }
            end = placeholder.endIndex
        }
        let ending = recorded.utf8[last.endIndex...]
        return rest.count >= ending.count && rest.suffix(ending.count).elementsEqual(ending)
    }

    /// What comes after the first place of a piece.
    private static func place(
        of piece: Substring.UTF8View,
        in text: Substring.UTF8View
    ) -> Substring.UTF8View? {
        var text = text
        while text.count >= piece.count {
            if text.starts(with: piece) { return text.dropFirst(piece.count) }
            text = text.dropFirst()
        }
        return nil
    }
}

extension JSONValue {
    /// Whether a manifest calls something secret.
    var hasSecrets: Bool {
        switch self {
        case .object(let object): object["secret"] == true || object.contains { $0.value.hasSecrets }
        case .array(let values): values.contains(where: \.hasSecrets)
        case .null, .bool, .integer, .number, .string: false
        }
    }
}
