import Basics
import SceneNavigation
import SceneRouting
import Testing

/// Windows and destinations in the notation that people write and read.
@Suite("The notation of windows")
struct WindowNotationTests {
    // MARK: - Round trips

    /// Names and values, most of which have signs of the notation.
    private static let texts = [
        "home", "a", "auth", "gone", "disconnected", "sheet", "alert", "a›b", "a>b", "a b", " a", "a ", "", "a(b)",
        "a[b]", "a:b",
        "*a", "a|b", "a+b", "a,b", "\"", "\\", "a\"b\\", "a\nb", "\u{1B}[0m", "\u{2028}", "é", "🏠", "a\u{301}",
        "\u{301}", "x: y",
        "https://shop.example/p?q=1&r=2#f", "\u{0}", "null", "\\u{41}", "{}", "#",
    ]

    private static func destination(_ random: inout SplitMix) -> Destination {
        let count = [0, 0, 1, 1, 2, 3][Int.random(in: 0..<6, using: &random)]
        let parameters = (0..<count).map { _ in
            (texts.randomElement(using: &random) ?? "", texts.randomElement(using: &random) ?? "")
        }
        return Destination(
            id: texts.randomElement(using: &random) ?? "",
            parameters: Dictionary(parameters) { first, _ in first }
        )
    }

