internal import SceneRouting
package import StrictJSON

extension AdapterTrial {
    /// The trial in the form of the reply of `io.scened.Adapters.Try`.
    package var json: JSONObject {
        var object: JSONObject = ["kind": .string(event.kind.rawValue)]
        object.set("adapter", adapter)
        object["extracted"] = .object(
            JSONObject(extracted.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        )
        if case .success(let request) = request { object["request"] = .object(request.json) }
        object.set("user", user)
        if case .failure(let refusal) = request, asksAdapters { object["reason"] = .string(refusal.reason) }
        object["passed"] = .array(
            declined.map {
                ["adapter": .string($0.adapter), "reason": .string($0.reason), "skipped": .bool($0.isSkipped)]
            }
        )
        object.set("warnings", warnings)
        switch decision {
        case .delivered: object["decision"] = "delivered"
        case .resolved(.proceed, let target):
            object["decision"] = "proceed"
            object["target"] = target.json
        case .resolved(.gated(let precondition, _, let resume), let target):
            object["decision"] = "gated"
            object.set("precondition", precondition)
            object["destination"] = resume.destination.json
            object["target"] = target.json
        case .refused(let error, let message):
            object["decision"] = "refused"
            object.set("error", error)
            object.set("message", message)
        }
        return object
    }
}

extension AdaptedRequest {
    /// The request as fixtures and `io.scened.Adapters` have it: `url`, `destination` or `handled`. Whether a URL is a universal link
    /// follows from its scheme.
    package var json: JSONObject {
        switch self {
        case .url(let url), .universalLink(let url): ["url": .string(url)]
        case .destination(let destination): ["destination": destination.json]
        case .handled: ["handled": true]
        }
    }
}
