/// Checks to which other destinations a destination may lead.
extension ManifestCompilation {
    mutating func checkVariants() {
        for (index, destination) in manifest.destinations.enumerated() where !destination.variants.isEmpty {
            let key = "destinations.\(destination.id).variants"
            if destination.variants.count > Self.maximumParts {
                error(
                    key,
                    "there are \(destination.variants.count) variants",
                    expected: "at most \(Self.maximumParts)"
                )
            }
            if case .tab = destination.presentation {
                error(
                    key,
                    "the root of a tab is shown without anybody being led to it",
                    expected: "variants of a destination that is not the root of a tab"
                )
            }
            if manifest.fallback?.id == destination.id {
                error(
                    key,
                    "'\(destination.id)' is the app's fallback, which is shown for what leads nowhere",
                    expected: "a fallback without variants"
                )
            }
            for (position, variant) in destination.variants.prefix(Self.maximumParts).enumerated() {
                check(variant, of: index, at: "\(key)[\(position)]")
            }
        }
    }

    private mutating func check(_ variant: VariantDeclaration, of index: Int, at key: String) {
        let id = manifest.destinations[index].id
        if variant.when.usesParameter {
            error(
                "\(key).when",
                "a variant is chosen once for a user, whatever the parameters are",
                expected: "a condition that looks at no parameter"
            )
        } else {
            check(variant.when, at: "\(key).when", parameters: nil)
        }
        guard check(variant.destination, isOneOf: destinationNames, "destination", at: "\(key).destination"),
            let other = destinationIndex[variant.destination]
        else { return }
        if other == index {
            return error(
                "\(key).destination",
                "'\(id)' is its own variant",
                expected: "another destination; '\(id)' is shown when no variant's condition holds"
            )
        }
        if !manifest.destinations[other].variants.isEmpty {
            error(
                "\(key).destination",
                "'\(variant.destination)' has variants itself",
                expected: "a destination without variants"
            )
        }
        checkParameters(of: other, from: index, at: "\(key).destination")
    }

    /// Checks that a variant can take its parameters from those of the same names and types.
    private mutating func checkParameters(of variant: Int, from index: Int, at key: String) {
        let (id, name) = (manifest.destinations[index].id, manifest.destinations[variant].id)
        for parameter in parameters[variant] {
            let declaration = parameter.declaration
            let isNeeded = ![declaration].areGiven(by: [:])
            guard let own = parameters[index].first(where: { $0.declaration.name == declaration.name }) else {
                guard isNeeded else { continue }
                let known = parameters[index].map(\.declaration.name)
                error(
                    key,
                    "'\(name)' requires the parameter '\(declaration.name)', which '\(id)' does not have",
                    expected: known.isEmpty
                        ? "a variant that requires no parameter" : "one of \(known.joined(separator: ", "))",
                    suggestion: Spelling.nearest(to: declaration.name, among: known)
                )
                continue
            }
            if own.check != parameter.check {
                error(
                    key,
                    "'\(name)' and '\(id)' have a parameter '\(declaration.name)' of different types",
                    expected: own.check.expectation
                )
            } else if isNeeded, own.mayBeAbsent {
                error(
                    key,
                    "'\(name)' requires the parameter '\(declaration.name)', which may be absent in '\(id)'",
                    expected: "a parameter '\(declaration.name)' that is required there, too, or has a default"
                )
            }
        }
    }

    // MARK: - Warnings

    /// Finds variants that need less than the destination in whose place they are shown: once shown, they stay when that does not
    /// hold any more.
    mutating func findVariantsThatNeedLess() {
        for destination in manifest.destinations {
            for (position, variant) in destination.variants.enumerated() {
                guard let other = declaration(variant.destination) else { continue }
                let needed = destination.preconditions + destination.conditions
                guard let lacking = needed.first(where: { !(other.preconditions + other.conditions).contains($0) })
                else { continue }
                warning(
                    "destinations.\(destination.id).variants[\(position)].destination",
                    "'\(other.id)' does not need '\(lacking)', as '\(destination.id)' does, so it stays on screen when "
                        + "that no longer holds",
                    expected: "'\(lacking)' among what '\(other.id)' needs"
                )
            }
        }
    }

    /// Finds variants before which another is chosen whenever they could be, those whose condition never holds, and two that lead to
    /// the same destination.
    mutating func findVariantsThatAreNeverChosen() {
        for destination in manifest.destinations {
            var places: [String: Int] = [:]
            let conditions = destination.variants.map(\.when)
            for (position, variant) in destination.variants.enumerated() {
                let key = "destinations.\(destination.id).variants[\(position)]"
                if variant.when == .not(.always) {
                    warning("\(key).when", "this never holds, so '\(variant.destination)' is never chosen")
                } else if let hiding = reading.hidden(variant.when, by: conditions[..<position]) {
                    let name =
                        if case .one(let place) = hiding { "variants[\(place)]" } else { "one of those before it" }
                    warning(
                        "\(key).when",
                        "\(name) is chosen whenever this holds, so '\(variant.destination)' never is",
                        expected: "a condition that may hold while that of \(name) does not, or this one before it"
                    )
                } else if let other = places[variant.destination] {
                    warning(
                        "\(key).destination",
                        "'\(variant.destination)' is the destination of variants[\(other)] already",
                        expected: "one variant for both conditions, with 'any', or another destination"
                    )
                }
                places[variant.destination] = places[variant.destination] ?? position
            }
        }
    }
}

extension CompiledDestination.Parameter {
    /// Whether a request may come without a value of it.
    fileprivate var mayBeAbsent: Bool {
        !declaration.isRequired && declaration.defaultValue == nil && declaration.variantDefaults.isEmpty
    }
}
