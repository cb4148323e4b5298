import Foundation
import SceneService
import SceneState
import TestFixtures
import Testing

@testable import SceneDaemon

@Suite("Reading the configuration")
struct SettingsReaderTests {
    private func read(
        _ file: String? = nil,
        environment: [String: String] = [:],
        flags: [(String, String)] = []
    ) async throws -> Settings {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/scened.yaml"
        if let file { try file.write(toFile: path, atomically: true, encoding: .utf8) }
        let reader = SettingsReader(
            flags: flags.map { SettingsReader.Flag(name: "--set", key: $0.0, text: $0.1) },
            environment: environment,
            file: file == nil ? nil : path
        )
        do {
            return try await reader.read()
        } catch {
            // Without the path of the temporary directory.
            throw SettingProblems(lines: error.lines.map { $0.replacing(directory.path + "/", with: "") })
        }
    }

    private func problems(
        _ file: String? = nil,
        environment: [String: String] = [:],
        flags: [(String, String)] = []
    ) async throws -> [String] {
        do {
            _ = try await read(file, environment: environment, flags: flags)
            return []
        } catch let error as SettingProblems {
            return error.lines
        }
    }

    @Test(
        "a key that is misspelt by one letter is answered with the right one and its place",
        arguments: SettingKey.allCases
    )
    func spelling(key: SettingKey) async throws {
        let all = SettingKey.allCases.map(\.rawValue)
        let parts = key.rawValue.split(separator: ".").map(String.init)
        let name = parts[parts.count - 1]
        for slip in Misspelling.all(of: name) {
            let whole = (parts.dropLast() + [slip]).joined(separator: ".")
            guard !all.contains(whole) else { continue }
            let flag = try await problems(flags: [(whole, "1")]).first ?? "none"
            let file =
                try await problems(parts.count > 1 ? "\(parts[0]):\n  \(slip): 1\n" : "\(slip): 1\n").first ?? "none"
            let meant = all.filter { $0 == key.rawValue || Misspelling.areOneApart($0, whole) }.map {
                "did you mean '\($0)'?"
            }
            #expect(
                flag.hasPrefix("--set: there is no setting '\(whole)'; ") && meant.contains { flag.hasSuffix($0) },
                "\(flag)"
            )
            let place = parts.count > 1 ? "2:3" : "1:1"
            #expect(
                file.hasPrefix("scened.yaml:\(place): there is no setting '\(whole)'; ")
                    && meant.contains { file.hasSuffix($0) },
                "\(file)"
            )
        }
    }

    @Test("a flag overrides a variable, which overrides the file, which overrides the default")
    func precedence() async throws {
        let file = "mailbox: 1\ntransition: 1\nlimits:\n  connections: 1\n  nesting: 10\n"
        let variables = ["SCENED_MAILBOX": "2", "SCENED_LIMITS_CONNECTIONS": "2", "SCENED_TRANSITION": "2"]
        let settings = try await read(file, environment: variables, flags: [("mailbox", "3")])
        #expect(settings.integer(.mailbox) == 3)
        #expect(settings.origin(.mailbox) == .flag("--set"))
        #expect(settings.integer(.limitsConnections) == 2)
        #expect(settings.origin(.limitsConnections) == .environment("SCENED_LIMITS_CONNECTIONS"))
        #expect(settings.integer(.limitsNesting) == 10)
        #expect("\(settings.origin(.limitsNesting))".hasSuffix("/scened.yaml:5:3"))
        #expect(settings.integer(.limitsMessage) == 1 << 20)
        #expect(settings.origin(.limitsMessage) == .fallback)
    }

    @Test(
        "a date in the file needs no quotes",
        arguments: ["2026-11-27T08:00Z", "2026-11-27", "2026-11-27T08:00:00Z", "\"2026-11-27\""]
    )
    func date(text: String) async throws {
        let settings = try await read("clock: virtual\nstart: \(text)\n")
        #expect(settings.text(.start) == text.replacing("\"", with: ""))
        await #expect(throws: SettingProblems.self) { try await read("start: tomorrow\n") }
    }

    @Test("every setting can be set in the file, by a variable and by a flag", arguments: SettingKey.allCases)
    func everywhere(key: SettingKey) async throws {
        let value: SettingValue =
            switch key.setting.kind {
            case .text(.path): .text("/some/where")
            case .text(.version): .text("2.3")
            case .text(.date): .text("2026-11-27T08:00Z")
            case .choice(let words): .text(words[words.count - 1])
            case .integer(let range, _): .integer(range.lowerBound)
            case .principals: .list(["user:0", "group:7"])
            }
        let parts = key.rawValue.split(separator: ".")
        let file = parts.count == 1 ? "\(parts[0]): \(value.yaml)\n" : "\(parts[0]):\n  \(parts[1]): \(value.yaml)\n"
        let variable =
            "SCENED_"
            + key.rawValue.map { $0 == "." ? "_" : $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
        #expect(try await read(file)[key] == value)
        #expect(try await read(environment: [variable: value.text])[key] == value)
        #expect(try await read(flags: [(key.rawValue, value.text)])[key] == value)
        #expect(key.setting.fallback.map { key.setting.problem(with: $0) == nil } ?? true, "the default is valid")
    }

    @Test(
        "a problem names its place and what is expected",
        arguments: [
            ("mailbx: 3", "scened.yaml:1:1: there is no setting 'mailbx'; did you mean 'mailbox'?"),
            (
                "limits:\n  conections: 3",
                "scened.yaml:2:3: there is no setting 'limits.conections'; did you mean 'limits.connections'?"
            ),
            ("limit:\n  x: 3", "scened.yaml:1:1: there is no setting 'limit'; did you mean 'limits'?"),
            ("mailbox: 0", "scened.yaml:1:1: mailbox: 0 is too small; expected 1 to 1000000"),
            (
                "limits:\n  nesting: many",
                "scened.yaml:2:3: limits.nesting: the value has the wrong type; expected 8 to 512"
            ),
            ("log: printer", "scened.yaml:1:1: log: 'printer' is unknown; expected auto, journal or text"),
            (
                "roles:\n  observe: [anna]",
                "scened.yaml:2:3: roles.observe: 'anna' is neither user:NAME nor group:NAME; expected a list of user:NAME and group:NAME"
            ),
            (
                "roles:\n  observe: user:anna",
                "scened.yaml:2:3: roles.observe: the value has the wrong type; expected a list of user:NAME and group:NAME"
            ),
            ("limits: 3", "scened.yaml:1:1: limits: found a number, expected settings below it"),
            ("mailbox: {x: 3}", "scened.yaml:1:1: mailbox: this setting takes no settings below it"),
            ("mailbox:", "scened.yaml:1:1: mailbox: the value is missing"),
            ("- mailbox", "scened.yaml:1:1: found a list, expected settings"),
            (
                "mailbox: [1",
                "scened.yaml:2:1: a list or mapping in brackets is not closed; expected ',' or the closing bracket"
            ),
            ("mailbox: 1\nmailbox: 2", "scened.yaml:2:1: the key 'mailbox' appears twice; expected each key once"),
        ]
    )
    func problems(file: String, problem: String) async throws {
        #expect(try await problems(file).first == problem)
    }

    @Test("all problems from all sources are reported at once")
    func allProblems() async throws {
        let problems = try await problems(
            "mailbox: 0\nmailbx: 3\n",
            environment: ["SCENED_TRANSITION": "soon"],
            flags: [("limits.stall", "x"), ("foo", "1")]
        )
        #expect(problems.count == 5, "\(problems)")
        #expect(problems.contains("--set: there is no setting 'foo'"))
        #expect(
            problems.contains(
                "SCENED_TRANSITION: transition: the value has the wrong type; expected 0 to 60000 milliseconds"
            )
        )
    }

    @Test("a variable that looks like a setting is a warning, because it may come from anywhere")
    func strangers() async throws {
        let settings = try await read(environment: ["SCENED_MAILBX": "3", "SCENED_CONFIG": "", "SCENEDX": "1"])
        #expect(
            settings.warnings.map(\.description)
                == ["there is no setting 'SCENED_MAILBX'; did you mean 'SCENED_MAILBOX'?"]
        )
    }

    @Test(
        "who grants inject and says nothing of act is warned",
        arguments: [
            ("roles:\n  inject: [user:0]\n", true), ("roles: {inject: [user:0], act: []}", false),
            ("roles: {inject: [user:0], act: [user:0]}", false), ("roles: {inject: []}", false),
            ("roles: {mutate: [user:0]}", false), ("mailbox: 3", false),
        ]
    )
    func actUnset(file: String, isWarned: Bool) async throws {
        let warnings = try await read(file).warnings
        #expect(warnings.count == (isWarned ? 1 : 0))
        guard isWarned else { return }
        #expect(
            warnings.first?.description.contains("/scened.yaml:2:3: roles.inject is set and roles.act is not") == true
        )
        let variable = try await read(environment: ["SCENED_ROLES_INJECT": "user:0"]).warnings
        #expect(variable.first?.description.hasPrefix("SCENED_ROLES_INJECT: roles.inject is set") == true)
    }

    @Test("every role has its setting, and the settings stand in the roles' order")
    func roles() {
        #expect(SettingKey.allCases.compactMap(\.role) == Role.allCases)
        #expect(Role.allCases.filter(\.isUsual) == Array(Role.allCases.prefix(4)))
    }

    @Test("a file that was named, by flag or variable, and does not exist is an error")
    func missingFile() async throws {
        await #expect(throws: SettingProblems.self) { try await SettingsReader(file: "/nonexistent/x").read() }
        await #expect(throws: SettingProblems.self) {
            try await SettingsReader(environment: ["SCENED_CONFIG": "/nonexistent/x"]).read()
        }
    }

    @Test("the printed file changes nothing, and with its settings uncommented it sets the defaults")
    func sample() async throws {
        let sample = SettingsText.sample
        #expect(try await read(sample).entries.values.allSatisfy { $0.origin == .fallback })
        let names = SettingKey.allCases.flatMap { $0.rawValue.split(separator: ".").map(String.init) }
        // Only the lines with settings that have a default.
        let uncommented = sample.split(separator: "\n").map { $0.dropFirst(2) }.filter { line in
            let text = line.drop { $0 == " " }
            return names.contains { text.hasPrefix("\($0):") } && (!line.hasSuffix(":") || !line.contains(" "))
                && !["socket:", "app:", "appVersion:", "state:", "investigate:", "eventLoops:", "start:"].contains(
                    String(text)
                )
        }.joined(separator: "\n")
        let settings = try await read(uncommented + "\n")
        for key in SettingKey.allCases {
            #expect(settings[key] == key.setting.fallback)
            #expect((settings.origin(key) == .fallback) == (key.setting.fallback == nil), "\(key.rawValue)")
        }
    }

    @Test("the manual page has every setting", arguments: SettingKey.allCases)
    func manual(key: SettingKey) {
        #expect(SettingsText.manual(version: "1").contains(".B \(key.rawValue)\n"))
    }

    @Test("as much is kept of what has ended as the settings say")
    func retention() async throws {
        let usual = try DaemonConfiguration(try await read())
        #expect(usual.retention == StateRetention())
        let set = try DaemonConfiguration(
            try await read("retainedRecords: 5000\nkeptRecordBytes: 2000000\nretainedEvents: 7")
        )
        #expect(set.retention == StateRetention(events: 7, records: 5_000, recordBytes: 2_000_000))
    }

    @Test("users and groups that do not exist are an error if they were named, but not by default")
    func principals() async throws {
        let usual = try DaemonConfiguration(try await read())
        #expect(usual.inForce(usual.limits).count == SettingKey.allCases.count)
        let named = try await read("roles: {inject: [\"group:no-such-group\", user:0]}")
        #expect(throws: SettingProblems.self) { try DaemonConfiguration(named) }
        #expect(Principal("user:root")?.number == 0)
        #expect(Principal("group:root")?.number == 0)
        #expect(Principal("user:12345")?.number == 12_345)
        #expect(Principal("user:")?.number == nil && Principal("root") == nil)
    }
}
