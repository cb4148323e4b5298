import Foundation
import Subprocess
import TestFixtures
import Testing

/// `scenectl app swift`. What it writes is compiled with `TypedRoutesTests`, and used by `ShopInSwift`.
@Suite("An app's types in Swift", .timeLimit(.minutes(15)))
struct AppSwiftTests {
    private static let shop = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ShopInSwift/ShopRoutes.swift").path

    private static func write(_ words: String...) async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), ["app", "swift"] + words)
    }

    @Test("those of the shop in Swift are what its manifest declares")
    func shop() async throws {
        let written = try await Self.write("shop")
        #expect(written.status == .exited(0))
        #expect(
            try written.output == String(contentsOfFile: Self.shop, encoding: .utf8),
            "scenectl app swift shop --output Tests/ShopInSwift/ShopRoutes.swift"
        )
    }

    @Test("those of a new app are what its manifest declares, also when it begins with another")
    func newApp() async throws {
        let template = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/AppTemplate/NewApp/Sources/NewApp").path
        let written = try await Self.write("\(template)/NewApp.yaml", "--as", "Routes")
        #expect(
            try written.output == String(contentsOfFile: "\(template)/Routes.swift", encoding: .utf8),
            "scenectl app swift …/NewApp.yaml --as Routes --output …/Routes.swift"
        )
        let directory = try TemporaryDirectory()
        let new = try await Program.run(
            Command.built("scenectl"),
            ["app", "new", "MyClub", "--swift", "--from", "club", "--directory", directory.path]
        )
        #expect(new.status == .exited(0), "\(new.errors)")
        let sources = "\(directory.path)/MyClub/Sources/MyClub"
        let ofClub = try await Self.write("\(sources)/MyClub.yaml", "--as", "Routes")
        #expect(try ofClub.output == String(contentsOfFile: "\(sources)/Routes.swift", encoding: .utf8))
        #expect(try String(contentsOfFile: "\(sources)/App.swift", encoding: .utf8).contains("routes: Routes.written"))
    }

    @Test("names with a number are told, also in JSON")
    func numbered() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/twins.yaml"
        try """
        format: 2
        name: Twins
        schemes: [twins]
        tabs: { home: home }
        destinations:
          home: { tab: home, routes: ["twins://home"] }
          buy-now: { ancestry: [home], parameters: { screen: { oneOf: [none, big] } } }
          buyNow: { ancestry: [home] }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        let told = ["'screen' is Twins.Screen_2 in Swift", "'buyNow' is Twins.Destination.buyNow_2 in Swift"]
        let text = try await Self.write(file)
        #expect(text.status == .exited(0) && text.output.contains("case none_ = \"none\""))
        for one in told { #expect(text.errors.contains("\(file): warning: \(one), because "), "\(text.errors)") }
        let json = try await Self.write(file, "--json")
        #expect(json.output.contains("\"identifier\": \"Twins.Destination.buyNow_2\""), "\(json.output)")
        #expect(try await Self.write("shop").errors == "")
        // A new package has the same types by another name.
        let new = try await Program.run(
            Command.built("scenectl"),
            ["app", "new", "MyApp", "--swift", "--directory", directory.path, "--from", file]
        )
        #expect(new.status == .exited(0))
        for one in told {
            let here = one.replacing("Twins.", with: "Routes.")
            #expect(new.errors.contains("\(file): warning: \(here), because "), "\(new.errors)")
        }
    }

    @Test("are written into a file, again too, and over nobody's own")
    func files() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/BankRoutes.swift"
        for access in ["internal", "public"] {
            let written = try await Self.write("bank", "--output", file, "--as", "Money", "--access", access)
            #expect(written.status == .exited(0) && written.output == "", "\(written.errors)")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains("\n\(access == "public" ? "public " : "")enum Money {\n"))
        }
        try "// My own.\n".write(toFile: file, atomically: true, encoding: .utf8)
        let refused = try await Self.write("bank", "--output", file)
        #expect(refused.status == .exited(2))
        #expect(
            refused.errors.contains(
                "\(file) was not written by 'scenectl app swift', and is left as it is; expected another file."
            )
        )
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "// My own.\n")
        // What is not even a text.
        let bytes = Data([0xFF, 0xFE, 0x00])
        try bytes.write(to: URL(filePath: file))
        #expect(try await Self.write("bank", "--output", file).status == .exited(2))
        #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
        let dash = try await Self.write("bank", "--output", "-")
        #expect(dash.status == .exited(2) && dash.errors.contains("leave it out for the standard output"))
    }
}
