/// A service that turns texts into vectors, near each other where the meanings are.
public protocol EmbeddingService: AIServiceProvider {
  /// The vectors of texts, in their order.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  func embed(_ request: EmbeddingRequest) async throws -> EmbeddingReply
}

/// Texts to turn into vectors.
public struct EmbeddingRequest: Sendable, Hashable {
  /// The texts.
  public var texts: [String]
  /// The model; `nil` for the provider's default.
  public var model: String?
  /// How long the vectors shall be; `nil` for the model's own length.
  public var dimensions: Int?

  /// A request.
  public init(_ texts: [String], model: String? = nil, dimensions: Int? = nil) {
    self.texts = texts
    self.model = model
    self.dimensions = dimensions
  }
}

/// The vectors of texts.
public struct EmbeddingReply: Sendable, Hashable {
  /// A vector for each text, in their order.
  public var vectors: [[Float]]
  /// What it took.
  public var usage: ServiceUsage

  /// A reply.
  public init(vectors: [[Float]], usage: ServiceUsage = ServiceUsage()) {
    self.vectors = vectors
    self.usage = usage
  }
}
