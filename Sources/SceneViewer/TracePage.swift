internal import Basics
package import StrictJSON

/// A self-contained page that shows runs by their records: windows, session and a time line, at any moment. Of two runs it shows what
/// differs.
///
/// It is written in pieces, so that there is no bound on the number of records: ``beginning``, for each run ``opening(of:)``, its records by
/// ``embedded(_:)`` or packed, and ``closing``, and ``end``. Its content security policy allows its own scripts only, and no network access.
package struct TracePage {
    /// One of the runs.
    package struct Run {
        /// What the run is called, such as the name of its file.
        let label: String
        /// How it came out; `nil` if that is not known.
        let isGood: Bool?
        /// The numbers of records that are marked; the page opens at the first of them.
        let marks: [Int]
        /// The place of the record at which the page opens, from 0; `nil` for the first that is marked, or the last.
        let opensAt: Int?

        package init(label: String, isGood: Bool? = nil, marks: [Int] = [], opensAt: Int? = nil) {
            self.opensAt = opensAt
            self.label = label
            self.isGood = isGood
            self.marks = marks
        }
    }

    private let title: String
    private let style: String
    private let lead: String
    private let appendix: String

    /// - Parameters:
    ///   - title: The title, plain text.
    ///   - style: The style of `lead` and `appendix`, without markup.
    ///   - lead: What stands before the runs, as HTML.
    ///   - appendix: What stands after them, as HTML.
    package init(title: String, style: String = "", lead: String = "", appendix: String = "") {
        self.title = title
        self.style = style
        self.lead = lead
        self.appendix = appendix
    }

    /// The end of what is between two records.
    package static let closing = "</script>\n"

    /// What stands after the records of a run in which lines are no records: `lines`, the ranges of their numbers, and `why` of the first.
    package static func unread(_ lines: JSONObject) -> String {
        let json = String(decoding: embedded(JSONValue.object(lines).text(.compact).utf8), as: UTF8.self)
        return "<script type=\"application/json\" data-unread>\(json)</script>\n"
    }

    /// The page before its runs.
    package var beginning: String { beginning(policy: Self.policy) }

    /// What a page may load and run: its own scripts and style.
    private static var policy: String {
        "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'none'"
    }

    /// The policy of ``served(title:)``: it may also ask the server that it came from, and nobody may put it into a page of theirs.
    package static var servedPolicy: String { "\(policy); connect-src 'self'; frame-ancestors 'none'" }

    /// A page without runs, which asks the server that it came from for what it shows.
    package static func served(title: String) -> String {
        // Who frames it is asked of the header alone.
        TracePage(title: title).beginning(policy: "\(policy); connect-src 'self'") + """
            <script nonce="\(nonce)" type="module">
            import { open } from "scened/live";
            open(document.querySelector("main"));
            </script>
            </body>
            </html>

            """
    }

    private func beginning(policy: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <title>\(HTMLText.escaped(title))</title>
        <style nonce="\(Self.nonce)">
        \(style)
        \(Self.text(PackageResources.style_css))
        </style>
        <script nonce="\(Self.nonce)" type="importmap">\(Self.imports)</script>
        </head>
        <body>
        <h1>\(HTMLText.escaped(title))</h1>
        \(lead)
        <main><p>This page needs a browser that runs its scripts.</p></main>
        \(appendix)

        """
    }

    /// What stands before the records of a run.
    /// - Parameter isPacked: Whether they are deflated (RFC 1950) and in base64, rather than ``embedded(_:)``.
    package static func opening(of run: Run, isPacked: Bool = false) -> String {
        let look = run.isGood.map { " data-look=\"\($0 ? "good" : "bad")\"" } ?? ""
        let marks = run.marks.isEmpty ? "" : " data-marks=\"\(run.marks.map(String.init).joined(separator: " "))\""
        let place = run.opensAt.map { " data-opens-at=\"\($0)\"" } ?? ""
        let packed = isPacked ? " data-packed" : ""
        return
            "<script type=\"application/x-ndjson\" data-label=\"\(HTMLText.escaped(run.label))\"\(look)\(marks)\(place)\(packed)>\n"
    }

    /// Records as JSON, one a line, as they may stand in the page: no byte of them ends the script that they are in.
    package static func embedded(_ records: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.underestimatedCount)
        for byte in records {
            if byte == UInt8(ascii: "<") { bytes += Array("\\u003c".utf8) } else { bytes.append(byte) }
        }
        return bytes
    }

    /// The page after its runs.
    package static var end: String {
        """
        <script nonce="\(nonce)" type="module">
        import { embedded, show } from "scened/viewer";
        show(document.querySelector("main"), await embedded());
        </script>
        </body>
        </html>

        """
    }

    /// A whole page, for runs that are in memory.
    /// - Parameter runs: Each with its records as JSON, one a line.
    package func text(_ runs: [(run: Run, records: [String])]) -> String {
        var text = beginning
        for (run, records) in runs {
            text += Self.opening(of: run)
            for record in records { text += String(decoding: Self.embedded(record.utf8), as: UTF8.self) + "\n" }
            text += Self.closing
        }
        return text + Self.end
    }

    // MARK: - Scripts

    /// The scripts by the names with which they import each other.
    private static let scripts: [(name: String, content: [UInt8])] = [
        ("acts", PackageResources.acts_js),
        ("announce", PackageResources.announce_js),
        ("chosen", PackageResources.chosen_js),
        ("controls", PackageResources.controls_js),
        ("detail", PackageResources.detail_js),
        ("dom", PackageResources.dom_js),
        ("filters", PackageResources.filters_js),
        ("form", PackageResources.form_js),
        ("format", PackageResources.format_js),
        ("heart", PackageResources.heart_js),
        ("history", PackageResources.history_js),
        ("integers", PackageResources.integers_js),
        ("list", PackageResources.list_js),
        ("live", PackageResources.live_js),
        ("pairs", PackageResources.pairs_js),
        ("print", PackageResources.print_js),
        ("reader", PackageResources.reader_js),
        ("scan", PackageResources.scan_js),
        ("stream", PackageResources.stream_js),
        ("timeline", PackageResources.timeline_js),
        ("viewer", PackageResources.viewer_js),
        ("widgets", PackageResources.widgets_js),
        ("window", PackageResources.window_js),
        ("words", PackageResources.words_js),
    ]

    private static func text(_ content: [UInt8]) -> String { String(decoding: content, as: UTF8.self) }

    /// The import map: each script as a `data:` URL, because a page that is a file can import nothing else.
    private static let imports: String = {
        var imports = JSONObject()
        for (name, content) in scripts { imports["scened/\(name)"] = .string("data:text/javascript,\(inURL(content))") }
        return JSONValue.object(["imports": .object(imports)]).text()
    }()

    /// Bytes within a URL: all but letters and digits percent-encoded.
    private static func inURL(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The mark of the page's own scripts and style: the 64-bit FNV-1a of all of them, so that a page comes out alike each time. What is
    /// embedded is never markup, so nothing that could carry the mark is from outside.
    private static let nonce: String = {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in scripts.flatMap(\.content) + PackageResources.style_css {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }()
}
