import Foundation
import StrictJSON
import Basics
import Varlink

/// A strict `org.varlink.certification`: each call must be the next one expected, with exactly the values of the previous
/// reply.
final class CertificationService: Sendable {
    private let steps = Guarded<[String: Int]>([:])
    private let calls = Guarded<[String]>([])
    private let source: String

    /// - Parameter source: the interface file as the Python package ships it.
    init(source: String) {
        self.source = source
    }

    /// The methods called, in order, with `!` for a call that was not as expected.
    var log: [String] { calls.withLock { $0 } }

    private static let structure: JSONValue = [
        "bool": false, "int": 2, "float": .number(Double.pi), "string": "a lot of string",
    ]
    private static let set: JSONValue = ["one": [:], "two": [:], "three": [:]]
    private static let map: JSONValue = ["foo": "Foo", "bar": "Bar"]
    private static let strings = JSONValue.array((1...10).map { .string("Reply number \($0)") })

    private static func mytype(_ nullable: JSONObject) -> JSONValue {
        var members: JSONObject = [
            "object": ["method": "org.varlink.certification.Test09", "parameters": ["map": map]],
            "enum": "two", "struct": ["first": 1, "second": "2"], "array": ["one", "two", "three"],
            "dictionary": map, "stringset": set,
        ]
        for (name, value) in nullable { members[name] = value }
        members["interface"] = [
            "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
            "anon": ["foo": true, "bar": false],
        ]
        return .object(members)
    }

    /// Each step: the method, its arguments besides `client_id`, and its results.
    private static let script: [(method: String, parameters: JSONObject, results: JSONObject)] = [
        ("Test01", [:], ["bool": true]),
        ("Test02", ["bool": true], ["int": 1]),
        ("Test03", ["int": 1], ["float": 1.0]),
        ("Test04", ["float": 1.0], ["string": "ping"]),
        ("Test05", ["string": "ping"], structure.objectValue ?? [:]),
        ("Test06", structure.objectValue ?? [:], ["struct": structure]),
        ("Test07", ["struct": structure], ["map": map]),
        ("Test08", ["map": map], ["set": set]),
        ("Test09", ["set": set], ["mytype": mytype(["nullable": nil, "nullable_array_struct": nil])]),
        ("Test10", ["mytype": mytype([:])], [:]),
        ("Test11", ["last_more_replies": strings], [:]),
        ("End", [:], ["all_ok": true]),
    ]

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: source)
        try service.on("Start") { [self] request, responder in
            let id = "client-\(request.connection.id)-\(request.number)"
            steps.withLock { $0[id] = 0 }
            note("Start")
            responder.reply(["client_id": .string(id)])
        }
        for (index, step) in Self.script.enumerated() {
            try service.on(step.method, requiresMore: step.method == "Test10") { [self] request, responder in
                answer(index, request, responder)
            }
        }
        return service
    }

    private func note(_ text: String) {
        calls.withLock { $0.append(text) }
    }

    private func answer(_ index: Int, _ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let step = Self.script[index]
        let id = request.parameters["client_id"]?.stringValue ?? ""
        guard let expected = steps.withLock({ $0.removeValue(forKey: id) }) else {
            note("\(step.method)!")
            responder.fail(VarlinkError("org.varlink.certification.ClientIdError"))
            return
        }
        var call = request.call
        call.parameters["client_id"] = nil
        // A nullable value may be absent or null.
        if var mytype = call.parameters["mytype"]?.objectValue {
            for name in ["nullable", "nullable_array_struct"] where mytype[name]?.isNull == true { mytype[name] = nil }
            call.parameters["mytype"] = .object(mytype)
        }
        let wanted = VarlinkCall(
            method: "org.varlink.certification.\(Self.script[expected].method)",
            parameters: Self.script[expected].parameters,
            oneway: Self.script[expected].method == "Test11",
            more: Self.script[expected].method == "Test10"
        )
        guard expected == index, call == wanted else {
            note("\(step.method)!")
            responder.fail(
                VarlinkError(
                    "org.varlink.certification.CertificationError",
                    ["wants": .object(Self.json(wanted)), "got": .object(Self.json(call))]
                )
            )
            return
        }
        note(step.method)
        if index + 1 < Self.script.count { steps.withLock { $0[id] = index + 1 } }
        if step.method == "Test10" {
            for number in 1...9 { responder.send(["string": .string("Reply number \(number)")]) }
            responder.reply(["string": "Reply number 10"])
        } else {
            responder.reply(step.results)
        }
    }

    private static func json(_ call: VarlinkCall) -> JSONObject {
        [
            "method": .string(call.method), "parameters": .object(call.parameters), "oneway": .bool(call.oneway),
            "more": .bool(call.more),
        ]
    }
}
