/// A system for which sources are compiled.
enum Platform: CaseIterable {
    case linux, apple

    /// What a condition of `#if` says there; `nil` if it is about something else, so that both branches are compiled somewhere.
    func holds(_ condition: Substring) -> Bool? {
        let isApple = self == .apple
        return switch condition {
        case "canImport(Glibc)", "os(Linux)", "defined(__linux__)", "!canImport(Darwin)": !isApple
        case "canImport(Darwin)", "defined(__APPLE__)", "!os(Linux)": isApple
        // Linux, too, but not here.
        case "canImport(Musl)": false
        default: nil
        }
    }

    /// The lines of a source, Swift or C, that are compiled there.
    func lines(of text: String) -> [Substring] {
        /// A condition that has begun: whether what is around it is compiled, whether a branch before was, and whether this one is.
        struct Branch {
            let isAroundCompiled: Bool
            var wasCompiled: Bool
            var isCompiled: Bool
        }
        var branches: [Branch] = []
        var lines: [Substring] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            let isCompiled = branches.last?.isCompiled ?? true
            switch words.first {
            case "#if":
                let holds = holds(words[1])
                branches.append(
                    Branch(
                        isAroundCompiled: isCompiled,
                        wasCompiled: holds == true,
                        isCompiled: isCompiled && holds != false
                    )
                )
            case "#elseif", "#elif", "#else":
                guard var branch = branches.popLast() else { continue }
                let holds = words.count > 1 ? holds(words[1]) : true
                branch.isCompiled = branch.isAroundCompiled && !branch.wasCompiled && holds != false
                branch.wasCompiled = branch.wasCompiled || holds == true
                branches.append(branch)
            case "#endif": branches.removeLast(branches.isEmpty ? 0 : 1)
            default: if isCompiled { lines.append(line) }
            }
        }
        return lines
    }
}
