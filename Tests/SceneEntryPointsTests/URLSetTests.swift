import SceneEntryPoints
import StrictJSON
import Testing

@Suite("A set of opened URLs")
struct URLSetTests {
    @Test("has an event for each URL, as given")
    func events() throws {
        let set = try URLSet(["a:2", "a:1"], sourceApplication: "com.example.mail")
        #expect(
            set.events.map(\.json) == [
                ["url": "a:2", "sourceApplication": "com.example.mail"],
                ["url": "a:1", "sourceApplication": "com.example.mail"],
            ]
        )
        #expect(try URLSet((1...32).map { "a:\($0)" }).events.count == 32)
        #expect(try URLSet(["a:1", "a:2"]) != URLSet(["a:2", "a:1"]), "the sender's numbers are others")
        // Texts are compared by their bytes.
        #expect(try URLSet(["a:\u{E9}", "a:e\u{301}"]).events.count == 2)
    }

    @Test(
        "says what is wrong with it, and where",
        arguments: [
            ([], nil, "urls: expected 2 to 32 URLs, found 0"), (["a:1"], nil, "urls: expected 2 to 32 URLs, found 1"),
            ((1...33).map { "a:\($0)" }, nil, "urls: expected 2 to 32 URLs, found 33"),
            (
                ["a:1", ""], nil,
                "urls[1]: expected absolute URL such as \"https://shop.example/cart\", found empty string"
            ),
            (
                ["cart", "a:1"], nil,
                "urls[0]: expected absolute URL such as \"https://shop.example/cart\", found \"cart\""
            ),
            (
                ["a:1", "HTTPS://shop.example/cart"], nil,
                "urls[1]: expected URL of a scheme of the app, because a web link comes alone, as a user activity, found \"HTTPS://shop.example/cart\""
            ),
            (
                ["a:1", "a:2", "a:1"], nil,
                "urls[2]: expected URL that is not in the set yet, found the same as urls[0]"
            ),
            (["a:1", "a:2"], "", "sourceApplication: expected non-empty string, found empty string"),
        ] as [([String], String?, String)]
    )
    func wrong(urls: [String], source: String?, message: String) {
        do {
            _ = try URLSet(urls, sourceApplication: source)
            Issue.record("taken")
        } catch {
            #expect(error.description == message)
        }
    }
}
