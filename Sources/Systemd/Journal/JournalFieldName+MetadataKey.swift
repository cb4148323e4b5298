extension JournalFieldName {
    /// The field a metadata key is written to: the prefix, then the key in upper case with one `_` for every run of
    /// other characters and between words (`scene` → `SCENED_SCENE`, `sceneID` and `scene-id` → `SCENED_SCENE_ID`).
    ///
    /// Total over all keys: what is too long is cut, a key without any letter or digit becomes `FIELD`. Two keys may
    /// share a field, which then has two values, as the journal allows.
    package init(metadataKey key: String, prefix: JournalFieldName) {
        var name = Array(prefix.text.utf8)
        let start = name.count
        var previous = UInt8(ascii: "_")
        for byte in key.utf8 {
            let next: UInt8
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): next = byte - 32
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(previous) { name.append(UInt8(ascii: "_")) }
                next = byte
            case UInt8(ascii: "0")...UInt8(ascii: "9"): next = byte
            default: next = UInt8(ascii: "_")
            }
            let isSeparator = next == UInt8(ascii: "_")
            if !isSeparator || (name.count > start && name.last != next) { name.append(next) }
            previous = byte
        }
        if name.count == start { name += Array("FIELD".utf8) }
        self.init(unchecked: String(decoding: name.prefix(Self.maximumLength), as: UTF8.self))
    }
}
