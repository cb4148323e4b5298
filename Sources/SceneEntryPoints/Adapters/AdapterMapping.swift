internal import SceneRouting
internal import StrictJSON

/// The mapping of a declared adapter, with its templates parsed.
enum AdapterMapping: Hashable, Sendable {
    case url(AdapterTemplate)
    case destination(id: AdapterTemplate, parameters: [String: AdapterTemplate], parametersFrom: EventPath?)
    case handled

    init(_ mapping: AdapterDeclaration.Mapping) throws(CapturePattern.Invalid) {
        switch mapping {
        case .url(let template): self = .url(try AdapterTemplate(template))
        case .destination(let id, let parameters, let source):
            var templates: [String: AdapterTemplate] = [:]
            for (name, template) in parameters { templates[name] = try AdapterTemplate(template) }
            var path: EventPath?
            if let source { path = try EventPath(checked: source) }
            self = .destination(id: try AdapterTemplate(id), parameters: templates, parametersFrom: path)
        case .handled: self = .handled
        }
    }

    /// All its templates, and the path of the object whose members become parameters.
    var sources: (templates: [AdapterTemplate], parametersFrom: EventPath?) {
        switch self {
        case .url(let template): ([template], nil)
        case .destination(let id, let parameters, let source):
            ([id] + parameters.sorted { $0.key < $1.key }.map(\.value), source)
        case .handled: ([], nil)
        }
    }

    /// Up to this many members that are not text get a warning each; the others are only counted.
    private static let warningLimit = 8

    func apply(_ event: JSONObject, _ captures: [String: String]) -> AdapterAnswer {
        switch self {
        case .url(let template):
            switch template.filledAsURL(from: event, captures) {
            case .absent(let name): return .declined(reason: "\(name) is absent")
            case .notText(let name, let type): return .declined(reason: "\(name) is not text but \(type)")
            case .text(let url):
                guard let request = AdaptedRequest(opening: url) else {
                    return .declined(reason: "\(url.quotedForMessage) is not an absolute URL")
                }
                return .request(request)
            }
        case .destination(let id, let templates, let source):
            switch id.filled(from: event, captures) {
            case .absent(let name): return .declined(reason: "\(name) is absent")
            case .notText(let name, let type): return .declined(reason: "\(name) is not text but \(type)")
            case .text(let id):
                return Self.destination(id, templates, source, event, captures)
            }
        case .handled: return .request(.handled)
        }
    }

    /// Collects the parameters: the members of the event's object, and the templates, which take precedence.
    private static func destination(
        _ id: String,
        _ templates: [String: AdapterTemplate],
        _ source: EventPath?,
        _ event: JSONObject,
        _ captures: [String: String]
    ) -> AdapterAnswer {
        var parameters: [String: String] = [:]
        var warnings: [String] = []
        var leftOut = 0
        if let source, let value = source.value(in: event) {
            guard let object = value.objectValue else {
                return .declined(reason: "\(source.text) is not an object but \(value.typeName)")
            }
            for (name, value) in object where templates[name] == nil {
                if let text = value.stringValue {
                    parameters[name] = text
                } else {
                    leftOut += 1
                    guard leftOut <= warningLimit else { continue }
                    warnings.append(
                        "\(source.json.appending(JSONPath(.member(name)))): is not text but \(value.typeName), left out"
                    )
                }
            }
        }
        if leftOut > warningLimit {
            warnings.append("\(source?.text ?? ""): \(leftOut - warningLimit) more members that are not text, left out")
        }
        for (name, template) in templates.sorted(by: { $0.key < $1.key }) {
            switch template.filled(from: event, captures) {
            case .text(let text): parameters[name] = text
            case .absent: break
            case .notText(let path, let type): return .declined(reason: "\(path) is not text but \(type)")
            }
        }
        return .request(.destination(Destination(id: id, parameters: parameters)), warnings: warnings)
    }
}
