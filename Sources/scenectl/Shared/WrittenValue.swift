internal import SceneClient
internal import SceneVocabulary
internal import StrictJSON

/// A part of a reply that people write in one line (<doc:/SceneRuntime/WindowNotation>): a window, where a link leads, a
/// destination, or what an adapter asks for.
enum WrittenValue {
    /// A window, every tab of it.
    case window(WindowText)
    /// Where a link leads: a stack and what is presented over it, or over whatever is shown.
    case target(WindowText)
    case destination(Destination)
    /// What an adapter asks for, if that is no destination: a URL, or `handled`.
    case request(String)

    /// `nil` if the object is nothing of this.
    init?(_ object: JSONObject) {
        if object["tabs"] != nil, object["selectedTab"] != nil,
            let window = try? ClientWindow(JSONReader(object))
        {
            self = .window(WindowText(window))
        } else if let path = object["path"]?.arrayValue, let modal = object["modal"]?.arrayValue {
            let stacks = (path.compactMap(Self.destination), modal.compactMap(Self.destination))
            guard stacks.0.count == path.count, stacks.1.count == modal.count else { return nil }
            self = .target(
                WindowText(stack: stacks.0, presentations: stacks.1.map { .init(flow: nil, stack: [$0]) })
            )
        } else if let destination = Self.destination(.object(object))
            ?? (object.count == 1 ? object["destination"].flatMap(Self.destination) : nil)
        {
            self = .destination(destination)
        } else if object["handled"] == true {
            self = .request("handled")
        } else if object.count == 1, let url = object["url"]?.stringValue {
            self = .request(url)
        } else {
            return nil
        }
    }

    private static func destination(_ value: JSONValue) -> Destination? {
        guard let object = value.objectValue, object.keys.allSatisfy({ $0 == "id" || $0 == "parameters" }) else {
            return nil
        }
        return Destination(reading: object)
    }

    /// Whether the text says all of it: not if a link leads only to what is presented over whatever is shown.
    var isReadable: Bool { difference(from: description) == nil }

    /// What is wrong with a text that should say the same; `nil` if it does.
    func difference(from text: String) -> String? {
        do throws(WindowNotationError) {
            switch self {
            case .window(let window):
                guard case .window(let expected) = try WrittenWindow(parsing: text) else { break }
                if expected.describes(window) { return nil }
                let isInFull = expected.isWhole || expected.presentations.contains { $0.style != nil }
                return "expected \(expected), found \(isInFull ? window : window.front)"
            case .target(let target):
                guard case .window(let expected) = try WrittenWindow(parsing: text) else { break }
                if expected == target { return nil }
            case .destination(let destination): if try Destination(parsing: text) == destination { return nil }
            case .request(let request): if text == request { return nil }
            }
            return "expected \(text), found \(self)"
        } catch {
            return "\(text.quotedForMessage) cannot be read, \(error); found \(self)"
        }
    }
}

extension WrittenValue: CustomStringConvertible {
    var description: String {
        switch self {
        case .window(let text), .target(let text): text.description
        case .destination(let destination): destination.description
        case .request(let request): request
        }
    }
}

extension WindowText {
    /// Everything that a window shows, as the daemon has sent it. A style that this program does not know is left out.
    init(_ window: ClientWindow) {
        self.init(
            tabs: window.tabs,
            selectedTab: window.selectedTab,
            presentations: window.modals.map { .init(style: $0.style.known, flow: $0.flow, stack: $0.stack) }
        )
    }
}
