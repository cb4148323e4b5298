/// The identity of a metric: its name and its labels, sorted.
struct MetricKey: Hashable, Comparable {
    let name: String
    let labels: [Label]

    struct Label: Hashable, Comparable {
        let name: String
        let value: String

        static func < (one: Label, other: Label) -> Bool { (one.name, one.value) < (other.name, other.value) }
    }

    init(_ name: String, _ dimensions: [(String, String)]) {
        self.name = Self.sanitized(name)
        labels = dimensions.map { Label(name: Self.sanitized($0.0), value: $0.1) }.sorted()
    }

    static func < (one: MetricKey, other: MetricKey) -> Bool {
        one.name != other.name ? one.name < other.name : one.labels.lexicographicallyPrecedes(other.labels)
    }

    /// The name and labels of a sample, as in OpenMetrics text.
    func sample(_ suffix: String = "") -> String {
        guard !labels.isEmpty else { return name + suffix }
        let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        return "\(name)\(suffix){\(list)}"
    }

    private static func sanitized(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value {
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
        return text
    }
}
