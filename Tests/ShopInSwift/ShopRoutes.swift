// Written from shop.yaml by 'scenectl app swift': what is changed here is lost when it is written again.
// swift-format-ignore-file

import SceneNavigation
import SceneRouting

/// What the manifest of Shop declares, as types.
enum Shop {
    /// What these types were written from: with `AppCode(…, routes: Shop.written)` a manifest that they do not fit is refused.
    static let written = SceneRouting.WrittenRoutes(
        "Shop", from: "shop.yaml",
        [
            ("destination home", ""),
            ("destination category", "slug: String"),
            ("destination product", "id: String, ref: String?"),
            ("destination promo", "code: String"),
            ("destination cart", ""),
            ("destination checkout", ""),
            ("destination orders", ""),
            ("destination order", "id: String"),
            ("destination account", ""),
            ("destination settings", "section: payment|privacy|profile"),
            ("destination deleteAccount", ""),
            ("intent productSelected", "id: String"),
            ("intent categorySelected", "slug: String"),
            ("intent cartTapped", ""),
            ("intent checkoutTapped", ""),
            ("intent orderSelected", "id: String"),
            ("intent buyNow", "id: String"),
            ("intent accountTapped", ""),
            ("intent reviewed", "text: String"),
            ("intent addedToCart", "id: String"),
            ("intent signOutTapped", ""),
            ("tab home", ""),
            ("tab orders", ""),
            ("tab account", ""),
            ("flow auth", ""),
            ("screen auth.login", ""),
            ("screen auth.createAccount", ""),
            ("screen auth.emailVerification", ""),
            ("screen auth.password", ""),
            ("screen auth.welcome", ""),
            ("intent auth.signUpRequested", ""),
            ("intent auth.signUpCancelled", ""),
            ("intent auth.emailCaptured", "email: String"),
            ("intent auth.emailVerified", "email: String"),
            ("intent auth.verificationCancelled", ""),
            ("intent auth.passwordCaptured", ""),
            ("intent auth.loginCompleted", "user: String"),
            ("intent auth.signUpCompleted", "user: String"),
            ("intent auth.cancelled", ""),
            ("flow addPayment", ""),
            ("screen addPayment.paymentForm", ""),
            ("intent addPayment.paymentAdded", "method: String"),
            ("intent addPayment.cancelled", ""),
            ("flow checkout", ""),
            ("screen checkout.checkout", ""),
            ("intent checkout.orderPlaced", "order: String"),
            ("intent checkout.cancelled", ""),
            ("precondition signedIn", ""),
            ("precondition paymentMethod", ""),
            ("precondition freshSignIn", ""),
            ("fact cart", "[String]"),
            ("fact paymentMethod", "String"),
            ("fact order", "String"),
            ("fact review", "String"),
            ("fact unavailable", "[String]"),
            ("fact market", "String"),
            ("fact locale", "String"),
        ]
    )

    /// The values of `section`.
    enum Section: String, CaseIterable, Sendable, ParameterRepresentable {
        case profile
        case privacy
        case payment
    }

    /// The destinations of the app.
    enum Destination: TypedDestination {
        case home
        /// - `slug`: matches "[a-z0-9-]{1,40}".
        case category(slug: String)
        /// - `id`: matches "p[0-9]{1,9}".
        case product(id: String, ref: String? = nil)
        /// - `code`: matches "[A-Z0-9]{4,12}".
        case promo(code: String)
        /// Needs `signedIn`.
        case cart
        /// Needs `signedIn`, `paymentMethod`.
        case checkout
        case orders
        /// - `id`: matches "o[0-9]{1,9}".
        /// Needs `signedIn`.
        case order(id: String)
        case account
        /// Needs `signedIn`.
        case settings(section: Section)
        /// Needs `signedIn`, `freshSignIn`.
        case deleteAccount

        /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
        init(of destination: SceneRouting.Destination) throws(TypedValueError) {
            let parameters = TypedParameters(of: destination)
            switch destination.id {
            case "home": self = .home
            case "category": self = try .category(slug: parameters.value("slug"))
            case "product": self = try .product(id: parameters.value("id"), ref: parameters.optional("ref"))
            case "promo": self = try .promo(code: parameters.value("code"))
            case "cart": self = .cart
            case "checkout": self = .checkout
            case "orders": self = .orders
            case "order": self = try .order(id: parameters.value("id"))
            case "account": self = .account
            case "settings": self = try .settings(section: parameters.value("section"))
            case "deleteAccount": self = .deleteAccount
            default: throw .unknown(destination.id)
            }
        }

