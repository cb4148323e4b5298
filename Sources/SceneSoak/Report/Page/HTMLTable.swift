internal import Basics

/// A table in the page.
struct HTMLTable {
    var caption: String
    var columns: [Column]
    /// The cells by row.
    var rows: [[Cell]]
    /// Whether a narrow screen has the cells of a row below one another, each with the name of its column.
    var isStacked = false

    struct Column {
        var name: String
        /// Whether the column holds numbers, which are aligned right.
        var isNumber = true
    }

    struct Cell: ExpressibleByStringLiteral {
        /// The content, escaped.
        var html: String
        /// The class that colours it, such as `bad`.
        var colour: String?

        init(_ text: String, _ colour: String? = nil) {
            html = HTMLText.escaped(text)
            self.colour = colour
        }

        init(html: String) { self.html = html }

        init(stringLiteral value: String) { self.init(value) }
    }

    var html: String {
        let head = columns.map {
            "<th scope=\"col\"\(role("columnheader"))\($0.isNumber ? " class=\"n\"" : "")>\(HTMLText.escaped($0.name))</th>"
        }
        let body = rows.map { row in
            let cells = zip(columns, row).map { column, cell in
                let classes = [column.isNumber ? "n" : nil, cell.colour].compactMap { $0 }.joined(separator: " ")
                let name = isStacked ? " data-name=\"\(HTMLText.escaped(column.name))\"" : ""
                return
                    "<td\(role("cell"))\(name)\(classes.isEmpty ? "" : " class=\"\(classes)\"")>\(cell.html)</td>"
            }
            return "<tr\(role("row"))>\(cells.joined())</tr>"
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(HTMLText.escaped(caption))"><table\(isStacked ? " class=\"stacked\"" : "")\(role("table"))>
            <caption><span>\(HTMLText.escaped(caption))</span></caption>
            <thead\(role("rowgroup"))><tr\(role("row"))>\(head.joined())</tr></thead>
            <tbody\(role("rowgroup"))>
            \(body.joined(separator: "\n"))
            </tbody></table></div>
            """
    }

    /// What an element is: a browser takes a table that is laid out otherwise for none.
    private func role(_ name: String) -> String { isStacked ? " role=\"\(name)\"" : "" }
}
