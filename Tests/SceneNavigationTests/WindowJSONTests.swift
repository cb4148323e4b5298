import SceneNavigation
import SceneRouting
import Basics
import StrictJSON
import Testing

@Suite("A window can be written as JSON and read")
struct WindowJSONTests {
    @Test("what is written can be read again", arguments: 0..<200)
    func roundTrip(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let window = randomWindow(using: &random)
        #expect(try WindowState(json: window.json) == window)
        let text = window.json.text()
        #expect(try WindowState(json: JSONValue(parsing: text)) == window)
    }

    @Test("the wire's window can be read, in transition or not, with absent and null members as the wire has them")
    func readsWire() throws {
        let text = """
            {"tabs": [{"id": "home", "stack": [{"id": "home"}, {"id": "product", "parameters": {"id": "p1"}}]}],
             "selectedTab": "home", "transitioning": true,
             "modals": [{"style": "sheet", "stack": [{"id": "note", "parameters": {}}]},
                        {"flow": null, "style": "alert", "stack": [{"id": "sure"}]},
                        {"flow": "auth", "style": "fullScreen", "stack": [{"id": "login"}]}]}
            """
        let window = try WindowState(json: JSONValue(parsing: text))
        #expect(window.selectedStack == places(["home", "product:p1"]))
        #expect(window.modals.map(\.flow) == [nil, nil, "auth"])
        #expect(window.modals.map(\.style) == [.sheet, .alert, .fullScreen])
    }

    @Test(
        "JSON that is not a window is refused, with the place",
        arguments: [
            ("[]", "", "object"),
            ("{}", "tabs", "array"),
            (#"{"tabs": [], "selectedTab": "a", "modals": []}"#, "tabs", "at least one element"),
            (#"{"tabs": [1], "selectedTab": "a", "modals": []}"#, "tabs[0]", "object"),
            (
                #"{"tabs": [{"id": "", "stack": [{"id": "a"}]}], "selectedTab": "a", "modals": []}"#, "tabs[0].id",
                "non-empty string"
            ),
            (#"{"tabs": [{"id": "a"}], "selectedTab": "a", "modals": []}"#, "tabs[0].stack", "array"),
            (
                #"{"tabs": [{"id": "a", "stack": []}], "selectedTab": "a", "modals": []}"#, "tabs[0].stack",
                "at least one element"
            ),
            (
                #"{"tabs": [{"id": "a", "stack": [{"id": 1}]}], "selectedTab": "a", "modals": []}"#,
                "tabs[0].stack[0].id", "string"
            ),
            (
                #"{"tabs": [{"id": "a", "stack": [{"id": "a", "parameters": {"id": 1}}]}], "selectedTab": "a", "modals": []}"#,
                "tabs[0].stack[0].parameters.id", "string"
            ),
            (
                #"{"tabs": [{"id": "a", "stack": [{"id": "a"}]}], "selectedTab": "b", "modals": []}"#, "selectedTab",
                "one of \"a\""
            ),
            (#"{"tabs": [{"id": "a", "stack": [{"id": "a"}]}], "selectedTab": "a"}"#, "modals", "array"),
            (
                #"{"tabs": [{"id": "a", "stack": [{"id": "a"}]}, {"id": "a", "stack": [{"id": "a"}]}], "selectedTab": "a", "modals": []}"#,
                "tabs", "each tab once"
            ),
            (
                #"{"tabs": [{"id": "a", "stack": [{"id": "a"}]}], "selectedTab": "a", "modals": [{"style": "push", "stack": [{"id": "b"}]}]}"#,
                "modals[0].style", "one of \"sheet\", \"fullScreen\", \"popover\", \"alert\""
            ),
            (
                #"{"tabs": [{"id": "a", "stack": [{"id": "a"}]}], "selectedTab": "a", "modals": [{"style": "sheet", "stack": []}]}"#,
                "modals[0].stack", "at least one element"
            ),
            (
                #"{"tabs": [{"id": "a", "stack": [{"id": "a"}]}], "selectedTab": "a", "modals": [], "scroll": 3}"#,
                "scroll",
                "one of the members"
            ),
            (
                #"{"tabs": [{"id": "a", "stack": [{"id": "a"}]}], "selectedTab": "a", "modals": [], "transitioning": 1}"#,
                "transitioning", "boolean"
            ),
        ]
    )
    func refuses(text: String, path: String, expected: String) throws {
        let json = try JSONValue(parsing: text)
        let error = #expect(throws: JSONFieldError.self) { try WindowState(json: json) }
        #expect(error?.path.description == path)
        #expect(error?.expected.contains(expected) == true, "\(String(describing: error))")
    }

    @Test("whose a window is is read as it was written")
    func owner() throws {
        for owner in [WindowOwner(host: "h", user: nil, epoch: 0), WindowOwner(host: "h", user: "anna", epoch: 7)] {
            #expect(try WindowOwner(json: JSONText.value { owner.write(to: &$0) }) == owner)
        }
    }

    @Test(
        "an owner that is none is refused with its place",
        arguments: [
            (#"{"host": "h"}"#, "epoch", "integer"), (#"{"host": "h", "epoch": -1}"#, "epoch", "0"),
            (#"{"epoch": 0}"#, "host", "string"), (#"{"host": "a b", "epoch": 0}"#, "host", "ASCII"),
            (#"{"host": "h", "epoch": 0, "user": ""}"#, "user", ""), (#""anna""#, "", "object"),
            (#"{"host": "h", "epoch": 0, "name": "anna"}"#, "name", "one of the members"),
        ]
    )
    func refusesOwner(text: String, path: String, expected: String) throws {
        let json = try JSONValue(parsing: text)
        let error = #expect(throws: JSONFieldError.self) { try WindowOwner(json: json) }
        #expect(error?.path.description == path)
        #expect(error?.expected.contains(expected) == true, "\(String(describing: error))")
    }
}
