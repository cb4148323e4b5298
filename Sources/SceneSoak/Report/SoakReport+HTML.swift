extension SoakReport {
    /// The page: complete in itself, without scripts and network.
    package static func html(of run: SoakRun, verdict: SoakVerdict) -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><meta charset="utf-8"><title>Soak</title>
        <pre>\(text(of: run, verdict: verdict).replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</pre></html>
        """
    }
}
