"""Random arguments for any method, ordinary and extreme."""

# Words that get further into the daemon than noise does, by the name of the parameter.
PLAUSIBLE = {
    "url": ["https://shop.example/cart", "https://shop.example/product/p7", "qcommerce://product/p9", "qcommerce://cart"],
    "urls": ["qcommerce://product/p9", "qcommerce://cart", "qcommerce://orders", "qcommerce:promo/SPRING", "https://shop.example/cart"],
    "order": [[1, 2], [2, 1], [3, 1, 2], [1, 1]],
    "user": ["anna", "ben"],
    "kinds": ["push", "widget", "dispatch", "gate"],
    "activityType": ["com.example.shop.view", "NSUserActivityTypeBrowsingWeb"],
    "webpageURL": ["https://shop.example/product/p3"],
    "payload": [{"aps": {"alert": "x"}, "link": "qcommerce://cart"}, {"aps": {"content-available": 1}}],
    "event": ["e1", "e2", {"url": "https://shop.example/cart"}, {"aps": {"alert": "x"}}],
    "flow": ["auth", "login", "root"],
    "name": ["loginCompleted", "campaign"],
}
# Each of these is compared or hashed slowly by code that takes text for characters.
MARKS = "a" + "\u0301" * 50 + "\u0323" * 50
NUMBERS = [0, 1, -1, 7, 100, 2**31, 2**53, 2**63 - 1, -(2**63), 2**63, 10**400, 1e308, -0.0, 0.5]


class Values:
    """Makes arguments from a seeded source of random numbers. `windows` are the attackers' own: what is asked of a window by
    name never concerns anybody else's."""

    def __init__(self, random, windows):
        self.random, self.windows = random, windows

    def arguments(self, method, extreme=0.2, **fixed):
        arguments = {}
        for name, kind in method.parameters:
            if name == "scene":
                arguments[name] = self.random.choice(self.windows)
            elif name in fixed:
                arguments[name] = fixed[name]
            elif kind[0] != "?" or self.random.random() < 0.6:
                arguments[name] = self.value(name, kind, method.types, extreme)
        return arguments

    def value(self, name, kind, types, extreme, depth=0):
        random = self.random
        if random.random() < extreme:
            return self.extreme()
        if name in PLAUSIBLE and depth == 0 and kind not in ("bool", "int"):
            words = PLAUSIBLE[name]
            if kind in (("[]", "string"), ("?", ("[]", "string"))):
                return random.choices(words, k=random.randrange(1, 5))
            return random.choice(words)
        if depth > 6:
            return None
        match kind:
            case "string":
                return self.text()
            case "int":
                return random.choice(NUMBERS[:10])
            case "float":
                return random.choice(NUMBERS)
            case "bool":
                return random.random() < 0.5
            case "object":
                return {self.text(): random.choice([1, "x", None, [1], {"y": True}]) for _ in range(random.randrange(4))}
            case ("?", inner):
                return self.value(name, inner, types, extreme, depth) if random.random() < 0.8 else None
            case ("[]", inner):
                return [self.value(name, inner, types, extreme, depth + 1) for _ in range(random.randrange(5))]
            case ("map", inner):
                return {
                    self.text(): self.value(name, inner, types, extreme, depth + 1) for _ in range(random.randrange(4))
                }
            case ("enum", names):
                return random.choice(names)
            case ("struct", fields):
                return {field: self.value(field, inner, types, extreme, depth + 1) for field, inner in fields}
            case _:
                return self.value(name, types[kind], types, extreme, depth + 1) if kind in types else None

    def text(self):
        return self.random.choice(["", "x", "home", "product", "signedIn", "é", "e\u0301", MARKS, "\x00", "😀" * 9, "a/b?c#d"])

    def extreme(self):
        random = self.random
        return random.choice(
            [
                lambda: self.long(),
                lambda: random.choice(NUMBERS),
                lambda: None,
                lambda: "\ud800",
                lambda: [random.choice(NUMBERS)] * random.choice([1, 100, 10_000]),
                lambda: [self.text() for _ in range(1_000)],
                lambda: {f"{self.text()}{number}": number for number in range(random.choice([10, 3_000]))},
                lambda: nested(random.choice([8, 60, 500])),
            ]
        )()

    def long(self, length=None):
        """Text of some length, of one letter or with combining marks of alternating class."""
        length = length or self.random.choice([129, 257, 5_000, 100_000])
        return self.random.choice(["x" * length, "a" + "\u0301" * (length // 4) + "\u0323" * (length // 4)])


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value