        var destination: SceneRouting.Destination {
            switch self {
            case .home:
                SceneRouting.Destination(id: "home")
            case .category(let value0):
                SceneRouting.Destination(id: "category", parameters: TypedParameters.texts(["slug": value0]))
            case .product(let value0, let value1):
                SceneRouting.Destination(id: "product", parameters: TypedParameters.texts(["id": value0, "ref": value1]))
            case .promo(let value0):
                SceneRouting.Destination(id: "promo", parameters: TypedParameters.texts(["code": value0]))
            case .cart:
                SceneRouting.Destination(id: "cart")
            case .checkout:
                SceneRouting.Destination(id: "checkout")
            case .orders:
                SceneRouting.Destination(id: "orders")
            case .order(let value0):
                SceneRouting.Destination(id: "order", parameters: TypedParameters.texts(["id": value0]))
            case .account:
                SceneRouting.Destination(id: "account")
            case .settings(let value0):
                SceneRouting.Destination(id: "settings", parameters: TypedParameters.texts(["section": value0]))
            case .deleteAccount:
                SceneRouting.Destination(id: "deleteAccount")
            }
        }
    }

    /// What any screen may report.
    enum Intent: TypedIntent {
        /// - `id`: matches "p[0-9]{1,9}".
        case productSelected(id: String)
        /// - `slug`: matches "[a-z0-9-]{1,40}".
        case categorySelected(slug: String)
        case cartTapped
        case checkoutTapped
        /// - `id`: matches "o[0-9]{1,9}".
        case orderSelected(id: String)
        /// - `id`: matches "p[0-9]{1,9}".
        case buyNow(id: String)
        case accountTapped
        case reviewed(text: String)
        /// - `id`: matches "p[0-9]{1,9}".
        case addedToCart(id: String)
        case signOutTapped

        /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
        init(of intent: SceneNavigation.Intent) throws(TypedValueError) {
            let parameters = TypedParameters(intent.parameters, of: intent.name)
            switch intent.name {
            case "productSelected": self = try .productSelected(id: parameters.value("id"))
            case "categorySelected": self = try .categorySelected(slug: parameters.value("slug"))
            case "cartTapped": self = .cartTapped
            case "checkoutTapped": self = .checkoutTapped
            case "orderSelected": self = try .orderSelected(id: parameters.value("id"))
            case "buyNow": self = try .buyNow(id: parameters.value("id"))
            case "accountTapped": self = .accountTapped
            case "reviewed": self = try .reviewed(text: parameters.value("text"))
            case "addedToCart": self = try .addedToCart(id: parameters.value("id"))
            case "signOutTapped": self = .signOutTapped
            default: throw .unknown(intent.name)
            }
        }

        var intent: SceneNavigation.Intent {
            switch self {
            case .productSelected(let value0):
                SceneNavigation.Intent(name: "productSelected", parameters: TypedParameters.texts(["id": value0]))
            case .categorySelected(let value0):
                SceneNavigation.Intent(name: "categorySelected", parameters: TypedParameters.texts(["slug": value0]))
            case .cartTapped:
                SceneNavigation.Intent(name: "cartTapped")
            case .checkoutTapped:
                SceneNavigation.Intent(name: "checkoutTapped")
            case .orderSelected(let value0):
                SceneNavigation.Intent(name: "orderSelected", parameters: TypedParameters.texts(["id": value0]))
            case .buyNow(let value0):
                SceneNavigation.Intent(name: "buyNow", parameters: TypedParameters.texts(["id": value0]))
            case .accountTapped:
                SceneNavigation.Intent(name: "accountTapped")
            case .reviewed(let value0):
                SceneNavigation.Intent(name: "reviewed", parameters: TypedParameters.texts(["text": value0]))
            case .addedToCart(let value0):
                SceneNavigation.Intent(name: "addedToCart", parameters: TypedParameters.texts(["id": value0]))
            case .signOutTapped:
                SceneNavigation.Intent(name: "signOutTapped")
            }
        }
    }

    /// The flow `auth`.
    enum AuthFlow {
        /// Its name in the manifest.
        static let name = "auth"

        /// Its screens.
        enum Screen: TypedDestination {
            case login
            case createAccount
            case emailVerification
            case password
            case welcome

            /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
            init(of destination: SceneRouting.Destination) throws(TypedValueError) {
                switch destination.id {
                case "login": self = .login
                case "createAccount": self = .createAccount
                case "emailVerification": self = .emailVerification
                case "password": self = .password
                case "welcome": self = .welcome
                default: throw .unknown(destination.id)
                }
            }

            var destination: SceneRouting.Destination {
                switch self {
                case .login:
                    SceneRouting.Destination(id: "login")
                case .createAccount:
                    SceneRouting.Destination(id: "createAccount")
                case .emailVerification:
                    SceneRouting.Destination(id: "emailVerification")
                case .password:
                    SceneRouting.Destination(id: "password")
                case .welcome:
                    SceneRouting.Destination(id: "welcome")
                }
            }
        }

        /// What its screens may report to it.
        enum Intent: TypedIntent {
            case signUpRequested
            case signUpCancelled
            case emailCaptured(email: String)
            case emailVerified(email: String)
            case verificationCancelled
            case passwordCaptured
            case loginCompleted(user: String)
            case signUpCompleted(user: String)
            case cancelled

