internal import ArgumentParser
internal import SceneClient

/// The words of a verb that `simctl` has too, where a device stands in front: here that is a window, or `booted`, which
/// leaves the choice to the daemon.
struct SimctlWords {
    /// The window named, if any.
    let scene: String?
    /// What stands between the window and the last word.
    let middle: String?
    let last: String

    /// - Parameter scene: The window named by `--scene`.
    /// - Throws: What would be right.
    init(_ words: [String], needs: String, atMost count: Int, scene: String?) throws {
        guard let last = words.last else { throw ValidationError("Missing expected argument '\(needs)'.") }
        guard words.count <= count else {
            throw ValidationError("'\(words[count])': at most \(count) words would be right, the last one '\(needs)'.")
        }
        let device = words.count > 1 ? words[0] : nil
        guard device == nil || scene == nil else {
            throw ValidationError("Name the window once: '\(device ?? "")' or --scene \(scene ?? "").")
        }
        self.scene = device == "booted" ? nil : device
        middle = words.count > 2 ? words[1] : nil
        self.last = last
    }

    func delivery(_ delivery: SceneClient.Delivery) -> SceneClient.Delivery {
        var delivery = delivery
        if let scene { delivery.scene = scene }
        return delivery
    }
}
