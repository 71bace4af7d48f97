/// A service that computes embeddings of texts.
public protocol EmbeddingService: AIServiceProvider {
  /// Computes the embeddings of texts, in their order.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  func embed(_ request: EmbeddingRequest) async throws -> EmbeddingReply
}

/// A request for the embeddings of texts.
public struct EmbeddingRequest: Sendable, Hashable {
  /// The texts to embed.
  public var texts: [String]
  /// The model; `nil` for the provider's default.
  public var model: String?
  /// The length of the embeddings; `nil` for the model's default.
  public var dimensions: Int?

  /// Creates a request for texts.
  public init(_ texts: [String], model: String? = nil, dimensions: Int? = nil) {
    self.texts = texts
    self.model = model
    self.dimensions = dimensions
  }
}

/// The embeddings of texts.
public struct EmbeddingReply: Sendable, Hashable {
  /// One embedding per text, in their order.
  public var vectors: [[Float]]
  /// The usage of the request.
  public var usage: ServiceUsage

  /// Creates a reply with embeddings.
  public init(vectors: [[Float]], usage: ServiceUsage = ServiceUsage()) {
    self.vectors = vectors
    self.usage = usage
  }
}
