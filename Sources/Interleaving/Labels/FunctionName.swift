internal import CInterleaving

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The names of functions by the addresses of their code, unless the executable was stripped.
enum FunctionName {
    /// The function that contains an address, as a person would write it, such as `Account.withdraw(_:)`; nil if it is unknown.
    static func at(_ address: UInt) -> String? {
        guard address != 0, let text = interleaving_function(address) else { return nil }
        defer { free(text) }
        return short(String(cString: text))
    }

    /// From here on, ``RuntimeTask`` knows functions of libraries that the compiler has copied into the executable.
    static let knowsLibraries: Void = {
        interleaving_name_libraries { address in
            guard let text = interleaving_function(address) else { return false }
            defer { free(text) }
            return isOfLibrary(String(cString: text))
        }
        // What is made for the first time is made now, and not in the middle of somebody's job.
        _ = interleaving_is_of_library(interleaving_arrival)
    }()

    /// Whether a demangled name is of a function of a library that comes with Swift, or of one that the compiler made to call another.
    static func isOfLibrary(_ name: String) -> Bool {
        if name.contains("reabstraction thunk") { return true }
        let name = withoutNumbers(replacingExtensions(in: name) { "\($0).." })
        // The requirement of a protocol belongs to the type that has it, and a closure to its function.
        var rest = Substring(name)
        if let start = rest.firstRange(of: " in conformance ") {
            rest = rest[start.upperBound...]
        } else {
            if rest.first == "(", let end = rest.firstRange(of: ") ") { rest = rest[end.upperBound...] }
            rest = withoutPrefixes(withoutPrefixes(rest).split(separator: " in ").last ?? "")
        }
        return libraries.contains(String(rest.prefix { $0 != "." && $0 != "<" }))
    }

    private static let libraries: Set<String> = [
        "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Observation", "Dispatch", "Foundation",
        "FoundationEssentials",
    ]

    /// A demangled name without its module, its types and the compiler's words for a piece of a task.
    static func short(_ name: String) -> String {
        // Functions of the runtime, which run before and between those that people wrote.
        for (adapter, words) in [
            ("future_adapter", "its beginning"), ("task_group_wait", "its wait for a group"),
            ("task_future_wait", "its wait for a task"),
        ] where name.contains(adapter) {
            return words
        }
        // What is private has a number beside its name, and what an extension declares the extension's module.
        let name = withoutNumbers(replacingExtensions(in: name) { _ in "" })
        var rest = Substring(name)
        if rest.first == "(", let end = rest.firstRange(of: ") ") { rest = rest[end.upperBound...] }
        rest = withoutPrefixes(rest)
        // A protocol's requirement as a type has it.
        if let end = rest.firstRange(of: " in conformance ") { rest = rest[..<end.lowerBound] }
        guard !rest.contains("reabstraction thunk") else { return "a closure" }
        return rest.split(separator: " in ", omittingEmptySubsequences: false).map(signature).joined(separator: " in ")
    }

    // Regular expressions would be parsed anew for each name, which takes longer than all the rest.

    /// `(extension in Module):Swift.Array` → what is made of the module, `Swift.Array`.
    private static func replacingExtensions(in name: String, _ made: (Substring) -> String) -> String {
        var (rest, text) = (Substring(name), "")
        while let start = rest.firstRange(of: "(extension in ") {
            guard let end = rest[start.upperBound...].firstRange(of: "):") else { break }
            text += rest[..<start.lowerBound]
            text += made(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return text + rest
    }

    /// `Module.(balance in _0123456789ABCDEF)` → `Module.balance`.
    private static func withoutNumbers(_ name: String) -> String {
        var (rest, text) = (Substring(name), "")
        while let middle = rest.firstRange(of: " in _") {
            let number = rest[middle.upperBound...].prefix { $0.isHexDigit }
            let words = rest[..<middle.lowerBound]
            if let open = words.lastIndex(where: { "()".contains($0) }), words[open] == "(", !number.isEmpty,
                rest[number.endIndex...].first == ")"
            {
                text += words[..<open]
                text += words[words.index(after: open)...]
                rest = rest[rest.index(after: number.endIndex)...]
            } else {
                text += rest[..<middle.upperBound]
                rest = rest[middle.upperBound...]
            }
        }
        return text + rest
    }

    private static func withoutPrefixes(_ name: Substring) -> Substring {
        var rest = name
        while let next = withoutPrefix(rest) { rest = next }
        return rest
    }

    /// Without the first of the words with which the compiler says what it has made of a function; `nil` if it begins with the function.
    private static func withoutPrefix(_ name: Substring) -> Substring? {
        for prefix in [
            "await resume partial function for ", "suspend resume partial function for ",
            "partial apply forwarder for ",
            "partial apply for ", "async function pointer to ", "dispatch thunk of ", "protocol witness for ",
            "merged ",
            "specialized ", "static ", "@objc ",
        ] where name.hasPrefix(prefix) {
            return name.dropFirst(prefix.count)
        }
        // `generic specialization <Swift.Int> of `
        guard name.hasPrefix("generic") || name.hasPrefix("function signature"),
            let words = name.firstRange(of: " specialization "),
            name[..<words.lowerBound].allSatisfy({ "a"..."z" ~= $0 || $0 == " " || $0 == "-" })
        else { return nil }
        let made = withoutGenerics(name[words.upperBound...])
        return made.firstRange(of: " of ").map { made[$0.upperBound...] }
    }

    /// `closure #1 @Sendable () async -> () ` → `closure #1`, `Module.Account.withdraw(_: Int) async -> Int` →
    /// `Account.withdraw(_:)`.
    private static func signature(_ part: Substring) -> String {
        if part.hasPrefix("closure #") || part.hasPrefix("implicit closure #") {
            let words = part.split(separator: " ")
            let count = part.hasPrefix("implicit") ? 3 : 2
            return words.prefix(count).joined(separator: " ")
        }
        var name = withoutPrefixes(part)
        if name.first == "(", let end = name.firstRange(of: " in _") {
            name = name[name.index(after: name.startIndex)..<end.lowerBound]
        }
        name = withoutGenerics(name)
        var labels = ""
        if let open = name.firstIndex(of: "(") {
            labels = parameters(name[name.index(after: open)...])
            name = name[..<open]
        }
        if let space = name.firstIndex(of: " ") { name = name[..<space] }
        let path = name.split(separator: ".")
        let short = path.count > 1 ? path.dropFirst().joined(separator: ".") : String(name)
        return short + labels
    }

    /// `Task< where A == Never>.yield() async -> ()` → `Task.yield() async -> ()`.
    private static func withoutGenerics(_ text: Substring) -> Substring {
        var depth = 0
        var rest = ""
        var previous: Character = " "
        for character in text {
            let isArrow = character == ">" && previous == "-"
            previous = character
            if character == "<" { depth += 1 }
            if depth == 0 { rest.append(character) }
            if character == ">", !isArrow, depth > 0 { depth -= 1 }
        }
        return rest[...]
    }

    /// Of what stands between the parentheses, the labels.
    private static func parameters(_ text: Substring) -> String {
        var depth = 0
        var labels = "("
        var current = ""
        for character in text {
            if depth == 0, character == ")" { break }
            if character == "(" || character == "<" || character == "[" { depth += 1 }
            if character == ")" || character == "]" || character == ">" && depth > 0 { depth -= 1 }
            if depth == 0, character == ":" { labels += current.filter { $0 != " " } + ":" }
            if depth == 0, character == "," || character == ":" { current = "" } else { current.append(character) }
        }
        return labels + ")"
    }
}
