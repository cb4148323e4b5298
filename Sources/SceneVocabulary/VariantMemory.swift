/// For how many users a host keeps which variants were chosen (<doc:/SceneRuntime/Limits>).
package enum VariantMemory {
    /// How many users; nobody, who is whoever is not signed in, counts as one.
    package static let users = 1_000
}
