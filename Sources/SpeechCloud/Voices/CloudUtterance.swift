import AIServices
import Foundation
import SpeechAudio
import SpeechCore

/// An utterance on its way from a service: part by part, each asked for before the one in front of it ends.
actor CloudUtterance<Service: SpeechService> {
  /// So much sound of a part may be still to come when the next part is asked for.
  private static var lead: Duration { .seconds(8) }
  /// A fast speaker's characters in a second: the length of a part is rather under- than overestimated.
  private static var fastest: Double { 20 }

  private let order: CloudVoiceOrder
  private let service: Service
  private var waiting: ArraySlice<TextPart>
  private var current: PartSound?
  private var upcoming: Task<PartSound, any Error>?
  private var format: AudioFormat?
  private var framesSpoken = 0
  private var framesOfPart = 0
  private var hasBegun = false
  private var hasEnded = false

  init(_ order: CloudVoiceOrder, service: Service) {
    self.order = order
    self.service = service
    waiting = order.parts[...]
  }

  deinit { upcoming?.cancel() }

  func next() async throws -> VoiceEngineChunk? {
    while true {
      guard let part = try await currentPart() else { return ending() }
      guard let piece = try await part.next() else {
        current = nil
        continue
      }
      let chunk = try chunk(of: piece, from: part)
      if isNearItsEnd(part) { prepareNext() }
      if !chunk.audio.isEmpty || !chunk.positions.isEmpty { return chunk }
    }
  }

  private func currentPart() async throws -> PartSound? {
    if let current { return current }
    prepareNext()
    guard let upcoming else { return nil }
    let part = try await withTaskCancellationHandler {
      try await upcoming.value
    } onCancel: {
      upcoming.cancel()
    }
    self.upcoming = nil
    current = part
    framesOfPart = 0
    return part
  }

  private func prepareNext() {
    guard upcoming == nil, let part = waiting.popFirst() else { return }
    let order = order
    let service = service
    upcoming = Task { try await PartSound.open(part, of: order, from: service) }
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
    let start = piece.audio.format.duration(ofFrames: framesSpoken - framesOfPart)
    let positions = piece.positions.map { position in
      var position = position
      let range = position.textRange
      position.textRange =
        range.lowerBound + part.text.start..<range.upperBound + part.text.start
      position.audioOffset += start
      return position
    }
    framesSpoken += piece.audio.frameCount
    framesOfPart += piece.audio.frameCount
    return VoiceEngineChunk(audio: audio, positions: positions)
  }

  private func ending() -> VoiceEngineChunk? {
    guard !hasEnded, let format, order.style.postUtteranceDelay > 0 else { return nil }
    hasEnded = true
    return VoiceEngineChunk(
      audio: .silence(.seconds(order.style.postUtteranceDelay), format: format))
  }
}
