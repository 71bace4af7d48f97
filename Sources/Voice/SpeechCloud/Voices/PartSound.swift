import AIServices
import Foundation
import SpeechAudio
import SpeechCore

/// The audio of one part of a text, from the cache or from the service. The service's audio is
/// added to the cache.
actor PartSound {
  struct Piece: Sendable {
    var audio: PCMBuffer
    /// The positions, with ranges and times relative to the part.
    var positions: [SpeechPosition]
  }

  private enum Source {
    case service(AsyncThrowingStream<SpeechFragment, any Error>.Iterator)
    /// Complete audio: the remainder.
    case whole(PCMBuffer, [CharacterTiming])
    case over
  }

  /// The length of the chunks of complete audio.
  private static let block = Duration.milliseconds(500)

  nonisolated let text: TextPart
  private let order: CloudVoiceOrder
  private var source: Source
  private let format: AudioFormat
  private var samples = SampleReader()
  private var timeline: WordTimeline
  private var isOpening = true
  /// The time that was waited for audio beyond its duration.
  private var lag = Duration.zero
  /// The entry for the cache, stored when the part is complete.
  private var heard: CachedSpeech?

  /// Requests a part. Returns when its audio begins.
  static func open(
    _ text: TextPart, of order: CloudVoiceOrder, from service: some SpeechService
  ) async throws -> PartSound {
    let key = order.cacheKey(for: text)
    if let kept = await order.configuration.cache?.speech(for: key) {
      return PartSound(text, order, .whole(kept.audio, kept.timings), kept.audio.format)
    }
    let reply = try await service.speak(order.request(for: text, format: .pcm))
    var pieces = reply.pieces.makeAsyncIterator()
    guard var first = try await pieces.next() else {
      try Task.checkCancellation()
      throw AIServiceError.unexpectedResponseFormat("\(service.displayName) sent no sound.")
    }
    while first.audio.count < Data.soundMarkLength, let next = try await pieces.next() {
      first.audio.append(next.audio)
      first.timings += next.timings
    }
    if reply.format == .pcm, !first.audio.isEncodedSound {
      let format = AudioFormat(sampleRate: reply.sampleRate ?? 24_000)
      let part = PartSound(text, order, .service(pieces), format)
      await part.begin(with: first)
      return part
    }
    // The server chose an encoded format, which has to be decoded as a whole.
    var encoded = first.audio
    let deadline = ContinuousClock.now + order.configuration.timeouts.idle + text.slowestDuration
    while let piece = try await pieces.next() {
      encoded.append(piece.audio)
      guard ContinuousClock.now < deadline else {
        throw AIServiceError.timeout("The speech arrives more slowly than it is spoken.")
      }
    }
    try Task.checkCancellation()
    let audio = try AudioFile.read(encoded, name: "speech from \(service.displayName)")
    let part = PartSound(text, order, .whole(audio, []), audio.format)
    await order.configuration.cache?.keep(CachedSpeech(audio: audio), for: key)
    return part
  }

  private init(
    _ text: TextPart, _ order: CloudVoiceOrder, _ source: Source, _ format: AudioFormat
  ) {
    self.text = text
    self.order = order
    self.source = source
    self.format = format
    timeline = WordTimeline(text.text)
  }

  func next() async throws -> Piece? {
    if let first = opening {
      opening = nil
      return piece(first)
    }
    switch source {
    case .whole(let audio, let timings):
      guard !audio.isEmpty else {
        source = .over
        return nil
      }
      let length = min(audio.frameCount, format.frames(in: Self.block))
      source = .whole(audio.slice(length..<audio.frameCount), [])
      return piece(audio.slice(0..<length), timings)
    case .service(var pieces):
      let began = ContinuousClock.now
      guard let next = try await pieces.next(isolation: self) else {
        try Task.checkCancellation()
        source = .over
        if let heard {
          await order.configuration.cache?.keep(heard, for: order.cacheKey(for: text))
        }
        return nil
      }
      source = .service(pieces)
      let piece = piece(next)
      try keepPace(with: piece.audio, after: ContinuousClock.now - began)
      return piece
    case .over: return nil
    }
  }

  /// Fails if the audio has arrived more slowly than it is spoken for as long as the service may be
  /// silent. A server that sends a byte now and then would otherwise never count as silent.
  private func keepPace(with audio: PCMBuffer, after wait: Duration) throws {
    lag = max(.zero, lag + wait - format.duration(ofFrames: audio.frameCount))
    guard lag > order.configuration.timeouts.idle else { return }
    throw AIServiceError.timeout("The speech arrives more slowly than it is spoken.")
  }

  private var opening: SpeechFragment?

  private func begin(with first: SpeechFragment) {
    opening = first
    if order.configuration.cache != nil { heard = CachedSpeech(audio: PCMBuffer(format: format)) }
  }

  private func piece(_ next: SpeechFragment) -> Piece {
    let audio = PCMBuffer(samples: samples.samples(in: next.audio), format: format)
    heard?.audio.append(audio)
    heard?.timings += next.timings
    return piece(audio, next.timings)
  }

  private func piece(_ audio: PCMBuffer, _ timings: [CharacterTiming]) -> Piece {
    var positions = timeline.positions(of: timings)
    if isOpening, !audio.isEmpty || !positions.isEmpty {
      isOpening = false
      // Without times from the service, at least the start of the part is known.
      if positions.isEmpty { positions = [timeline.opening] }
    }
    return Piece(audio: audio, positions: positions)
  }
}

extension Data {
  /// The number of bytes that identify the format of an audio file.
  fileprivate static let soundMarkLength = 4

  /// True if it begins like an audio file, whatever the content type says.
  fileprivate var isEncodedSound: Bool {
    ["RIFF", "fLaC", "OggS", "ID3"].contains { starts(with: $0.utf8) }
  }
}
