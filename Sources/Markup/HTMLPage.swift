/// A page that needs nothing else: no script, no network. Its policy forbids both, whatever stands in it.
package enum HTMLPage {
    /// The page.
    /// - Parameters:
    ///   - title: Plain text.
    ///   - style: The style sheet.
    ///   - body: What stands in the body, escaped where it has to be.
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
