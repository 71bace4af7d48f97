/// Options that several commands share, as properties with `@Option`, `@Flag` and `@Argument`.
///
/// A command has them by way of a property: `var recognition = RecognitionOptions()`.
package protocol OptionGroup: Sendable {
  init()

  /// Checks that the options do not contradict each other, before the command runs.
  func validate() throws
}

extension OptionGroup {
  package func validate() throws {}

  /// The properties that take values from the command line, in the order of the source, those of
  /// groups included.
  package var argumentProperties: [any ArgumentProperty] {
    Mirror(reflecting: self).children.flatMap { child in
      switch child.value {
      case let property as any ArgumentProperty: [property]
      case let group as any OptionGroup: group.argumentProperties
      default: [any ArgumentProperty]()
      }
    }
  }

  /// True if any of its options or arguments was given.
  package var isAnyGiven: Bool { argumentProperties.contains { $0.isGiven } }

  /// Validates the groups within it and then itself.
  package func validateAll() throws {
    for child in Mirror(reflecting: self).children {
      try (child.value as? any OptionGroup)?.validateAll()
    }
    try validate()
  }
}
