/// A capability of a service: content that `AIServiceProvider.generate` delivers.
public enum AICapability: Sendable, Hashable {
  /// Generates text from text.
  case textGeneration
  /// Generates speech or other audio.
  case audioGeneration
  /// Generates images from text.
  case imageGeneration
  /// Generates videos from text.
  case videoGeneration
  /// Generates JSON or other structured data.
  case structuredData
  /// Computes embeddings for semantic search.
  case embeddings
  /// Transcribes speech to text.
  case transcription
  /// Describes or analyses images.
  case imageAnalysis
  /// Generates source code from text.
  case codeGeneration
  /// A capability specific to the provider.
  case custom(String)

  /// All capabilities except custom ones.
  public static let allStandardCases: [AICapability] = [
    .textGeneration, .audioGeneration, .imageGeneration, .videoGeneration, .structuredData,
    .embeddings, .transcription, .imageAnalysis, .codeGeneration,
  ]

  /// The name in stored data.
  public var rawValue: String {
    switch self {
    case .textGeneration: "text_generation"
    case .audioGeneration: "audio_generation"
    case .imageGeneration: "image_generation"
    case .videoGeneration: "video_generation"
    case .structuredData: "structured_data"
    case .embeddings: "embeddings"
    case .transcription: "transcription"
    case .imageAnalysis: "image_analysis"
    case .codeGeneration: "code_generation"
    case .custom(let name): name
    }
  }

  /// The name shown to the user.
  public var displayName: String {
    if case .custom(let name) = self { return name }
    return rawValue.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined(separator: " ")
  }
}

extension AICapability: Codable {
  /// Decodes the stored name; an unknown one is a custom capability.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    self = Self.allStandardCases.first { $0.rawValue == name } ?? .custom(name)
  }

  /// Encodes the stored name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
