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
            if areKinds { checkPaths(adapter, EventMembers(adapter.kinds), at: key) }
            guard case .destination(let id, let parameters, _) = adapter.mapping, !id.contains("{") else { continue }
            guard check(id, isOneOf: destinationNames, "destination", at: "\(key).destination"),
                let declaration = declaration(id)
            else { continue }
            let names = NameList(declaration.parameters.map(\.name))
            let compiled = destinationIndex[id].map { self.parameters[$0] } ?? []
            for (name, template) in parameters.sorted(by: { $0.key < $1.key }) {
                let key = "\(key).parameters.\(name)"
                // What is in braces is known only with an event.
                guard check(name, isOneOf: names, "parameter of \(id)", at: key),
                    !template.contains(where: { "{}".contains($0) }),
                    let parameter = compiled.first(where: { $0.declaration.name == name }),
                    parameter.check.canonical(template.normalizedNFC) == nil
                else { continue }
                error(key, "'\(template)' is not allowed", expected: parameter.check.expectation)
            }
        }
    }

    private mutating func checkPaths(_ adapter: AdapterDeclaration, _ events: EventMembers, at key: String) {
        var captures: Set<String> = []
        for (position, condition) in adapter.conditions.enumerated() {
            let key = "\(key).when[\(position)]"
            switch condition {
            case .present(let path): check(path: path, in: events, at: "\(key).present")
            case .equals(let path, _): check(path: path, in: events, at: "\(key).path")
            case .matches(let path, let text):
                check(path: path, in: events, at: "\(key).path")
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
        case .url(let template): check(template, captures, in: events, at: "\(key).url")
        case .destination(let id, let parameters, let source):
            check(id, captures, in: events, at: "\(key).destination")
            for (name, template) in parameters.sorted(by: { $0.key < $1.key }) {
                check(template, captures, in: events, at: "\(key).parameters.\(name)")
            }
            if let source { check(path: source, in: events, at: "\(key).parametersFrom") }
        case .handled: break
        }
        if let user = adapter.user { check(path: user, in: events, at: "\(key).user") }
    }

    /// Reports what is wrong with a template: its braces, or a name in them that is neither captured nor a path.
    private mutating func check(
        _ template: String,
        _ captures: Set<String>,
        in events: EventMembers,
        at key: String
    ) {
        do throws(CapturePattern.Invalid) {
            for case .braced(let name) in try BracedText.pieces(template) where !captures.contains(name) {
                check(path: name, in: events, at: key)
            }
        } catch {
            self.error(key, error.reason, expected: "text with paths or captured names in braces")
        }
    }

    /// Reports a path that leads nowhere in all these events; returns whether it may lead somewhere.
    @discardableResult
    mutating func check(path: String, in events: EventMembers, at key: String) -> Bool {
        if let root = EventPath(path)?.root, events.names.contains(root) { return true }
        error(
            key,
            "'\(path)' is no path in a \(events.kinds.joined(separator: " or "))",
            expected: "names with dots between them, the first of them one of \(events.names.joined(separator: ", "))"
        )
        return false
    }
}

/// The members that events of some kinds have, each kind once.
struct EventMembers {
    let kinds: [String]
    let names: [String]

    init(_ kinds: [String]) {
        let chosen = Set(kinds)
        self.kinds = AdapterDeclaration.members.map(\.key).filter(chosen.contains)
        names = AdapterDeclaration.members(of: self.kinds)
    }
}
