internal import AppTemplate
internal import TypedRoutes

/// The files of a new package: the template with the app's name, and with scened from where it is.
struct NewPackage {
    private let name: String
    private let sources: ScenedSources
    private let beginning: Beginning?
    /// What is written for it.
    private let written: ManifestFiles?

    /// A manifest of somebody's, and its first race.
    struct Beginning {
        let manifest: GivenManifest
        let race: FirstRace
    }

    /// - Parameter beginning: What to begin with; `nil` for the manifest of the template.
    init(name: String, sources: ScenedSources, beginning: Beginning? = nil) {
        (self.name, self.sources, self.beginning) = (name, sources, beginning)
        written = beginning.map { ManifestFiles($0.manifest.manifest, app: name, race: $0.race) }
    }

    /// The files, in the order in which a person reads them.
    var files: [AppTemplate.File] {
        guard let beginning, let written else { return AppTemplate.files.map(filled) }
        let manifest = "Sources/\(AppTemplate.name)/\(AppTemplate.name).yaml"
        return AppTemplate.files.filter { !ManifestFiles.replaced.contains($0.path) }.map { file in
            file.path == manifest
                ? .init(path: named(file.path), text: beginning.manifest.text) : filled(file, Self.generic)
        } + written.files
    }

    /// The names in its types that a person would not guess; none in those of the template.
    var numbered: [NumberedName] { written?.numbered ?? [] }

    /// What the template says of its own manifest, and what is said of any.
    private static let generic = [
        (
            old: """
                $ scenectl openurl --scene A newapp://offer/o7
                $ scenectl intent --scene A named user=anna

            """,
            new: "    $ scenectl routes\n"
        ),
        (
            old: """
            finds where the code does otherwise than the manifest, in the fewest events. Here it does so on purpose: anna needs no code, and a wrong one
            is refused.
            """,
            new: "finds where the code does otherwise than the manifest, in the fewest events. Here it does so nowhere."
        ),
        (
            old: """
                            .product(name: "SceneRacesTesting", package: "scened"),

            """,
            new: """
                            .product(name: "InterleavingTesting", package: "scened"),
                            .product(name: "SceneRacesTesting", package: "scened"),

            """
        ),
    ]

    /// A file of the template with these changes, and with what this package has in its place.
    private func filled(_ file: AppTemplate.File, _ changes: [(old: String, new: String)]) -> AppTemplate.File {
        let text = changes.reduce(file.text) { $0.replacing($1.old, with: $1.new) }
        return AppTemplate.File(path: named(file.path), text: sourced(named(text)))
    }

    private func filled(_ file: AppTemplate.File) -> AppTemplate.File { filled(file, []) }

    private func named(_ text: String) -> String {
        // At once: the new name may contain the old one.
        text.replacing(/NewApp|newapp/) { $0.output == AppTemplate.name ? name : name.lowercased() }
    }

    /// The text, with scened from where it is.
    private func sourced(_ text: String) -> String {
        switch sources {
        case .folder(let path): text.replacing("../scened", with: path)
        case .repository(let url, let requirement):
            Self.changes(url: url, requirement: requirement).reduce(text) { $0.replacing($1.old, with: $1.new) }
        }
    }

    /// What the template says of a folder, and what is said instead of a repository, which SwiftPM fetches by itself.
    static func changes(url: String, requirement: String) -> [(old: String, new: String)] {
        let identity = ScenedSources.identity(of: url)
        return [
            // Package.swift
            (
                """
                /// Where scened's sources are: in this folder, unless the environment names another, as a container does.
                let scened = Context.environment["SCENED_SOURCES"] ?? "../scened"


                """, ""
            ),
            (#".package(name: "scened", path: scened)"#, ".package(url: \"\(url)\", \(requirement))"),
            (#"package: "scened")"#, "package: \"\(identity)\")"),
            // check.sh and README.md
            ("${SCENED_SOURCES:-../scened}", ".build/checkouts/\(identity)"),
            ("[scened](../scened/README.md)", "[scened](\(url))"),
            ("scened's sources are in `../scened`; `SCENED_SOURCES` names another folder. ", ""),
            (
                #"""
                \
                        --volume "$PWD/../scened:/scened" --env SCENED_SOURCES=/scened 
                """#, ""
            ),
            // .github/workflows/check.yml
            (
                """
                # scened has no published address yet: set the variable SCENED_REPOSITORY, in the settings of the repository, to OWNER/NAME
                # of one that has its sources.

                """, ""
            ),
            (
                """
                    env:
                      SCENED_SOURCES: ${{ github.workspace }}/scened

                """, ""
            ),
            (
                """
                      - uses: actions/checkout@v4
                        with:
                          repository: ${{ vars.SCENED_REPOSITORY }}
                          path: scened

                """, ""
            ),
            (
                """
                          --volume "$GITHUB_WORKSPACE/scened:/scened" --env SCENED_SOURCES=/scened

                """, ""
            ),
        ]
    }
}
