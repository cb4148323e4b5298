extension AppManifest {
    /// Everything wrong with the manifest, errors and warnings; a manifest without errors compiles.
    public func problems() -> [ManifestProblem] {
        ManifestCompilation(self, warns: true).problems
    }
}
