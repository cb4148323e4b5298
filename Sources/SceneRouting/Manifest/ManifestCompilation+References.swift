extension ManifestCompilation {
    mutating func checkReferences() {}
}