            /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
            init(of intent: SceneNavigation.Intent) throws(TypedValueError) {
                let parameters = TypedParameters(intent.parameters, of: intent.name)
                switch intent.name {
                case "signUpRequested": self = .signUpRequested
                case "signUpCancelled": self = .signUpCancelled
                case "emailCaptured": self = try .emailCaptured(email: parameters.value("email"))
                case "emailVerified": self = try .emailVerified(email: parameters.value("email"))
                case "verificationCancelled": self = .verificationCancelled
                case "passwordCaptured": self = .passwordCaptured
                case "loginCompleted": self = try .loginCompleted(user: parameters.value("user"))
                case "signUpCompleted": self = try .signUpCompleted(user: parameters.value("user"))
                case "cancelled": self = .cancelled
                default: throw .unknown(intent.name)
                }
            }

            var intent: SceneNavigation.Intent {
                switch self {
                case .signUpRequested:
                    SceneNavigation.Intent(name: "signUpRequested")
                case .signUpCancelled:
                    SceneNavigation.Intent(name: "signUpCancelled")
                case .emailCaptured(let value0):
                    SceneNavigation.Intent(name: "emailCaptured", parameters: TypedParameters.texts(["email": value0]))
                case .emailVerified(let value0):
                    SceneNavigation.Intent(name: "emailVerified", parameters: TypedParameters.texts(["email": value0]))
                case .verificationCancelled:
                    SceneNavigation.Intent(name: "verificationCancelled")
                case .passwordCaptured:
                    SceneNavigation.Intent(name: "passwordCaptured")
                case .loginCompleted(let value0):
                    SceneNavigation.Intent(name: "loginCompleted", parameters: TypedParameters.texts(["user": value0]))
                case .signUpCompleted(let value0):
                    SceneNavigation.Intent(name: "signUpCompleted", parameters: TypedParameters.texts(["user": value0]))
                case .cancelled:
                    SceneNavigation.Intent(name: "cancelled")
                }
            }
        }
    }

    /// The flow `addPayment`.
    enum AddPaymentFlow {
        /// Its name in the manifest.
        static let name = "addPayment"

        /// Its screens.
        enum Screen: TypedDestination {
            case paymentForm

            /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
            init(of destination: SceneRouting.Destination) throws(TypedValueError) {
                switch destination.id {
                case "paymentForm": self = .paymentForm
                default: throw .unknown(destination.id)
                }
            }

            var destination: SceneRouting.Destination {
                switch self {
                case .paymentForm:
                    SceneRouting.Destination(id: "paymentForm")
                }
            }
        }

        /// What its screens may report to it.
        enum Intent: TypedIntent {
            case paymentAdded(method: String)
            case cancelled

            /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
            init(of intent: SceneNavigation.Intent) throws(TypedValueError) {
                let parameters = TypedParameters(intent.parameters, of: intent.name)
                switch intent.name {
                case "paymentAdded": self = try .paymentAdded(method: parameters.value("method"))
                case "cancelled": self = .cancelled
                default: throw .unknown(intent.name)
                }
            }

            var intent: SceneNavigation.Intent {
                switch self {
                case .paymentAdded(let value0):
                    SceneNavigation.Intent(name: "paymentAdded", parameters: TypedParameters.texts(["method": value0]))
                case .cancelled:
                    SceneNavigation.Intent(name: "cancelled")
                }
            }
        }
    }

    /// The flow `checkout`.
    enum CheckoutFlow {
        /// Its name in the manifest.
        static let name = "checkout"

        /// Its screens.
        enum Screen: TypedDestination {
            case checkout

            /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
            init(of destination: SceneRouting.Destination) throws(TypedValueError) {
                switch destination.id {
                case "checkout": self = .checkout
                default: throw .unknown(destination.id)
                }
            }

            var destination: SceneRouting.Destination {
                switch self {
                case .checkout:
                    SceneRouting.Destination(id: "checkout")
                }
            }
        }

        /// What its screens may report to it.
        enum Intent: TypedIntent {
            /// - `order`: matches "o[0-9]{1,9}".
            case orderPlaced(order: String)
            case cancelled

            /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
            init(of intent: SceneNavigation.Intent) throws(TypedValueError) {
                let parameters = TypedParameters(intent.parameters, of: intent.name)
                switch intent.name {
                case "orderPlaced": self = try .orderPlaced(order: parameters.value("order"))
                case "cancelled": self = .cancelled
                default: throw .unknown(intent.name)
                }
            }

            var intent: SceneNavigation.Intent {
                switch self {
                case .orderPlaced(let value0):
                    SceneNavigation.Intent(name: "orderPlaced", parameters: TypedParameters.texts(["order": value0]))
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
        case orders
        case account
        case auth
        case addPayment
        case checkout
    }

    /// What may be a gate.
    enum Precondition: String, CaseIterable, Sendable {
        case signedIn
        case paymentMethod
        case freshSignIn
    }

    /// The facts of the session.
    enum Fact {
        static let cart = TypedFact<[String]>("cart")
        static let paymentMethod = TypedFact<String>("paymentMethod")
        static let order = TypedFact<String>("order")
        static let review = TypedFact<String>("review")
        static let unavailable = TypedFact<[String]>("unavailable")
        static let market = TypedFact<String>("market")
        static let locale = TypedFact<String>("locale")
    }
}
