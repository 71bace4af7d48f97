import SpeechCore

/// The catalogue in which a program looks up the backends that its options name.
package protocol CatalogSource: Sendable {
  static var catalog: SpeechCatalog { get }
}

extension SpeechCatalog {
  /// The names by which recognisers are chosen.
  package var recogniserNames: [String] { recognisers.flatMap { $0.variants + [$0.name] } }

  /// Looks something up, and reports an unknown name as a usage error.
  package func lookUp<Value>(
    _ find: (SpeechCatalog) throws(SpeechCatalogError) -> Value
  ) throws(UsageError) -> Value {
    do throws(SpeechCatalogError) {
      return try find(self)
    } catch {
      throw UsageError(error.localizedDescription)
    }
  }
}
