internal import CommandConsole
internal import SceneClient

/// Draws windows as text: the tabs on top, then the presentations in boxes, then the stack with its topmost screen first.
enum WindowDrawing {
    /// The windows side by side, as many as fit in `columns`.
    static func draw(_ scenes: [ClientScene], columns: Int = 100) -> [String] {
        let boxes = scenes.map(box)
        var lines: [String] = []
        var row: [[String]] = []
        for box in boxes {
            let width = (row + [box]).map { ($0.first?.count ?? 0) + 2 }.reduce(0, +)
            if width > columns, !row.isEmpty {
                lines += join(row)
                row = []
            }
            row.append(box)
        }
        return lines + join(row)
    }

    private static func join(_ boxes: [[String]]) -> [String] {
        let height = boxes.map(\.count).max() ?? 0
        return (0..<height).map { index in
            let parts = boxes.map { box in
                index < box.count ? box[index] : String(repeating: " ", count: box.first?.count ?? 0)
            }
            return parts.joined(separator: "  ").trimmingTrailingSpaces()
        }
    }

    private static func box(_ scene: ClientScene) -> [String] {
        guard let window = scene.window else {
            return framed("\(scene.id) (disconnected)", ["nothing shown"], width: 24)
        }
        let tabs = window.tabs.map { $0.id == window.selectedTab ? "[\($0.id)]" : " \($0.id) " }.joined(separator: " ")
        var content = [tabs]
        for modal in window.modals.reversed() {
            let title = "\(modal.style)" + (modal.flow.map { ": \($0)" } ?? "")
            content += framed(title, modal.stack.reversed().map(\.description), width: 0)
        }
        let stack = window.tabs.first { $0.id == window.selectedTab }?.stack ?? []
        content += stack.reversed().map { " \($0)" }
        content += tree(scene.coordinatorTree)
        return framed("window \(scene.id)\(scene.isLocked ? ", locked" : "")", content, width: 32)
    }

    /// The tree of coordinators, each below the flow that started it.
    private static func tree(_ coordinators: [ClientScene.Coordinator]) -> [String] {
        guard !coordinators.isEmpty else { return [] }
        func lines(below parent: String, indent: String) -> [String] {
            let children = coordinators.filter { $0.parent == parent && $0.flow != parent }
            return children.enumerated().flatMap { index, child in
                let isLast = index == children.count - 1
                return ["\(indent)\(isLast ? "└" : "├") \(child.flow)"]
                    + lines(below: child.flow, indent: indent + (isLast ? "  " : "│ "))
            }
        }
        return ["", "coordinators:", "root"] + lines(below: "root", indent: "")
    }

    /// Puts the lines into a box with a title, at least `width` columns wide inside.
    private static func framed(_ title: String, _ lines: [String], width: Int) -> [String] {
        let inner = max(width, title.count + 3, (lines.map(\.count).max() ?? 0) + 2)
        let top = "┌ \(title) " + String(repeating: "─", count: inner - title.count - 2) + "┐"
        let bottom = "└" + String(repeating: "─", count: inner) + "┘"
        return [top] + lines.map { "│ " + $0.padded(to: inner - 1) + "│" } + [bottom]
    }
}

extension String {
    fileprivate func trimmingTrailingSpaces() -> String {
        var text = Substring(self)
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
