import Foundation

extension ElevenLabsProvider: SpeechService {
  /// The maximum number of characters that the model accepts, as reported in autumn 2026.
  public func characterLimit(model: String?) -> Int {
    switch model ?? configuration.model {
    case "eleven_flash_v2_5": 40_000
    case "eleven_flash_v2": 30_000
    case "eleven_v4", "eleven_v4_turbo", "eleven_multilingual_v2": 10_000
    default: 5_000
    }
  }

  /// Synthesises speech as a stream, with character timings if requested.
  public func speak(_ request: SpeechRequest) async throws -> SpeechReply {
    let model = request.model ?? configuration.model
    let voice = ServiceEndpoint.segment(request.voice ?? configuration.voice)
    let path =
      "v1/text-to-speech/\(voice)/stream" + (request.wantsTimings ? "/with-timestamps" : "")
    var query = [("output_format", try outputFormat(request.format))]
    if !configuration.allowsLogging { query.append(("enable_logging", "false")) }
    let body = ElevenLabsBody(request, configuration: configuration)
    var call = try ServiceCall.post(
      path, json: JSONBody(body: body, extra: request.extra), query: query, model: model)
    call.timeouts = request.timeouts
    call.retries = request.retries
    let response = try await client.response(to: call)
    client.record(
      ServiceUsage(
        requests: 1,
        characters: response.headers["character-cost"].flatMap(Int.init) ?? request.text.count),
      model: model)
    let rate = request.format == .pcm ? configuration.sampleRate : nil
    guard request.wantsTimings else {
      return try await SpeechReply(
        response, of: client, asked: request.format, sampleRate: rate)
    }
    let pieces = ElevenLabsTimedPieces(response.body, client: client)
    return SpeechReply(
      format: request.format, sampleRate: rate,
      pieces: AsyncThrowingStream { try await pieces.next() })
  }

  private func outputFormat(
    _ format: ResponseContent.AudioFormat
  ) throws(AIServiceError) -> String {
    switch format {
    case .mp3: return "mp3_44100_128"
    case .pcm: return "pcm_\(configuration.sampleRate)"
    case .wav: return "wav_\(configuration.sampleRate)"
    case .opus, .ogg: return "opus_48000_64"
    case .aac, .flac, .unknown:
      throw .invalidRequest("ElevenLabs supports mp3, pcm, wav and opus. Request one of these.")
    }
  }
}
