internal import ArgumentParser

/// The arguments of a subcommand that `simctl` has too. Where `simctl` takes a device, it takes a window, or `booted` for the
/// daemon's choice.
struct SimctlWords {
    /// The window, if one is named.
    let scene: String?
    /// The argument between the window and the last one.
    let middle: String?
    let last: String

    /// - Parameters:
    ///   - needs: What the last argument is, for error messages.
    ///   - scene: The window named by `--scene`.
    init(_ words: [String], needs: String, atMost count: Int, scene: String?) throws {
        guard let last = words.last else { throw ValidationError("Missing expected argument '\(needs)'.") }
        guard words.count <= count else {
            throw ValidationError("'\(words[count])': expected at most \(count) arguments, the last one '\(needs)'.")
        }
        let device = words.count > 1 ? words[0] : nil
        guard device == nil || scene == nil else {
            throw ValidationError("Name the window once: either '\(device ?? "")' or --scene \(scene ?? "").")
        }
        self.scene = device == "booted" ? nil : device
        middle = words.count > 2 ? words[1] : nil
        self.last = last
    }
}
