import SceneNavigation
import Testing

@Suite struct IntentTests {
    @Test(
        arguments: [
            (Intent(name: "cartTapped"), "cartTapped"), (Intent(name: "add", parameters: ["id": "p1"]), "add(id: p1)"),
            (Intent(name: "add", parameters: ["n": "2", "id": "p1", "a": ""]), "add(a: , id: p1, n: 2)"),
        ]
    )
    func `an intent in words has its parameters by name`(intent: Intent, words: String) {
        #expect("\(intent)" == words)
    }
}
