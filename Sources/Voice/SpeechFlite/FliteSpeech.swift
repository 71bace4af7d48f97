import Foundation
import SpeechAudio
import SpeechCore
import SpeechText

/// A request in progress. It produces the next chunk of audio on demand, and is idle in between.
actor FliteSpeech {
  private let voice: FliteVoice
  private let configuration: FliteConfiguration
  private let library: FliteLibrary
  private var pieces: SpeechPieces<PlainTextTokens>
  private var held: SpeechPiece?
  private var format = AudioFormat(sampleRate: 16_000)
  private var frames = 0
  private var silence = 0
  private var hasFoundSpeech = false
  private var isEnding = false

  /// Synthesis takes a hundredth of the duration of the speech, so the first piece is short.
  init(
    _ request: VoiceEngineRequest, _ configuration: FliteConfiguration,
    library: FliteLibrary = .shared
  ) throws(SpeechSynthesisProviderError) {
    self.voice = try FliteVoice.selected(for: request, configuration)
    var configuration = configuration
    configuration.style = try configuration.style.applying(request.options)
    self.configuration = configuration
    self.library = library
    self.pieces = SpeechPieces(
      PlainTextTokens(request.text), filter: SpeakableTextFilter(writing: .ascii), firstLimit: 60,
      limit: 300)
  }

  /// Returns the next chunk, or `nil` after the last one.
  func next() async throws -> VoiceEngineChunk? {
    while true {
      try Task.checkCancellation()
      if hasFoundSpeech, silence > 0 { return nextSilence() }
      if isEnding { return nil }
      guard let piece = held ?? pieces.next() else {
        guard hasFoundSpeech else { throw SpeechSynthesisProviderError.invalidText }
        isEnding = true
        silence = frames(ofSeconds: configuration.style.postUtteranceDelay)
        continue
      }
      held = nil
      guard piece.text.isSpeakable else { continue }
      if !hasFoundSpeech {
        hasFoundSpeech = true
        silence = frames(ofSeconds: configuration.style.preUtteranceDelay)
        if silence > 0 {
          held = piece
          continue
        }
      }
      return try await synthesize(piece)
    }
  }

  private func synthesize(_ piece: SpeechPiece) async throws -> VoiceEngineChunk {
    let sound = try await library.synthesize(
      piece.text.string, voice: voice, configuration: configuration)
    try Task.checkCancellation()
    guard sound.sampleRate == format.sampleRate else {
      throw SpeechSynthesisProviderError.unknown(
        "Flite made sound of \(sound.sampleRate) Hz where \(format.sampleRate) Hz was expected.")
    }
    let positions = self.positions(of: piece, sound)
    frames += sound.samples.count
    return VoiceEngineChunk(
      audio: PCMBuffer(samples: sound.samples, format: format), positions: positions)
  }

  /// Locates each token in the text after the previous one, and assigns its time.
  private func positions(of piece: SpeechPiece, _ sound: FliteLibrary.Sound) -> [SpeechPosition] {
    var positions: [SpeechPosition] = []
    let scalars = piece.text.scalars
    if !piece.continuesSentence, let first = scalars.firstIndex(where: { !$0.isBlank }) {
      let last = scalars.lastIndex { !$0.isBlank } ?? first
      positions.append(
        SpeechPosition(
          kind: .sentence, textRange: piece.text.origin(of: first..<last + 1),
          audioOffset: format.duration(ofFrames: frames)))
    }
    var cursor = 0
    for token in sound.tokens {
      let name = Array(token.text.unicodeScalars)
      guard !name.isEmpty, let found = Self.find(name, in: scalars, from: cursor) else { continue }
      cursor = found + name.count
      positions.append(
        SpeechPosition(
          kind: .word, textRange: piece.text.origin(of: found..<cursor),
          audioOffset: format.duration(ofFrames: frames + token.start)))
    }
    return positions
  }

  private static func find(
    _ name: [Unicode.Scalar], in scalars: [Unicode.Scalar], from start: Int
  ) -> Int? {
    guard start + name.count <= scalars.count else { return nil }
    return (start...scalars.count - name.count).first { index in
      scalars[index..<index + name.count].elementsEqual(name)
    }
  }

  private func nextSilence() -> VoiceEngineChunk {
    let count = min(silence, format.sampleRate)
    silence -= count
    frames += count
    return VoiceEngineChunk(
      audio: PCMBuffer(samples: [Int16](repeating: 0, count: count), format: format))
  }

  private func frames(ofSeconds seconds: TimeInterval) -> Int {
    format.frames(in: .seconds(seconds.clamped(to: 0...60, orElse: 0)))
  }
}
