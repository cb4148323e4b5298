/// Checks the adapters: that each could take an event, and that where it leads exists.
extension ManifestCompilation {
    mutating func checkAdapters() {
        for (index, adapter) in manifest.adapters.enumerated() {
            let key = "adapters[\(index)]"
            if adapter.kinds.isEmpty {
                error("\(key).kinds", "the adapter takes no event", expected: "at least one kind")
            }
            var areKinds = !adapter.kinds.isEmpty
            for (position, kind) in adapter.kinds.enumerated() {
                let kinds = AdapterDeclaration.members.map(\.key)
                areKinds = check(kind, isOneOf: kinds, "kind of event", at: "\(key).kinds[\(position)]") && areKinds
            }
            // What a path may begin with follows from the kinds.
            if areKinds { checkPaths(adapter, at: key) }
            guard case .destination(let id, let parameters, _) = adapter.mapping, !id.contains("{") else { continue }
            guard check(id, isOneOf: destinationNames, "destination", at: "\(key).destination"),
                let declaration = declaration(id)
            else { continue }
            let names = NameList(declaration.parameters.map(\.name))
            for name in parameters.keys.sorted() {
                check(name, isOneOf: names, "parameter of \(id)", at: "\(key).parameters.\(name)")
            }
        }
    }

    private mutating func checkPaths(_ adapter: AdapterDeclaration, at key: String) {
        let kinds = adapter.kinds
        var captures: Set<String> = []
        for (position, condition) in adapter.conditions.enumerated() {
            let key = "\(key).when[\(position)]"
            switch condition {
            case .present(let path): check(path: path, inEventsOf: kinds, at: "\(key).present")
            case .equals(let path, _): check(path: path, inEventsOf: kinds, at: "\(key).path")
            case .matches(let path, let text):
                check(path: path, inEventsOf: kinds, at: "\(key).path")
                do throws(CapturePattern.Invalid) {
                    captures.formUnion(try CapturePattern(text).names)
                } catch {
                    self.error(
                        "\(key).matches",
                        error.reason,
                        expected: "text with captures in braces, such as product/{id}"
                    )
                }
            }
        }
        switch adapter.mapping {
        case .url(let template): check(template, captures, inEventsOf: kinds, at: "\(key).url")
        case .destination(let id, let parameters, let source):
            check(id, captures, inEventsOf: kinds, at: "\(key).destination")
            for (name, template) in parameters.sorted(by: { $0.key < $1.key }) {
                check(template, captures, inEventsOf: kinds, at: "\(key).parameters.\(name)")
            }
            if let source { check(path: source, inEventsOf: kinds, at: "\(key).parametersFrom") }
        case .handled: break
        }
        if let user = adapter.user { check(path: user, inEventsOf: kinds, at: "\(key).user") }
    }

    /// Reports what is wrong with a template: its braces, or a name in them that is neither captured nor a path.
    private mutating func check(
        _ template: String,
        _ captures: Set<String>,
        inEventsOf kinds: [String],
        at key: String
    ) {
        do throws(CapturePattern.Invalid) {
            for case .braced(let name) in try BracedText.pieces(template) where !captures.contains(name) {
                check(path: name, inEventsOf: kinds, at: key)
            }
        } catch {
            self.error(key, error.reason, expected: "text with paths or captured names in braces")
        }
    }

    /// Reports a path that leads nowhere in all events of these kinds; returns whether it may lead somewhere.
    @discardableResult
    mutating func check(path: String, inEventsOf kinds: [String], at key: String) -> Bool {
        let members = AdapterDeclaration.members(of: kinds)
        if let root = EventPath(path)?.root, members.contains(root) { return true }
        error(
            key,
            "'\(path)' is no path in a \(kinds.joined(separator: " or "))",
            expected: "names with dots between them, the first of them one of \(members.joined(separator: ", "))"
        )
        return false
    }
}
