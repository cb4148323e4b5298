import Basics
import Testing

@Suite("A folder for what a test leaves")
struct ArtifactFolderTests {
    @Test(
        "has a name of ASCII letters, digits and single hyphens",
        arguments: [
            (["MyTests", "RaceTests", "counts(_:in:)"], "MyTests-RaceTests-counts-in"),
            (["MyTests", "`both über all`"], "MyTests-both-ber-all"),
            ([String(repeating: "x", count: 200)], String(repeating: "x", count: 120)),
        ]
    )
    func isReadable(words: [String], name: String) {
        #expect(ArtifactFolder.name(ofNext: words) == name)
    }

    @Test("has the number of the run from the second on")
    func isNumbered() {
        let names = (1...3).map { _ in ArtifactFolder.name(ofNext: ["Numbered", "runs()"]) }
        #expect(names == ["Numbered-runs", "Numbered-runs-2", "Numbered-runs-3"])
    }
}
