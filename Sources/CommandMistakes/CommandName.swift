/// The name by which the program was started.
package enum CommandName {
    /// The last part of its path, such as `scenectl`.
    package static var own: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "scened"
    }
}
