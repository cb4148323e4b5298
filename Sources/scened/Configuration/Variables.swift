internal import Glibc

/// The environment, read once before there are other threads.
enum Variables {
    static let all: [String: String] = {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let sign = text.firstIndex(of: "=") {
                variables[String(text[..<sign])] = String(text[text.index(after: sign)...])
            }
            next += 1
        }
        return variables
    }()
}
