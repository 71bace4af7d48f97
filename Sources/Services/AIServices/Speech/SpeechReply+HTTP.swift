import Foundation

extension SpeechReply {
  /// Creates a reply from a response, in the format of its content type, or else in the requested
  /// one. Throws `AIServiceError` if the body is not audio.
  init(
    _ response: HTTPResponse, of client: ServiceClient, asked: ResponseContent.AudioFormat,
    sampleRate: Int?
  ) async throws {
    let type = AudioContentType(response.headers["content-type"] ?? "")
    if type.isText {
      let body = try await response.body.collected(upTo: 64 << 10)
      throw client.reportedFailure(in: body)
        ?? AIServiceError.unexpectedResponseFormat(
          "\(client.name) returned \(type.name) instead of audio. Check the address.")
    }
    let format = type.format ?? asked
    let body = response.body
    self.init(
      format: format, sampleRate: format == .pcm ? type.sampleRate ?? sampleRate : nil,
      pieces: AsyncThrowingStream { try await body.next().map { SpeechFragment(audio: $0) } })
  }
}

/// The information about audio in a content type.
struct AudioContentType {
  let name: String
  private let parameters: [String: String]

  init(_ text: String) {
    let parts = text.lowercased().split(separator: ";").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    name = parts.first ?? ""
    parameters = parts.dropFirst().reduce(into: [:]) { found, part in
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      if sides.count == 2 { found[sides[0]] = sides[1].trimmingCharacters(in: ["\""]) }
    }
  }

  var isText: Bool {
    name.hasPrefix("text/") || name.hasSuffix("json") || name.hasSuffix("xml")
  }

  var format: ResponseContent.AudioFormat? {
    switch name {
    case "audio/mpeg", "audio/mp3": .mp3
    case "audio/wav", "audio/x-wav", "audio/wave": .wav
    case "audio/aac": .aac
    case "audio/flac", "audio/x-flac": .flac
    case "audio/opus": .opus
    case "audio/pcm", "audio/l16": .pcm
    default: nil
    }
  }

  /// The rate of headerless audio.
  var sampleRate: Int? {
    parameters["rate"].flatMap(Int.init).flatMap { (1_000...384_000).contains($0) ? $0 : nil }
  }
}
