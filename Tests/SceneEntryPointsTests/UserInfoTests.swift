import SceneEntryPoints
import StrictJSON
import Testing

@Suite("User info")
struct UserInfoTests {
    @Test("types that JSON does not have are objects with one member")
    func readsPropertyListTypes() throws {
        let info = try UserInfo(
            object(
                """
                {"at":{"$date":"2024-02-29T23:59:59.123Z"},"raw":{"$data":""},"link":{"$url":"https://a.example"},\
                "set":{"$set":[{"$data":"AA=="}]},"plain":{"$date":"x","other":1},"n":1,"x":1.5,"none":null}
                """
            )
        )
        #expect(info["at"] == .date("2024-02-29T23:59:59.123Z"))
        #expect(info["raw"] == .data(""))
        #expect(info["link"] == .url("https://a.example"))
        #expect(info["set"] == .set([.data("AA==")]))
        #expect(info["plain"] == .dictionary(["$date": .string("x"), "other": .integer(1)]))
        #expect(info["n"] == .integer(1))
        #expect(info["x"] == .number(1.5))
        #expect(info["none"] == .null)
        #expect(info["absent"] == nil)
    }

    @Test("nests at most 64 levels", arguments: ["[", #"{"a":"#, #"{"$set":["#])
    func limitsDepth(opening: String) throws {
        func nested(_ levels: Int) throws -> JSONObject {
            let closing = opening.reversed().compactMap { ["[": "]", "{": "}"][String($0)] }.joined()
            let text = String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels)
            let value = try JSONValue(parsing: text, limits: JSONLimits(depth: 512))
            return ["a": value]
        }
        #expect(throws: Never.self) { try EntryEvent.widget(kind: "w", userInfo: nested(63)) }
        let error = #expect(throws: JSONFieldError.self) { try EntryEvent.widget(kind: "w", userInfo: nested(64)) }
        #expect(error?.description == "userInfo: expected at most 64 levels of nesting, found more")
    }

    @Test(
        "two keys that are one in Swift are refused, at every depth, and neither is lost",
        arguments: [
            #"{"\u00E9":1,"e\u0301":2}"#, #"{"a":{"e\u0301":2,"\u00E9":1}}"#, #"{"a":[{"$set":[{"K":1,"\u212A":2}]}]}"#,
        ]
    )
    func keys(text: String) throws {
        let error = #expect(throws: JSONFieldError.self) { try UserInfo(object(text)) }
        #expect(
            error?.expected.hasPrefix("a key that is another text than each before") == true,
            "\(String(describing: error))"
        )
        #expect(error?.path.description.hasPrefix("userInfo") == true)
    }
}
