/// A self-contained page, whose content security policy forbids scripts and network access.
package enum HTMLPage {
    /// The text of a page.
    /// - Parameters:
    ///   - title: plain text.
    ///   - style: the style sheet.
    ///   - body: the content of the body, with its text escaped.
    package static func text(title: String, style: String, body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(HTMLText.escaped(title))</title>
        <style>
        \(style)
        </style>
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }
}
