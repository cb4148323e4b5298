internal import Configuration
internal import Glibc
internal import Basics
internal import SceneManifest
internal import SceneRouting
internal import SystemPackage

/// Reads the settings. Flags override the environment, which overrides the file, which overrides the defaults.
struct SettingsReader: Sendable {
    /// A value from the command line.
    struct Flag: Sendable {
        /// The flag as written, for messages.
        let name: String
        let key: String
        let text: String
    }

    static let usualFile = "/etc/scened/scened.yaml"
    /// Variables with the prefix of settings that are none: the path of the file, and one that scenectl sets.
    private static let otherVariables: Set<String> = ["SCENED_CONFIG", "SCENED_HOLD"]

    var flags: [Flag] = []
    var environment: [String: String] = [:]
    /// The path of the file; `nil` for `SCENED_CONFIG`, or else the usual file, which may be missing.
    var file: String?

    /// - Throws: ``SettingProblems`` with everything that is wrong.
    func read() async throws(SettingProblems) -> Settings {
        var problems: [String] = []
        let file = try await SettingsFile.read(file ?? named, usual: Self.usualFile, problems: &problems)
        let flagValues = flagValues(&problems)
        let environment = environment.filter { !$0.value.isEmpty }

        let last = LastAccess()
        let variables = EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "scened")
        let providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: flagValues.mapValues(\.value)), variables, file.provider,
        ]
        let reader = ConfigReader(providers: providers, accessReporter: last)
        var entries: [SettingKey: Settings.Entry] = [:]
        var names: [String] = []
        for key in SettingKey.allCases {
            let absolute = AbsoluteConfigKey(ConfigKey(key.rawValue))
            let variable = (try? variables.value(forKey: absolute, type: .string))?.encodedKey ?? ""
            names.append(variable)
            let (value, provider, failed) = last.look(up: key, in: reader)
            let origin: SettingOrigin =
                switch provider {
                case 0: .flag(flagValues[absolute]?.flag ?? "")
                case 1: .environment(variable)
                default:
                    file.places[key.rawValue].map { .file(file.path, line: $0.line, column: $0.column) } ?? .fallback
                }
            let problem = failed ? "the value has the wrong type" : value.flatMap { key.setting.problem(with: $0) }
            if let problem {
                problems.append(
                    "\(origin): \(key.rawValue): \(problem); expected \(key.setting.expectation)\(key.setting.hint(for: value))"
                )
            }
            entries[key] = Settings.Entry(
                value: value ?? key.setting.fallback,
                origin: value == nil ? .fallback : origin
            )
        }
        guard problems.isEmpty else { throw SettingProblems(lines: problems) }
        return Settings(entries: entries, unknownVariables: unknownVariables(in: environment, known: names))
    }

    private var named: String? {
        environment["SCENED_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private struct FlagValue {
        let flag: String
        let value: ConfigValue
    }

    private func flagValues(_ problems: inout [String]) -> [AbsoluteConfigKey: FlagValue] {
        var values: [AbsoluteConfigKey: FlagValue] = [:]
        for flag in flags {
            guard let key = SettingKey(rawValue: flag.key) else {
                problems.append("\(flag.name): " + Self.unknown(flag.key, among: SettingKey.allCases.map(\.rawValue)))
                continue
            }
            let content: ConfigContent
            switch key.setting.kind {
            case .text, .choice: content = .string(flag.text)
            case .principals:
                content = .stringArray(flag.text.split(separator: ",").map { String($0.trimmed) })
            case .integer:
                guard let number = Int(flag.text) else {
                    problems.append(
                        "\(flag.name): \(flag.key): '\(flag.text)' is not a number; expected \(key.setting.expectation)"
                    )
                    continue
                }
                content = .int(number)
            }
            values[AbsoluteConfigKey(ConfigKey(flag.key))] = FlagValue(
                flag: flag.name,
                value: ConfigValue(content, isSecret: false)
            )
        }
        return values
    }

    /// A message about each unknown variable.
    private func unknownVariables(in environment: [String: String], known: [String]) -> [String] {
        environment.keys.sorted().filter {
            $0.hasPrefix("SCENED_") && !known.contains($0) && !Self.otherVariables.contains($0)
        }.map { Self.unknown($0, among: known) }
    }

    static func unknown(_ name: String, among names: [String]) -> String {
        "there is no setting '\(name)'" + Spelling.hint(for: name, among: names)
    }
}

/// Remembers how the last value was found, because the reader returns `nil` for missing and for malformed values alike.
private final class LastAccess: AccessReporter {
    private let event = Guarded<AccessEvent?>(nil)

    func report(_ event: AccessEvent) {
        self.event.withLock { $0 = event }
    }

    /// - Returns: the value, the number of the provider that has one, and whether its value has the wrong type.
    func look(up key: SettingKey, in reader: ConfigReader) -> (SettingValue?, provider: Int, failed: Bool) {
        let name = ConfigKey(key.rawValue)
        let value: SettingValue? =
            switch key.setting.kind {
            case .text, .choice: reader.string(forKey: name).map { .text($0) }
            case .integer: reader.int(forKey: name).map { .integer($0) }
            case .principals: reader.stringArray(forKey: name).map { .list($0) }
            }
        guard let event = event.withLock({ $0 }) else { return (value, 0, false) }
        // The reader treats a value that it cannot read as missing; the provider's result shows the difference.
        let failed =
            switch event.providerResults.last?.result {
            case .success, nil: false
            case .failure: true
            }
        return (value, event.providerResults.count - 1, failed)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// The environment variables, read once before there are other threads.
enum Variables {
    static let all: [String: String] = {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let sign = text.firstIndex(of: "=") {
                variables[String(text[..<sign])] = String(text[text.index(after: sign)...])
            }
            next += 1
        }
        return variables
    }()
}
