import SpeechConcurrency

/// A registry of providers by identifier and capability.
///
/// ```swift
/// AIServiceManager.shared.register(OpenAIProvider())
/// let writers = AIServiceManager.shared.providers(withCapability: .textGeneration)
/// ```
public final class AIServiceManager: Sendable {
  /// The registry of the whole program.
  public static let shared = AIServiceManager()

  private let registered = Guarded<[any AIServiceProvider]>([])

  /// Creates an empty registry.
  public init() {}

  /// Adds a provider, replacing one with the same identifier.
  public func register(_ provider: any AIServiceProvider) {
    registered.withLock { providers in
      if let index = providers.firstIndex(where: { $0.id == provider.id }) {
        providers[index] = provider
      } else {
        providers.append(provider)
      }
    }
  }

  /// Removes the provider with that identifier, if there is one.
  public func unregister(id: String) {
    registered.withLock { providers in providers.removeAll { $0.id == id } }
  }

  /// Removes all providers from the registry.
  public func unregisterAll() {
    registered.withLock { $0 = [] }
  }

  /// All providers, in the order in which they were registered.
  public func allProviders() -> [any AIServiceProvider] {
    registered.withLock { $0 }
  }

  /// The providers with that capability, in the order in which they were registered.
  public func providers(withCapability capability: AICapability) -> [any AIServiceProvider] {
    allProviders().filter { $0.capabilities.contains(capability) }
  }

  /// The providers of a kind of service, such as `SpeechService` or `TranscriptionService`, in the
  /// order in which they were registered.
  public func providers<Service>(of type: Service.Type) -> [Service] {
    allProviders().compactMap { $0 as? Service }
  }

  /// The provider with that identifier.
  public func provider(id: String) -> (any AIServiceProvider)? {
    allProviders().first { $0.id == id }
  }
}
