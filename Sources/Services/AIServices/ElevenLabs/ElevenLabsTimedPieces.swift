import Foundation

/// Parses speech with timings: one JSON object per line.
actor ElevenLabsTimedPieces {
  private struct Line: Decodable {
    struct Alignment: Decodable {
      var characters: [String]
      var starts: [Double]
      var ends: [Double]

      enum CodingKeys: String, CodingKey {
        case characters
        case starts = "character_start_times_seconds"
        case ends = "character_end_times_seconds"
      }
    }

    var audio: String?
    var alignment: Alignment?

    enum CodingKeys: String, CodingKey {
      case alignment
      case audio = "audio_base64"
    }
  }

  private let body: HTTPBody
  private let client: ServiceClient
  private var lines = LineParser()

  init(_ body: HTTPBody, client: ServiceClient) {
    self.body = body
    self.client = client
  }

  func next() async throws -> SpeechFragment? {
    while true {
      while let line = try nextLine() {
        if let piece = try piece(line) { return piece }
      }
      guard let bytes = try await body.next() else {
        return try lines.finish().flatMap { try piece($0) }
      }
      lines.append(bytes)
    }
  }

  private func nextLine() throws(AIServiceError) -> Data? {
    do {
      return try lines.next()
    } catch {
      throw client.unreadable(error)
    }
  }

  private func piece(_ line: Data) throws(AIServiceError) -> SpeechFragment? {
    guard line.contains(where: { $0 > 0x20 }) else { return nil }
    let line = try client.decode(Line.self, from: line)
    guard let audio = Data(base64Encoded: line.audio ?? "") else {
      throw .unexpectedResponseFormat("\(client.name) sent audio that is not valid base64.")
    }
    guard let alignment = line.alignment else { return SpeechFragment(audio: audio) }
    guard alignment.characters.count == alignment.starts.count,
      alignment.starts.count == alignment.ends.count
    else {
      throw .unexpectedResponseFormat(
        "\(client.name) sent \(alignment.characters.count) characters with "
          + "\(alignment.starts.count) and \(alignment.ends.count) times.")
    }
    let timings = alignment.characters.indices.map {
      CharacterTiming(
        character: alignment.characters[$0], start: alignment.starts[$0], end: alignment.ends[$0])
    }
    return SpeechFragment(audio: audio, timings: timings)
  }
}
