/// All settings as they are in force.
struct Settings: Sendable {
    struct Entry: Sendable {
        let value: SettingValue?
        let origin: SettingOrigin
    }

    /// One for each key.
    let entries: [SettingKey: Entry]
    /// What is odd and no error: unknown variables of the environment that look like settings.
    let warnings: [String]

    subscript(key: SettingKey) -> SettingValue? { entries[key]?.value ?? key.setting.fallback }

    func text(_ key: SettingKey) -> String? {
        if case .text(let text) = self[key] { text } else { nil }
    }

    func integer(_ key: SettingKey) -> Int? {
        if case .integer(let number) = self[key] { number } else { nil }
    }

    func list(_ key: SettingKey) -> [String] {
        if case .list(let list) = self[key] { list } else { [] }
    }

    func origin(_ key: SettingKey) -> SettingOrigin { entries[key]?.origin ?? .fallback }
}
