import Foundation

extension OpenAIProvider: SpeechService {
  private struct Body: Encodable {
    var model: String?
    var input: String
    var voice: String?
    var instructions: String?
    var responseFormat: String
    var speed: Double?
    var sampleRate: Int?

    enum CodingKeys: String, CodingKey {
      case model, input, voice, instructions, speed
      case responseFormat = "response_format"
      case sampleRate = "sample_rate"
    }
  }

  private struct VoiceList: Decodable {
    /// Newer servers list objects, and older ones names.
    struct Entry: Decodable {
      var id: String
      var name: String?

      private enum CodingKeys: String, CodingKey { case id, name }

      init(from decoder: any Decoder) throws {
        if let id = try? decoder.singleValueContainer().decode(String.self) {
          self.id = id
        } else {
          let container = try decoder.container(keyedBy: CodingKeys.self)
          id = try container.decode(String.self, forKey: .id)
          name = try container.decodeIfPresent(String.self, forKey: .name)
        }
      }
    }

    var voices: [Entry]
  }

  /// OpenAI's voices in November 2026.
  private static let ownVoices = [
    "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage",
    "shimmer", "verse",
  ]

  /// The maximum number of characters: 4096 for all models.
  public func characterLimit(model: String?) -> Int { 4_096 }

  /// Lists OpenAI's own voices, or those of the server.
  public func voices() async throws -> [ServiceVoice] {
    guard configuration.listsVoices else {
      return Self.ownVoices.map { ServiceVoice(id: $0, name: $0.capitalized) }
    }
    let list: VoiceList = try await client.json(for: .get("audio/voices"))
    return list.voices.map { ServiceVoice(id: $0.id, name: $0.name ?? $0.id) }
  }

  /// Synthesises speech as a stream.
  public func speak(_ request: SpeechRequest) async throws -> SpeechReply {
    let model = request.model ?? configuration.speechModel
    let voice = request.voice ?? configuration.voice
    let body = Body(
      model: model.isEmpty ? nil : model, input: request.text, voice: voice.isEmpty ? nil : voice,
      instructions: request.instructions, responseFormat: try Self.wireName(of: request.format),
      speed: request.speed,
      sampleRate: configuration.sendsSampleRate && request.format == .pcm
        ? configuration.speechSampleRate : nil)
    var call = try ServiceCall.post(
      "audio/speech", json: JSONBody(body: body, extra: request.extra), model: model
    ).accepting("audio/*")
    call.timeouts = request.timeouts
    call.retries = request.retries
    let response = try await client.response(to: call)
    client.record(ServiceUsage(requests: 1, characters: request.text.count), model: model)
    return try await SpeechReply(
      response, of: client, asked: request.format, sampleRate: configuration.speechSampleRate)
  }

  private static func wireName(
    of format: ResponseContent.AudioFormat
  ) throws(AIServiceError) -> String {
    switch format {
    case .mp3, .wav, .aac, .flac, .opus, .pcm: return format.rawValue
    case .ogg: return "opus"
    case .unknown:
      throw .invalidRequest("Request speech as mp3, opus, aac, flac, wav or pcm.")
    }
  }
}
