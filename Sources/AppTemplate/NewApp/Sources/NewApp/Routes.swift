// Written from NewApp.yaml by 'scenectl app swift': what is changed here is lost when it is written again.
// swift-format-ignore-file

import SceneNavigation
import SceneRouting

/// What the manifest of NewApp declares, as types.
enum Routes {
    /// What these types were written from: with `AppCode(…, routes: Routes.written)` a manifest that they do not fit is refused.
    static let written = SceneRouting.WrittenRoutes(
        "Routes", from: "NewApp.yaml",
        [
            ("destination home", ""),
            ("destination offers", ""),
            ("destination offer", "id: String"),
            ("intent offerTaken", "id: String"),
            ("tab home", ""),
            ("tab offers", ""),
            ("flow login", ""),
            ("screen login.name", ""),
            ("screen login.code", "user: String"),
            ("intent login.named", "user: String"),
            ("intent login.codeEntered", "user: String, code: String"),
            ("intent login.cancelled", ""),
            ("precondition signedIn", ""),
            ("fact taken", "Int"),
        ]
    )

    /// The destinations of the app.
    enum Destination: TypedDestination {
        case home
        case offers
        /// - `id`: matches "o[0-9]{1,6}".
        /// Needs `signedIn`.
        case offer(id: String)

        /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
        init(of destination: SceneRouting.Destination) throws(TypedValueError) {
            let parameters = TypedParameters(of: destination)
            switch destination.id {
            case "home": self = .home
            case "offers": self = .offers
            case "offer": self = try .offer(id: parameters.value("id"))
            default: throw .unknown(destination.id)
            }
        }

        var destination: SceneRouting.Destination {
            switch self {
            case .home:
                SceneRouting.Destination(id: "home")
            case .offers:
                SceneRouting.Destination(id: "offers")
            case .offer(let value0):
                SceneRouting.Destination(id: "offer", parameters: TypedParameters.texts(["id": value0]))
            }
        }
    }

    /// What any screen may report.
    enum Intent: TypedIntent {
        /// - `id`: matches "o[0-9]{1,6}".
        case offerTaken(id: String)

        /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
        init(of intent: SceneNavigation.Intent) throws(TypedValueError) {
            let parameters = TypedParameters(intent.parameters, of: intent.name)
            switch intent.name {
            case "offerTaken": self = try .offerTaken(id: parameters.value("id"))
            default: throw .unknown(intent.name)
            }
        }

        var intent: SceneNavigation.Intent {
            switch self {
            case .offerTaken(let value0):
                SceneNavigation.Intent(name: "offerTaken", parameters: TypedParameters.texts(["id": value0]))
            }
        }
    }

    /// The flow `login`.
    enum LoginFlow {
        /// Its name in the manifest.
        static let name = "login"

        /// Its screens.
        enum Screen: TypedDestination {
            case name
            case code(user: String)

            /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
            init(of destination: SceneRouting.Destination) throws(TypedValueError) {
                let parameters = TypedParameters(of: destination)
                switch destination.id {
                case "name": self = .name
                case "code": self = try .code(user: parameters.value("user"))
                default: throw .unknown(destination.id)
                }
            }

            var destination: SceneRouting.Destination {
                switch self {
                case .name:
                    SceneRouting.Destination(id: "name")
                case .code(let value0):
                    SceneRouting.Destination(id: "code", parameters: TypedParameters.texts(["user": value0]))
                }
            }
        }

        /// What its screens may report to it.
        enum Intent: TypedIntent {
            case named(user: String)
            case codeEntered(user: String, code: String)
            case cancelled

            /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
            init(of intent: SceneNavigation.Intent) throws(TypedValueError) {
                let parameters = TypedParameters(intent.parameters, of: intent.name)
                switch intent.name {
                case "named": self = try .named(user: parameters.value("user"))
                case "codeEntered": self = try .codeEntered(user: parameters.value("user"), code: parameters.value("code"))
                case "cancelled": self = .cancelled
                default: throw .unknown(intent.name)
                }
            }

            var intent: SceneNavigation.Intent {
                switch self {
                case .named(let value0):
                    SceneNavigation.Intent(name: "named", parameters: TypedParameters.texts(["user": value0]))
                case .codeEntered(let value0, let value1):
                    SceneNavigation.Intent(name: "codeEntered", parameters: TypedParameters.texts(["user": value0, "code": value1]))
                case .cancelled:
                    SceneNavigation.Intent(name: "cancelled")
                }
            }
        }
    }

    /// The flows, the tabs and the root: what has a coordinator, by the names under which one is asked for.
    enum Flow: String, CaseIterable, Sendable {
        case root
        case home
        case offers
        case login
    }

    /// What may be a gate.
    enum Precondition: String, CaseIterable, Sendable {
        case signedIn
    }

    /// The facts of the session.
    enum Fact {
        static let taken = TypedFact<Int>("taken")
    }
}
