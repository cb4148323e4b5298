import Foundation
import MutationOperators
import Weaving

/// Builds all mutants at once. What the compiler refuses is left out, and the build is tried again.
struct OperatorBuild {
    let root: URL
    let work: URL
    /// Whether only the tests are built that judge a sample.
    var isSample = false

    var tree: URL { work.appending(path: "tree") }
    var scratch: URL { work.appending(path: "build") }
    /// The names of the mutants that do not compile, each on a line.
    var refused: URL { work.appending(path: "refused.txt") }

    func refusedNames() -> Set<String> {
        Set((try? String(contentsOf: refused, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? [])
    }

    /// - Parameters:
    ///   - chosen: Those of the mutants that are built.
    ///   - products: The programs to build; the tests if there are none.
    func build(_ mutants: OperatorMutants, _ chosen: [OperatorMutant], _ products: [String]) throws {
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        var refused = refusedNames()
        while true {
            try weave(mutants, chosen.filter { !refused.contains($0.name) })
            var output = ""
            var status: Int32 = 0
            for product in products.isEmpty ? ["--build-tests"] : products.map({ "--product=\($0)" }) where status == 0
            {
                let (code, data) = try Program.run([
                    "swift", "build", "--package-path", tree.path, "--scratch-path", scratch.path,
                    "-Xswiftc", "-gnone", product,
                ])
                (status, output) = (code, output + String(decoding: data, as: UTF8.self))
            }
            if status == 0 { break }
            let found = chosen.filter { mutant in
                !refused.contains(mutant.name)
                    && errors(in: output).contains { $0.file == mutant.file && mutant.lines.contains($0.line) }
            }
            guard !found.isEmpty else {
                throw Program.Failure(description: "the build fails:\n\(output.suffix(4_000))")
            }
            refused.formUnion(found.map(\.name))
            print(
                "operators: \(found.count) mutants do not compile: \(found.map(\.name).prefix(3).joined(separator: ", ")) …"
            )
            try refused.sorted().joined(separator: "\n").write(to: self.refused, atomically: true, encoding: .utf8)
        }
        if isSample { return }
        print("operators: \(chosen.count - refused.count) mutants are built, \(refused.count) do not compile")
    }

    private func weave(_ mutants: OperatorMutants, _ chosen: [OperatorMutant]) throws {
        let numbered = chosen.map { (number: mutants.number(of: $0.name) ?? 0, mutant: $0) }
        let byFile = Dictionary(grouping: numbered, by: \.mutant.file)
        try ScratchCopy(root: root, tree: tree).write { read, _ in
            var woven: [String: String] = [:]
            for (file, mutants) in byFile {
                guard let source = read(file), let module = Weaver.module(of: file) else { continue }
                woven[file] = OperatorWeaver.woven(source, mutants, module: module)
            }
            for module in OperatorMutants.modules {
                woven["Sources/\(module)/\(module)Operator.swift"] = OperatorWeaver.switches(of: module)
            }
            if isSample, let package = read("Package.swift") {
                woven["Package.swift"] = TestTargets.keeping(OperatorJudge.Side.targets, in: package)
            }
            return woven
        }
    }

    private func errors(in output: String) -> [(file: String, line: Int)] {
        output.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
            guard parts.count > 4, parts[3].contains("error"), let number = Int(parts[1]),
                let start = parts[0].range(of: "/tree/")
            else { return nil }
            return (String(parts[0][start.upperBound...]), number)
        }
    }
}
