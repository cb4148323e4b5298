import Systemd
import Testing

@Suite("Journal field names")
struct JournalFieldNameTests {
    @Test(
        "names that journald accepts are accepted",
        arguments: ["MESSAGE", "A", "SCENED_SCENE", "X1_2", "_PID", String(repeating: "A", count: 64)]
    )
    func valid(text: String) throws {
        #expect(try JournalFieldName(text).text == text)
    }

    @Test(
        "names that journald would silently drop are refused, with the reason",
        arguments: [
            ("", "empty"), ("scene", "lower-case letter 's'"), ("SCENEd", "lower-case letter 'd'"),
            ("1ST", "digit"), ("A-B", "only A-Z"), ("A B", "only A-Z"), ("A=B", "only A-Z"), ("Ä", "only A-Z"),
            ("A\n", "only A-Z"), ("A\0", "only A-Z"), (String(repeating: "A", count: 65), "longer than 64"),
        ]
    )
    func invalid(text: String, reason: String) {
        let error = #expect(throws: JournalFieldError.self) { try JournalFieldName(text) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test(
        "a metadata key becomes an upper-case field behind the prefix",
        arguments: [
            ("scene", "SCENED_SCENE"), ("sceneID", "SCENED_SCENE_ID"), ("scene-id", "SCENED_SCENE_ID"),
            ("http.request--id", "SCENED_HTTP_REQUEST_ID"), ("2nd", "SCENED_2ND"), ("_x", "SCENED_X"),
            ("", "SCENED_FIELD"), ("é", "SCENED_FIELD"), ("naïve", "SCENED_NA_VE"), ("URL", "SCENED_URL"),
            ("a=b\nc", "SCENED_A_B_C"),
        ]
    )
    func mapsKeys(key: String, name: String) {
        #expect(JournalFieldName(metadataKey: key, prefix: .scenedPrefix).text == name)
    }

    @Test("the field's name is valid for any metadata key")
    func mappingIsTotal() throws {
        let alphabet: [Character] = ["a", "Z", "0", "_", "-", " ", "é", "\n", "=", "\0", "😀"]
        var state: UInt64 = 7
        func next(below bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        for _ in 0..<2000 {
            let key = String((0..<next(below: 90)).map { _ in alphabet[next(below: UInt64(alphabet.count))] })
            let name = JournalFieldName(metadataKey: key, prefix: .scenedPrefix)
            #expect(throws: Never.self, "\(key.debugDescription)") { try JournalFieldName(name.text) }
        }
    }
}
