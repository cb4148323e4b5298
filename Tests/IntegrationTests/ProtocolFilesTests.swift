import Foundation
import StrictJSON
import Testing
import Varlink

@Suite("The interface files")
struct ProtocolFilesTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("protocol").path

    static let files =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".varlink") }
        .sorted()

    static func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    }

    @Test("have no method of which the page on answers does not say what bounds its answer")
    func answers() throws {
        let page = "\(Self.folder)/../Sources/SceneDaemon/SceneDaemon.docc/Answers.md"
        let rows = try String(contentsOfFile: page, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.hasPrefix("| `") ? String(line.split(separator: "`")[1]) : nil
        }
        var methods: [String] = []
        for file in Self.files {
            let interface = try VarlinkInterface(parsing: try Self.text(file))
            for member in interface.members {
                guard case .method = member.kind else { continue }
                methods.append("\(interface.name.dropFirst("io.scened.".count)).\(member.name)")
            }
        }
        #expect(rows == methods.sorted())
    }

    @Test("are those of the contract")
    func present() {
        let expected = ["Events", "Records", "Scenes", "Session"].map { "io.scened.\($0).varlink" }
        #expect(Set(Self.files).isSuperset(of: expected))
    }

    @Test("have their interface's name and parse", arguments: files)
    func parses(file: String) throws {
        let interface = try VarlinkInterface(parsing: try Self.text(file))
        #expect("\(interface.name).varlink" == file)
        #expect(!interface.documentation.isEmpty)
    }

    @Test("explain every type, method, field and error", arguments: files)
    func documented(file: String) throws {
        let lines = try Self.text(file).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(Self.undocumented(lines) == [])
        let interface = try VarlinkInterface(parsing: lines.joined(separator: "\n"))
        for member in interface.members { #expect(!member.documentation.isEmpty, "\(member.name)") }
    }

    @Test("a field or a declaration without a comment is found")
    func findsUndocumented() {
        let lines = [
            "# An error.", "error Bad (", "# Why.", "reason: string,", "code: int", ")", "method Get() -> (",
            "# All.", "all: []Thing", ")",
        ]
        #expect(Self.undocumented(lines) == ["code: int", "method Get() -> ("])
    }

    @Test("are what the daemon serves", .timeLimit(.minutes(15)))
    func served() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let info = try await client.call("org.varlink.service.GetInfo")
            #expect(info["product"] == "scened")
            let names = info["interfaces"]?.arrayValue?.compactMap(\.stringValue) ?? []
            #expect(
                Set(names) == Set(Self.files.map { $0.replacing(".varlink", with: "") } + ["org.varlink.service"])
            )
            for file in Self.files {
                let reply = try await client.call(
                    "org.varlink.service.GetInterfaceDescription",
                    ["interface": .string(file.replacing(".varlink", with: ""))]
                )
                #expect(try reply["description"]?.stringValue == Self.text(file))
            }
        }
    }

    /// Lines that declare something and have no comment in front of them.
    private static func undocumented(_ lines: [String]) -> [String] {
        zip(lines, [""] + lines).filter { line, previous in
            let declares = line.firstMatch(of: #/^(interface|type|method|error) |^[A-Za-z][A-Za-z0-9_]*: /#) != nil
            return declares && !previous.hasPrefix("#")
        }.map(\.0)
    }
}
