internal import SceneRouting
internal import SceneSoak

/// What only one of two apps declares. Of what only B does, a walk learns nothing, because it does what A's manifest says.
struct DeclaredByOne: Sendable {
    /// A part of an app, and the names in it that the other app has not.
    typealias Names = (part: SoakCoverage.Part, names: [String])

    /// Of each side, by part.
    let sides: [(side: ComparedSide, parts: [Names])]

    /// - Parameters:
    ///   - a: What A declares.
    ///   - b: What B declares.
    init(_ a: AppManifest, _ b: AppManifest) {
        let (one, two) = (CoverageCounter(a).coverage, CoverageCounter(b).coverage)
        sides = [(.a, Self.more(in: one, than: two)), (.b, Self.more(in: two, than: one))]
    }

    private static func more(in one: SoakCoverage, than other: SoakCoverage) -> [Names] {
        // How events can end follows from the rest.
        SoakCoverage.Part.allCases.filter { $0 != .outcomes }.compactMap { part in
            let others = Set((other.items[part] ?? []).map(\.name))
            let names = (one.items[part] ?? []).map(\.name).filter { !others.contains($0) }
            return names.isEmpty ? nil : (part, names)
        }
    }
}
