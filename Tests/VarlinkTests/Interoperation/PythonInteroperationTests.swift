import Foundation
import StrictJSON
import Testing
import Varlink

@Suite(
    "With the Python package",
    .timeLimit(.minutes(15)),
    .enabled(if: PythonPackage.isInstalled, PythonPackage.absence)
)
struct PythonInteroperationTests {
    @Test("its client reads our introspection, calls, streams, sends oneway and understands our errors")
    func drivesServer() async throws {
        let script = """
            import sys, json, varlink
            with varlink.Client("unix:" + sys.argv[1]) as client:
                print(client.get_interfaces())
                with client.open("org.example.test") as connection:
                    print(connection.Echo("héllo\\n", None, [{"x": 1, "y": 2}]))
                    print(connection.Echo("oneway", _oneway=True))
                    for arguments in [(7,), ()]:
                        try:
                            connection._send_message(json.dumps({"method": "org.example.test.Echo",
                                "parameters": {"text": a for a in arguments}}).encode())
                            connection._next_varlink_message()
                        except varlink.InvalidParameter as error:
                            print(error)
                    try:
                        connection.Fail()
                    except varlink.VarlinkError as error:
                        print(error.error(), error.parameters())
                    try:
                        connection.Stream()
                    except varlink.VarlinkError as error:
                        print(error.error())
                with client.open("org.example.test") as connection:
                    for reply in connection.Stream(_more=True):
                        print(reply)
            """
        try await RunningServer.run { running in
            let feeder = Task {
                await running.example.wait(for: "stream")
                guard let responder = running.example.takeHeld()?.responder else { return }
                for value in 1...3 { responder.send(["value": .integer(value)]) }
                responder.reply(["value": 4])
            }
            let outcome = try await PythonPackage.run(["-c", script, running.path])
            feeder.cancel()
            await feeder.value
            #expect(outcome.errors == "")
            #expect(
                outcome.output == """
                    ['org.varlink.service', 'org.example.test']
                    {'text': 'héllo\\n'}
                    None
                    {'error': 'org.varlink.service.InvalidParameter', 'parameters': {'parameter': 'text'}}
                    {'error': 'org.varlink.service.InvalidParameter', 'parameters': {'parameter': 'text'}}
                    org.example.test.Failed {'reason': 'on purpose'}
                    org.varlink.service.ExpectedMore
                    {'value': 1}
                    {'value': 2}
                    {'value': 3}
                    {'value': 4}

                    """
            )
            #expect(running.example.log.filter { $0.hasPrefix("echo") } == ["echo héllo\n", "echo oneway"])
        }
    }

    @Test("its command line shows our identity, and calls")
    func commandLine() async throws {
        try await RunningServer.run { running in
            let info = try await PythonPackage.run(["-m", "varlink.cli", "info", "unix:\(running.path)"])
            #expect(info.status == 0, "\(info.errors)")
            for text in ["Vendor: V", "Product: P", "Version: 1", "URL: https://example.org", "org.example.test"] {
                #expect(info.output.contains(text), "\(info.output)")
            }
            let help = try await PythonPackage.run(
                ["-m", "varlink.cli", "help", "unix:\(running.path)/org.example.test"]
            )
            #expect(help.output.contains("method Echo(text: string, number: ?int, points: ?[]Point)"))
            let call = try await PythonPackage.run(
                ["-m", "varlink.cli", "call", "unix:\(running.path)/org.example.test.Echo", #"{"text":"hello"}"#]
            )
            #expect(try JSONValue(parsing: call.output) == ["text": "hello"], "\(call.errors)")
        }
    }

    @Test("its scanner reads each interface that we print as it was meant")
    func scansPrintedInterfaces() async throws {
        let script = """
            import sys, json
            from varlink import scanner
            def show(t):
                if isinstance(t, scanner._Maybe): return ["?", show(t.element_type)]
                if isinstance(t, scanner._Array): return ["[]", show(t.element_type)]
                if isinstance(t, scanner._Dict): return ["[string]", show(t.element_type)]
                if isinstance(t, set): return ["[string]", {}]
                if isinstance(t, scanner._Object): return "object"
                if isinstance(t, scanner._CustomType): return t.name
                if isinstance(t, scanner._Enum): return list(t.fields)
                if isinstance(t, scanner._Struct): return {k: show(v) for k, v in t.fields.items()}
                return {bool: "bool", int: "int", float: "float", str: "string"}[type(t)]
            def member(m):
                if isinstance(m, scanner._Alias): return {"type": show(m.type)}
                if isinstance(m, scanner._Method): return {"in": show(m.in_type), "out": show(m.out_type)}
                return {"error": show(m.type)}
            for text in json.load(sys.stdin):
                i = scanner.Interface(text)
                print(json.dumps([i.name, {n: member(m) for n, m in i.members.items()}]))
            """
        var interfaces = [
            try VarlinkInterface(parsing: VarlinkInterfaceTests.sample),
            try VarlinkInterface(parsing: ExampleService.source),
        ]
        for seed in 0..<200 {
            var maker = InterfaceMaker(seed: UInt64(seed), smallestEnumeration: 2)
            interfaces.append(maker.interface())
        }
        // The scanner accepts no digit or hyphen in the first part of a name.
        for index in interfaces.indices { interfaces[index].name = "org.example-1.a\(index)" }
        let texts = JSONValue.array(interfaces.map { .string($0.description) })
        let outcome = try await PythonPackage.run(["-c", script], input: texts.text())
        #expect(outcome.errors == "")
        let lines = outcome.output.split(separator: "\n")
        try #require(lines.count == interfaces.count)
        for (interface, line) in zip(interfaces, lines) {
            #expect(try JSONValue(parsing: String(line)) == Self.shape(of: interface), "\(interface)")
        }
    }

    /// An interface in the form in which the script above shows it.
    private static func shape(of interface: VarlinkInterface) -> JSONValue {
        let members = interface.members.map { member -> (String, JSONValue) in
            switch member.kind {
            case .type(let type): (member.name, ["type": shape(of: type)])
            case .method(let parameters, let results):
                (member.name, ["in": shape(of: .structure(parameters)), "out": shape(of: .structure(results))])
            case .error(let parameters): (member.name, ["error": shape(of: .structure(parameters))])
            }
        }
        return [.string(interface.name), .object(JSONObject(members))]
    }

    private static func shape(of type: VarlinkType) -> JSONValue {
        switch type {
        case .bool: "bool"
        case .int: "int"
        case .float: "float"
        case .string: "string"
        case .object: "object"
        case .nullable(let type): ["?", shape(of: type)]
        case .array(let type): ["[]", shape(of: type)]
        case .dictionary(let type): ["[string]", shape(of: type)]
        case .structure(let fields): .object(JSONObject(fields.map { ($0.name, shape(of: $0.type)) }))
        case .enumeration(let symbols): .array(symbols.map { .string($0.name) })
        case .named(let name): .string(name)
        }
    }
}
