import AIServices
import Foundation
import SpeechAudio
import SpeechCore

/// An utterance that a service speaks part by part. Each part is requested before the previous one
/// ends.
actor CloudUtterance<Service: SpeechService> {
  /// The remaining audio of a part at which the next part is requested.
  private static var lead: Duration { .seconds(8) }
  /// The characters per second of a fast speaker, so that a part's length is underestimated rather
  /// than overestimated.
  private static var fastest: Double { 20 }

  private let order: CloudVoiceOrder
  private let service: Service
  private var waiting: ArraySlice<TextPart>
  private var current: PartSound?
  private var upcoming: (text: TextPart, sound: Task<PartSound, any Error>)?
  private var format: AudioFormat?
  private var framesSpoken = 0
  private var framesOfPart = 0
  private var hasBegun = false
  private var hasEnded = false
  /// The error for the next call.
  private var failure: (any Error)?

  init(_ order: CloudVoiceOrder, service: Service) {
    self.order = order
    self.service = service
    waiting = order.parts[...]
  }

  deinit { upcoming?.sound.cancel() }

  func next() async throws -> VoiceEngineChunk? {
    if let failure { throw failure }
    while true {
      let part: PartSound
      switch try await currentPart() {
      case .sound(let sound): part = sound
      case .noSound(let place, let error):
        failure = error
        return place
      case .end: return ending()
      }
      guard let piece = try await part.next() else {
        current = nil
        continue
      }
      let chunk = try chunk(of: piece, from: part)
      if isNearItsEnd(part) { prepareNext() }
      if !chunk.audio.isEmpty || !chunk.positions.isEmpty { return chunk }
    }
  }

  private enum Part {
    case sound(PartSound)
    /// The service failed between two parts. The position of the failure is reported first, so that
    /// the voice that takes over knows what has been spoken.
    case noSound(VoiceEngineChunk, any Error)
    case end
  }

  private func currentPart() async throws -> Part {
    if let current { return .sound(current) }
    prepareNext()
    guard let upcoming else { return .end }
    framesOfPart = 0
    do {
      let part = try await withTaskCancellationHandler {
        try await upcoming.sound.value
      } onCancel: {
        upcoming.sound.cancel()
      }
      self.upcoming = nil
      current = part
      return .sound(part)
    } catch {
      guard let format, !(error is CancellationError) else { throw error }
      let place = placed(WordTimeline(upcoming.text.text).opening, in: upcoming.text, format)
      return .noSound(VoiceEngineChunk(audio: PCMBuffer(format: format), positions: [place]), error)
    }
  }

  private func prepareNext() {
    guard upcoming == nil, let part = waiting.popFirst() else { return }
    let order = order
    let service = service
    upcoming = (part, Task { try await PartSound.open(part, of: order, from: service) })
  }

  private func isNearItsEnd(_ part: PartSound) -> Bool {
    guard let format else { return false }
    let whole = Duration.seconds(Double(part.text.text.count) / Self.fastest)
    return format.duration(ofFrames: framesOfPart) + Self.lead >= whole
  }

  private func chunk(of piece: PartSound.Piece, from part: PartSound) throws -> VoiceEngineChunk {
    if let format, format != piece.audio.format {
      throw SpeechSynthesisProviderError.unknown(
        "\(service.displayName) changed the rate of its sound in mid-speech. Choose another model.")
    }
    format = piece.audio.format
    var audio = piece.audio
    if order.style.volume < 1 {
      audio = audio.amplified(byDecibels: 20 * log10(Double(max(order.style.volume, 0.000_1))))
    }
    if !hasBegun {
      hasBegun = true
      var silence = PCMBuffer.silence(
        .seconds(order.style.preUtteranceDelay), format: piece.audio.format)
      framesSpoken = silence.frameCount
      silence.append(audio)
      audio = silence
    }
    let positions = piece.positions.map { placed($0, in: part.text, piece.audio.format) }
    framesSpoken += piece.audio.frameCount
    framesOfPart += piece.audio.frameCount
    return VoiceEngineChunk(audio: audio, positions: positions)
  }

  /// Converts a position within a part to one of the whole utterance.
  private func placed(
    _ position: SpeechPosition, in part: TextPart, _ format: AudioFormat
  ) -> SpeechPosition {
    var position = position.shifted(by: part.start)
    position.audioOffset += format.duration(ofFrames: framesSpoken - framesOfPart)
    return position
  }

  private func ending() -> VoiceEngineChunk? {
    guard !hasEnded, let format, order.style.postUtteranceDelay > 0 else { return nil }
    hasEnded = true
    return VoiceEngineChunk(
      audio: .silence(.seconds(order.style.postUtteranceDelay), format: format))
  }
}
