internal import ArgumentParser

/// Texts about the settings, made from ``SettingKey``: a configuration file to start from, the manual
/// page, the help of flags and a table.
enum SettingsText {
    /// How many columns text is wrapped to.
    private static let width = 100

    /// A configuration file with all settings at their defaults, commented out.
    static var sample: String {
        var lines = [
            "# scened's configuration; see scened.yaml(5). All settings below are commented out and show their defaults.",
            "# Flags of scened and environment variables override this file.",
            "# 'scened --check-config' checks it, 'scenectl status' shows what is in force.",
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
            lines += wrap("\(key.setting.help) Takes \(expectation(key)).", to: width - 4).map { "#\(indent) \($0)" }
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
            "The daemon reads this file once, when it starts. To use another file, set",
            ".B \\-\\-config",
            "or",
            ".BR SCENED_CONFIG .",
            "A flag overrides an environment variable, which overrides the file, which overrides the default.",
            "An unknown key is an error.",
            ".PP",
            "A dot in a name below means nesting in the file:",
            ".B limits.connections",
            "is under",
            ".BR limits .",
            "In the environment it is",
            ".BR SCENED_LIMITS_CONNECTIONS ,",
            "on the command line",
            ".BR \"\\-\\-set limits.connections=100\" .",
            "There the elements of a list are separated by commas.",
            ".PP",
            ".B scened \\-\\-check\\-config",
            "checks a configuration,",
            ".B scenectl status",
            "shows all settings in force and where each comes from.",
            ".SH SETTINGS",
        ]
        for key in SettingKey.allCases {
            lines += [
                ".TP", ".B \(escaped(key.rawValue))", escaped(key.setting.help),
                "Takes \(escaped(expectation(key))).",
            ]
            if let fallback = key.setting.fallback { lines.append("Default: \(escaped(fallback.yaml)).") }
        }
        lines += [
            ".SH ROLES",
            "Root and the user that the daemon runs as may do everything. Others may do what the roles given to their user and",
            "groups allow, and nothing else; everybody who can connect may read the interface descriptions.",
            "No role includes another, so list a user under each role that it is to have.",
            ".B scenectl status",
            "shows the roles of who calls it.",
            "A user or group is given by its name or number:",
            ".IR user:anna ,", ".IR group:staff ,", ".IR user:1000 .",
            ".SH EXAMPLE", ".EX", "app: /etc/scened/shop.yaml", "roles:",
            "  observe: [group:scened, user:monitor]", "  control: [group:testers]", "limits:", "  connections: 1000",
            ".EE",
            ".SH SEE ALSO", ".BR scened (8),", ".BR scenectl (1)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// A table of all settings: key, value and origin.
    static func table(_ settings: Settings) -> String {
        let rows = SettingKey.allCases.map { ($0.rawValue, settings[$0]?.text ?? "", "\(settings.origin($0))") }
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        return rows.map { "\(padded($0.0, widths.0))  \(padded($0.1, widths.1))  \($0.2)" }.joined(separator: "\n")
    }

    /// The help of the flag for a setting.
    static func help(_ key: SettingKey, _ valueName: String) -> ArgumentHelp {
        let fallback = key.setting.fallback.map { " Default: \($0.text)." } ?? ""
        return ArgumentHelp("\(key.setting.help) Takes \(expectation(key)).\(fallback)", valueName: valueName)
    }

    private static func split(_ key: SettingKey) -> (group: String, name: String) {
        guard let dot = key.rawValue.firstIndex(of: ".") else { return ("", key.rawValue) }
        return (String(key.rawValue[..<dot]), String(key.rawValue[key.rawValue.index(after: dot)...]))
    }

    private static func expectation(_ key: SettingKey) -> String {
        switch key.setting.kind {
        case .text(.version): "numbers separated by dots"
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

    /// The text with the characters escaped that troff would interpret.
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
