public import SceneRouting

extension AppManifest {
    /// The built-in app's manifest as YAML, the same as `Resources/shop.yaml`: a static binary has no bundle to read from.
    public static let builtInShopText = #"""
        # The built-in app: a quick-commerce shop. It is an ordinary manifest and the example to copy.
        version: "1"
        name: Shop
        appIDs: [ABCDE12345.com.example.shop]
        schemes: [qcommerce]

        # What https://shop.example/.well-known/apple-app-site-association would say.
        associatedDomains:
          shop.example:
            applinks:
              details:
                - appIDs: [ABCDE12345.com.example.shop]
                  components:
                    - { "/": "/help/*", exclude: true, comment: Help stays in the browser }
                    - { "/": "/product/*" }
                    - { "/": "/p/*" }
                    - { "/": "/category/*" }
                    - { "/": "/promo/*" }
                    - { "/": "/cart" }
                    - { "/": "/checkout" }
                    - { "/": "/orders" }
                    - { "/": "/order/*" }
                    - { "/": "/account" }
                    - { "/": "/account/*" }
                    - { "/": "/produkt/*", comment: Market de }
                    - { "/": "/warenkorb", comment: Market de }

        markets: [de]

        facts:
          cart: { type: strings, default: [] }
          paymentMethod: { type: string }
          order: { type: string }
          unavailable: { type: strings, scope: app, default: [] }
          market: { type: string, scope: app }
          locale: { type: string, scope: app }

        preconditions:
          signedIn: { holds: signedIn, flow: auth }
          paymentMethod: { holds: { present: paymentMethod }, flow: addPayment }

        conditions:
          cartNotEmpty:
            holds: { present: cart }
            reason: the cart is empty
          inStock:
            holds: { not: { fact: unavailable, contains: { parameter: id } } }
            reason: the product is out of stock

        tabs: { home: home, orders: orders, account: account }

        destinations:
          home:
            tab: home
            routes: ["qcommerce://home"]
          category:
            ancestry: [home]
            parameters:
              slug: { pattern: "[a-z0-9-]{1,40}" }
            routes: ["/category/{slug}", "qcommerce://category/{slug}"]
          product:
            ancestry: [home]
            repeats: true
            parameters:
              id: { pattern: "p[0-9]{1,9}" }
              ref: { type: string, optional: true }
            conditions: [inStock]
            routes:
              - { pattern: "/produkt/{id}?ref={ref?}", markets: [de] }
              - "/product/{id}?ref={ref?}"
              - "/p/{id}?ref={ref?}"
              - "qcommerce://product/{id}?ref={ref?}"
              - "qcommerce://p/{id}?ref={ref?}"
          promo:
            ancestry: [home]
            parameters:
              code: { pattern: "[A-Z0-9]{4,12}" }
            routes: ["/promo/{code}", "qcommerce://promo/{code}"]
          cart:
            ancestry: [home]
            preconditions: [signedIn]
            routes:
              - { pattern: /warenkorb, markets: [de] }
              - /cart
              - "qcommerce://cart"
          checkout:
            ancestry: [home, cart]
            presentation: fullScreen
            flow: checkout
            preconditions: [signedIn, paymentMethod]
            conditions: [cartNotEmpty]
            routes: [/checkout, "qcommerce://checkout"]
          orders:
            tab: orders
            routes: [/orders, "qcommerce://orders"]
          order:
            ancestry: [orders]
            parameters:
              id: { pattern: "o[0-9]{1,9}" }
            preconditions: [signedIn]
            routes: ["/order/{id}", "qcommerce://order/{id}"]
          account:
            tab: account
            routes: [/account, "qcommerce://account"]
          settings:
            ancestry: [account]
            parameters:
              section: { oneOf: [profile, privacy, payment] }
            preconditions: [signedIn]
            routes: ["/account/settings/{section}", "qcommerce://account/settings/{section}"]

        # Links of the app's first years name their destination in the query.
        routes:
          - pattern: "qcommerce://deeplink?target={target}&**"
            destination: "{target}"
            printed: false

        flows:
          auth:
            style: sheet
            completionNeedsUser: true
            screens:
              - login
              - createAccount
              - emailVerification
              - { id: password, hidesBack: true }
              - { id: welcome, hidesBack: true }
            intents:
              signUpRequested:
                screens: [login]
                effects: [{ push: createAccount }]
              signUpCancelled:
                screens: [createAccount]
                effects: [back]
              emailCaptured:
                screens: [createAccount]
                parameters: { email: { type: string } }
                effects: [{ push: emailVerification }]
              emailVerified:
                screens: [emailVerification]
                parameters: { email: { type: string } }
                effects: [{ replace: password }]
              verificationCancelled:
                screens: [emailVerification]
                effects: [back]
              passwordCaptured:
                screens: [password]
                effects: [{ replace: welcome }]
              loginCompleted:
                screens: [login]
                parameters: { user: { type: string } }
                effects: [{ complete: { user: user } }]
              signUpCompleted:
                screens: [welcome]
                parameters: { user: { type: string } }
                effects: [{ complete: { user: user } }]
              cancelled:
                effects: [cancel]
          addPayment:
            style: sheet
            screens: [paymentForm]
            intents:
              paymentAdded:
                parameters: { method: { type: string } }
                effects:
                  - { set: paymentMethod, value: { parameter: method } }
                  - complete
              cancelled:
                effects: [cancel]
          checkout:
            style: fullScreen
            screens: [checkout]
            intents:
              orderPlaced:
                parameters: { order: { pattern: "o[0-9]{1,9}" } }
                effects:
                  - { set: order, value: { parameter: order } }
                  - complete
              cancelled:
                effects: [cancel]
            completion:
              - { reset: cart }
              - { route: order, parameters: { id: { fact: order } } }

