internal import AppTemplate

/// The files of a new package: the template with the app's name, and with scened from where it is.
struct NewPackage {
    let name: String
    let sources: ScenedSources

    /// The files, in the order in which a person reads them.
    var files: [AppTemplate.File] {
        AppTemplate.files.map { file in
            AppTemplate.File(path: named(file.path), text: named(sourced(file.text)))
        }
    }

    private func named(_ text: String) -> String {
        text.replacing(AppTemplate.name, with: name)
            .replacing(AppTemplate.name.lowercased(), with: name.lowercased())
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
