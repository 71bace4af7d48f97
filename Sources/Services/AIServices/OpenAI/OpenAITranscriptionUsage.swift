/// The resources of a transcription, as a response states them: tokens or seconds.
struct OpenAITranscriptionUsage: Decodable {
  var inputTokens: Int?
  var outputTokens: Int?
  var seconds: Double?

  enum CodingKeys: String, CodingKey {
    case seconds
    case inputTokens = "input_tokens"
    case outputTokens = "output_tokens"
  }
}
