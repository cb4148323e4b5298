internal import CommandConsole
internal import StrictJSON

/// Prints a text for people as ``Terminal/print(_:as:terminator:)`` does. In this program it stands for the standard library's function,
/// which would print whatever a text has.
func print(_ text: String, as form: Terminal.Form = .line, terminator: String = "\n") {
    Terminal.print(text, as: form, terminator: terminator)
}

/// Prints JSON, the same value with what a terminal could obey as `\uXXXX`.
func print(json value: JSONValue, _ layout: JSONValue.Layout = .indented) {
    print(value.text(layout), as: .json)
}