        intents:
          productSelected:
            parameters: { id: { pattern: "p[0-9]{1,9}" } }
            effects: [{ route: product, parameters: { id: { parameter: id } } }]
          categorySelected:
            parameters: { slug: { pattern: "[a-z0-9-]{1,40}" } }
            effects: [{ route: category, parameters: { slug: { parameter: slug } } }]
          cartTapped:
            effects: [{ route: cart }]
          checkoutTapped:
            effects: [{ route: checkout }]
          orderSelected:
            parameters: { id: { pattern: "o[0-9]{1,9}" } }
            effects: [{ route: order, parameters: { id: { parameter: id } } }]
          buyNow:
            parameters: { id: { pattern: "p[0-9]{1,9}" } }
            effects:
              - { append: cart, value: { parameter: id } }
              - { route: cart }
          accountTapped:
            effects: [{ route: account }]
          signOutTapped:
            effects: [signOut]

        configurations:
          default: {}
          detail:
            canActivate: { beginsWith: product/ }
            prefers: { beginsWith: product/ }

        adapters:
          - name: push-url
            kinds: [push]
            priority: 10
            when: [{ present: payload.url }]
            url: "{payload.url}"
          - name: push-route
            kinds: [push]
            when: [{ present: payload.route }]
            destination: "{payload.route}"
            parametersFrom: payload.parameters
          - name: widget-url
            kinds: [widget]
            priority: 10
            when: [{ present: url }]
            url: "{url}"
          - name: widget-order-status
            kinds: [widget]
            when: [{ path: kind, equals: order-status }, { present: userInfo.order }]
            destination: order
            parameters: { id: "{userInfo.order}" }
          - name: handoff
            kinds: [activity]
            when: [{ path: activityType, equals: com.example.shop.view }, { present: userInfo.destination }]
            destination: "{userInfo.destination}"
            parametersFrom: userInfo.parameters
          # A Spotlight item's identifier is the destination and its parameter.
          - name: spotlight-product
            kinds: [activity]
            when:
              - { path: activityType, equals: com.apple.corespotlightitem }
              - { path: userInfo.kCSSearchableItemActivityIdentifier, matches: "product/{id}" }
            destination: product
            parameters: { id: "{id}" }
          - name: spotlight-category
            kinds: [activity]
            when:
              - { path: activityType, equals: com.apple.corespotlightitem }
              - { path: userInfo.kCSSearchableItemActivityIdentifier, matches: "category/{slug}" }
            destination: category
            parameters: { slug: "{slug}" }
          - name: spotlight-promo
            kinds: [activity]
            when:
              - { path: activityType, equals: com.apple.corespotlightitem }
              - { path: userInfo.kCSSearchableItemActivityIdentifier, matches: "promo/{code}" }
            destination: promo
            parameters: { code: "{code}" }
          - name: spotlight-order
            kinds: [activity]
            when:
              - { path: activityType, equals: com.apple.corespotlightitem }
              - { path: userInfo.kCSSearchableItemActivityIdentifier, matches: "order/{id}" }
            destination: order
            parameters: { id: "{id}" }
          - name: spotlight-settings
            kinds: [activity]
            when:
              - { path: activityType, equals: com.apple.corespotlightitem }
              - { path: userInfo.kCSSearchableItemActivityIdentifier, matches: "settings/{section}" }
            destination: settings
            parameters: { section: "{section}" }
          # A destination without parameters is its own identifier.
          - name: spotlight-place
            kinds: [activity]
            priority: -10
            when:
              - { path: activityType, equals: com.apple.corespotlightitem }
              - { path: userInfo.kCSSearchableItemActivityIdentifier, matches: "{destination}" }
            destination: "{destination}"
          - name: shortcut-cart
            kinds: [shortcut]
            when: [{ path: type, equals: com.example.shop.cart }]
            destination: cart
          - name: shortcut-orders
            kinds: [shortcut]
            when: [{ path: type, equals: com.example.shop.orders }]
            destination: orders

        policies:
          whileGated: supersede
          maximumScenes: 64

        """#
}
