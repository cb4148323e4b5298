/// The settings as a person reads them: a file to start from, and the manual page. Both from ``SettingKey`` alone.
enum SettingsText {
    /// The columns that text is wrapped to.
    private static let width = 100

    /// A configuration file in which everything is commented out and as it is anyway.
    static var sample: String {
        var lines = [
            "# scened's configuration; see scened.yaml(5). Everything here is as it is without this file.",
            "# Flags of scened and variables of its environment go before it.",
            "# 'scened --check-config' says whether it would do, 'scenectl status' what is in force.",
        ]
        var group = ""
        for key in SettingKey.allCases {
            let (outer, name) = split(key)
            if outer != group {
                lines += ["", "# \(outer):"]
                group = outer
            }
            let indent = outer.isEmpty ? "" : "  "
            lines.append("")
            lines += wrap(key.setting.help + " " + expectation(key), to: width - 4).map { "#\(indent) \($0)" }
            lines.append("#\(indent) \(name): \(key.setting.fallback?.yaml ?? "")".trimmingEnd)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// scened.yaml(5).
    static func manual(version: String) -> String {
        var lines = [
            ".TH SCENED.YAML 5 \"\" \"scened \(version)\"",
            ".SH NAME", "scened.yaml \\- configuration of the scened daemon",
            ".SH SYNOPSIS", ".I /etc/scened/scened.yaml",
            ".SH DESCRIPTION",
            "Read once when the daemon starts; another file can be named with",
            ".B \\-\\-config",
            "or",
            ".BR SCENED_CONFIG .",
            "A flag goes before a variable of the environment, a variable before the file, the file before the default.",
            "A key that is no setting is an error.",
            ".PP",
            "A dot in a name below nests in the file:",
            ".B limits.connections",
            "stands under",
            ".BR limits .",
            "In the environment it is",
            ".BR SCENED_LIMITS_CONNECTIONS ,",
            "on the command line",
            ".BR \"\\-\\-set limits.connections=100\" .",
            "Lists are written with commas there.",
            ".PP",
            ".B scened \\-\\-check\\-config",
            "says whether a configuration would do,",
            ".B scenectl status",
            "what is in force and where it came from.",
            ".SH SETTINGS",
        ]
        for key in SettingKey.allCases {
            lines += [
                ".TP", ".B \(escaped(key.rawValue))", escaped(key.setting.help),
                "Takes \(escaped(expectationOnly(key))).",
            ]
            if let fallback = key.setting.fallback { lines.append("Default: \(escaped(fallback.yaml)).") }
        }
        lines += [
            ".SH ROLES",
            "Root and the user that the daemon runs as may everything. Others may what the roles given to their user and",
            "groups allow, and nothing unless told; whoever may connect may read the interface descriptions.",
            "No role contains another. A user or group is named or numbered:",
            ".IR user:anna ,", ".IR group:staff ,", ".IR user:1000 .",
            ".SH EXAMPLE", ".EX", "app: /etc/scened/shop.yaml", "roles:",
            "  observe: [group:scened, user:monitor]", "  control: [group:testers]", "limits:", "  connections: 1000",
            ".EE",
            ".SH SEE ALSO", ".BR scened (8),", ".BR scenectl (1)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Everything that is in force, with where it came from, in columns.
    static func table(_ settings: Settings) -> String {
        let rows = SettingKey.allCases.map { ($0.rawValue, settings[$0]?.text ?? "", "\(settings.origin($0))") }
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        return rows.map { "\(padded($0.0, widths.0))  \(padded($0.1, widths.1))  \($0.2)" }.joined(separator: "\n")
    }

    private static func split(_ key: SettingKey) -> (group: String, name: String) {
        guard let dot = key.rawValue.firstIndex(of: ".") else { return ("", key.rawValue) }
        return (String(key.rawValue[..<dot]), String(key.rawValue[key.rawValue.index(after: dot)...]))
    }

    private static func expectation(_ key: SettingKey) -> String {
        "Takes \(expectationOnly(key))."
    }

    private static func expectationOnly(_ key: SettingKey) -> String {
        switch key.setting.kind {
        case .text(.version): "such numbers between dots"
        default: key.setting.expectation
        }
    }

    private static func wrap(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + word.count + 1 > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// As troff takes it literally.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = Substring(self)
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