    private static func stack(_ random: inout SplitMix) -> [Destination] {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in destination(&random) }
    }

    private static func window(_ random: inout SplitMix) -> WindowState {
        let names = texts.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
        let tabs = names.map { TabState(id: $0, stack: stack(&random)) }
        let modals = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            ModalState(
                flow: Bool.random(using: &random) ? texts.randomElement(using: &random) : nil,
                style: ModalStyle.allCases.randomElement(using: &random) ?? .sheet,
                stack: stack(&random)
            )
        }
        return WindowState(tabs: tabs, selectedTab: names.randomElement(using: &random) ?? "", modals: modals)
    }

    @Test("reads what it writes: any destination, any window, and what is in front of it", arguments: 0..<20)
    func roundTrips(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        for _ in 0..<500 {
            let destination = Self.destination(&random)
            #expect(try Destination(parsing: destination.description) == destination, "\(destination)")
            let window = Self.window(&random)
            let whole = WindowText(window)
            #expect(window.description == whole.description)
            #expect(try WrittenWindow(parsing: whole.description) == .window(whole), "\(whole)")
            let front = try WrittenWindow(parsing: whole.front.description)
            #expect(front == .window(whole.front), "\(whole.front)")
            #expect(whole.front.describes(whole))
        }
    }

    @Test("reads what it writes of a window that is gone, or was taken away", arguments: ["gone", "disconnected"])
    func words(word: String) throws { #expect(try WrittenWindow(parsing: " \(word) ").description == word) }

    @Test("tells two windows apart whenever they differ", arguments: 0..<10)
    func differs(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let windows = (0..<60).map { _ in Self.window(&random) }
        for one in windows {
            for other in windows {
                #expect((one.description == other.description) == (one == other))
                #expect(WindowText(one).describes(WindowText(other)) == (one == other))
            }
        }
    }

    // MARK: - Forms

    static let forms: [(text: String, written: String)] = [
        ("home", "home"), ("home>cart", "home › cart"), ("  home  ›  cart ", "home › cart"),
        ("home › product( id : p1 )", "home › product(id: p1)"),
        ("home › product(ref: mail, id: p1)", "home › product(id: p1, ref: mail)"),
        ("home › form(note: two words)", "home › form(note: two words)"),
        ("home › auth[ login > code ]", "home › auth[login › code]"),
        ("courts › [booking] › [help(topic: start)]", "courts › [booking] › [help(topic: start)]"),
        ("home › sheet auth[login]", "home › sheet auth[login]"), ("home › alert [failed]", "home › alert [failed]"),
        ("home › sheet[login]", "home › sheet[login]"),
        ("*home: home | orders: orders › order(id: o1)", "*home: home | orders: orders › order(id: o1)"),
        ("a: a | *b: b › popover [c]", "a: a | *b: b › popover [c]"), ("home + auth: login", "home › auth[login]"),
        ("home > cart + help(topic: a) + auth: login > code", "home › cart › [help(topic: a)] › auth[login › code]"),
        (#""gone""#, #""gone""#), (#"form(a: "x, y")"#, #"form(a: "x, y")"#),
        (#"form(a: "\u{2028}\"\\")"#, #"form(a: "\u{2028}\"\\")"#),
    ]

    @Test("has one form for each window, and is read however it is spaced", arguments: forms)
    func reads(text: String, written: String) throws {
        #expect(try WrittenWindow(parsing: text).description == written)
        #expect(try WrittenWindow.read(text).isOlderForm == text.contains("+"))
    }

    static let mistakes: [(text: String, error: String)] = [
        ("", "at character 1: found the end; expected a screen such as home or product(id: p1)"),
        ("home ›", "at character 7: found the end; expected a screen such as home or product(id: p1)"),
        (
            "home › auth[login",
            "at character 18: found the end; expected '›' and a screen, or ']' after the screens of a presentation"
        ),
        ("home › auth[]", "at character 13: found ']'; expected a screen such as home or product(id: p1)"),
        ("[login]", "at character 1: found '['; expected a screen such as home or product(id: p1)"),
        (
            "home › auth[login] › cart",
            "at character 21: found a screen; expected a presentation such as auth[login], or the end"
        ),
        ("home cart", "at character 6: found 'c'; expected '›' and a screen or a presentation, or the end"),
        ("home]", "at character 5: found ']'; expected '›' and a screen or a presentation, or the end"),
        (
            "home › product(id: p1",
            "at character 22: found the end; expected ',' and another parameter, or ')'; a value with signs is in quotes"
        ),
        ("home › product(p1)", "at character 18: found ')'; expected a parameter's name and ':'"),
        ("home › product(id:)", "at character 19: found ')'; expected the value of 'id'; an empty one is \"\""),
        ("product(id: a, id: b)", "at character 16: found the parameter 'id' again; expected each parameter once"),
        (
            "home › card auth[login]",
            "at character 8: found the style 'card'; expected one of sheet, fullScreen, popover, alert, or a flow directly before '['"
        ),
        ("a: a | b: b", "at character 1: found no tab in front; expected '*' before the tab in front"),
        ("*a: a | *b: b", "at character 9: found a second tab in front; expected one '*', before the tab in front"),
        ("*a: a | a: b", "at character 9: found the tab 'a' again; expected each tab once"),
        ("*a: a | b", "at character 10: found the end; expected the name of a tab and ':'"),
        ("a: a › sheet [b] | *c: c", "at character 14: found '['; expected '›', '|' and another tab, or the end"),
        ("\"home", "at character 1: found a quotation mark without its end; expected a second '\"'"),
        (
            #"form(a: "\x")"#,
            #"at character 10: found a backslash; expected \", \\ or the number of a character such as \u{2028}"#
        ),
        (
            #"form(a: "\u{D800}")"#,
            #"at character 10: found a backslash; expected \", \\ or the number of a character such as \u{2028}"#
        ),
    ]

    @Test("says where a text goes wrong, and what would be right there", arguments: mistakes)
    func refuses(text: String, error: String) {
        let thrown = #expect(throws: WindowNotationError.self) { try WrittenWindow(parsing: text) }
        #expect(thrown?.description == error)
    }

    @Test("is read or refused whatever is cut off, doubled or put in", arguments: forms.map(\.written))
    func hostile(text: String) {
        let signs = Array("›>[]()|*:,\"\\+ a\u{301}")
        for place in text.indices {
            for end in [text.index(after: place), text.endIndex] {
                let spoilt =
                    [String(text[..<place]), String(text[..<end]) + text[place...]]
                    + signs.map { text[..<place] + String($0) + text[place...] }
                for text in spoilt {
                    // What is read can be written and read again.
                    guard let window = try? WrittenWindow(parsing: text) else { continue }
                    #expect((try? WrittenWindow(parsing: window.description)) == window, "\(text)")
                }
            }
        }
    }

    // MARK: - What a text leaves out

    static let descriptions: [(text: String, holds: Bool)] = [
        ("home › cart › auth[login]", true), ("home › cart › sheet auth[login]", true),
        ("home › cart › alert auth[login]", false),
        ("home › cart", false), ("home › cart › [login]", false), ("home › auth[login]", false),
        ("*home: home › cart › auth[login] | orders: orders", true), ("*home: home › cart › auth[login]", false),
        ("home: home › cart | *orders: orders › auth[login]", false),
        ("orders: orders | *home: home › cart › auth[login]", false),
        ("*home: home › cart › auth[login] | orders: orders › order(id: o1)", false),
    ]

    @Test("leaves to any value what a text does not say, and nothing else", arguments: descriptions)
    func describes(text: String, holds: Bool) throws {
        let window = WindowState(
            tabs: [
                TabState(id: "home", stack: [Destination(id: "home"), Destination(id: "cart")]),
                TabState(id: "orders", stack: [Destination(id: "orders")]),
            ],
            selectedTab: "home",
            modals: [ModalState(flow: "auth", style: .sheet, stack: [Destination(id: "login")])]
        )
        guard case .window(let said) = try WrittenWindow(parsing: text) else {
            Issue.record("\(text) is no window")
            return
        }
        #expect(said.describes(WindowText(window)) == holds)
    }
}
