/// What a service can do.
public enum AICapability: Sendable, Hashable {
  /// Text from text.
  case textGeneration
  /// Speech and other sound.
  case audioGeneration
  /// Pictures.
  case imageGeneration
  /// Moving pictures.
  case videoGeneration
  /// JSON and the like.
  case structuredData
  /// Vectors for searching by meaning.
  case embeddings
  /// Text from speech.
  case transcription
  /// Text about pictures.
  case imageAnalysis
  /// Program text.
  case codeGeneration
  /// Something of the provider's own.
  case custom(String)

  /// All but the providers' own.
  public static let allStandardCases: [AICapability] = [
    .textGeneration, .audioGeneration, .imageGeneration, .videoGeneration, .structuredData,
    .embeddings, .transcription, .imageAnalysis, .codeGeneration,
  ]

  /// The name that is stored.
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

  /// The name that is shown.
  public var displayName: String {
    if case .custom(let name) = self { return name }
    return rawValue.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined(separator: " ")
  }
}

extension AICapability: Codable {
  /// Reads the stored name; an unknown one is a provider's own.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    self = Self.allStandardCases.first { $0.rawValue == name } ?? .custom(name)
  }

  /// Writes the stored name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
