import Foundation
import SpeechAudio
import SpeechCore
import SpeechText

/// A request in progress. It produces the next chunk of audio on demand, and is idle in between.
///
/// Only the piece that is being synthesised occupies the library's queue, so a slow reader delays
/// no other request.
actor EspeakUtterance {
  private let request: VoiceEngineRequest
  private var configuration: EspeakConfiguration
  private let library: EspeakLibrary

  private var progress = Progress.unstarted
  private var format = AudioFormat(sampleRate: 22_050)
  private var effects: [SSMLScript.Effect] = []
  private var selection = EspeakVoices.Selection(
    name: "en", writing: .latin, language: "en")
  private var parameters: EspeakParameters
  /// The tags that are open at the end of the last piece.
  private var openTags: [MarkupRenderer.Tag] = []
  private var frames = 0
  /// The frames of silence before the next audio.
  private var silence = 0
  /// Positions of pieces without audio, reported with the next chunk.
  private var positions: [SpeechPosition] = []
  /// The first piece with speech, while the silence before it is produced.
  private var held: SpeechPiece?
  private var hasFoundSpeech = false
  private var lastWord = 0

  private enum Progress {
    case unstarted
    case running(any IteratorProtocol<SpeechPiece>)
    case ending
    case ended
  }

  /// The longest chunk of silence.
  private static let silenceChunk = Duration.seconds(1)

  init(
    _ request: VoiceEngineRequest, _ configuration: EspeakConfiguration,
    library: EspeakLibrary = .shared
  ) {
    self.request = request
    self.configuration = configuration
    self.library = library
    self.parameters = EspeakParameters(configuration)
  }

  /// Returns the next chunk, or `nil` after the last one.
  func next() async throws -> VoiceEngineChunk? {
    do {
      return try await nextChunk()
    } catch {
      progress = .ended
      throw error
    }
  }

  private func nextChunk() async throws -> VoiceEngineChunk? {
    if case .unstarted = progress { try await start() }
    while true {
      try Task.checkCancellation()
      if hasFoundSpeech, silence > 0 { return nextSilence() }
      guard let piece = nextPiece() else {
        guard hasFoundSpeech else { throw SpeechSynthesisProviderError.invalidText }
        if case .running = progress {
          progress = .ending
          silence = frames(ofSeconds: configuration.style.postUtteranceDelay)
          continue
        }
        progress = .ended
        guard !positions.isEmpty else { return nil }
        return chunk([])
      }
      guard isSpeakable(piece) else {
        pass(piece)
        continue
      }
      if !hasFoundSpeech {
        hasFoundSpeech = true
        silence += frames(ofSeconds: configuration.style.preUtteranceDelay)
        held = piece
        continue
      }
      return try await synthesize(piece)
    }
  }

  private func start() async throws {
    configuration = try configuration.applying(request.options)
    parameters = EspeakParameters(configuration)
    let voices = try await library.voices(dataFolder: configuration.dataFolder)
    format = try await library.format(dataFolder: configuration.dataFolder)
    selection = try voices.selection(for: request, configuration)
    let filter = SpeakableTextFilter(writing: selection.writing)
    if configuration.interpretsSSML {
      let script = try SSMLTranslator.script(of: request.text, voice: selection, voices: voices)
      effects = script.effects
      progress = .running(SpeechPieces(SSMLScript.Tokens(script), filter: filter))
    } else {
      progress = .running(SpeechPieces(PlainTextTokens(request.text), filter: filter))
    }
  }

  private func nextPiece() -> SpeechPiece? {
    if let piece = held {
      held = nil
      return piece
    }
    guard case .running(var pieces) = progress else { return nil }
    let piece = pieces.next()
    if piece != nil { progress = .running(pieces) }
    return piece
  }

  private func isSpeakable(_ piece: SpeechPiece) -> Bool {
    if configuration.punctuation == .none { return piece.text.isSpeakable }
    return piece.text.scalars.contains { !$0.isBlank }
  }

  private func synthesize(_ piece: SpeechPiece) async throws -> VoiceEngineChunk {
    let rendered = render(piece)
    let order = EspeakOrder(
      text: rendered.text, isMarkup: rendered.isMarkup, endsWithPause: hasPause(after: piece),
      voice: selection.name, parameters: parameters, dataFolder: configuration.dataFolder)
    let synthesis = EspeakSynthesis(reportsPhonemes: configuration.reportsPhonemes)
    let library = self.library
    try await withTaskCancellationHandler {
      try await library.synthesize(order, into: synthesis)
    } onCancel: {
      synthesis.cancel()
    }
    try Task.checkCancellation()
    var heard = PieceTimeline(
      piece: piece, rendered: rendered, startFrame: frames, format: format, lastWord: lastWord)
    heard.add(synthesis.events)
    if configuration.interpretsSSML {
      heard.add(marks: effects, events: synthesis.events, frameCount: synthesis.samples.count)
    }
    lastWord = heard.lastWord
    positions += heard.positions
    let made = chunk(synthesis.samples)
    applyBoundary(after: piece)
    return made
  }

  private func render(_ piece: SpeechPiece) -> MarkupRenderer.Rendered {
    let rendered = MarkupRenderer.render(piece, effects: effects, openTags: openTags)
    openTags = rendered.openTags
    return rendered
  }

  /// Records the marks of a piece without audio.
  private func pass(_ piece: SpeechPiece) {
    _ = render(piece)
    for anchor in piece.text.anchors {
      guard case .mark(let name, let place) = effects[anchor.id] else { continue }
      positions.append(
        SpeechPosition(
          kind: .mark(name), textRange: place..<place,
          audioOffset: format.duration(ofFrames: frames + silence)))
    }
    applyBoundary(after: piece)
  }

  private func applyBoundary(after piece: SpeechPiece) {
    guard let boundary = piece.boundary else { return }
    switch effects[boundary] {
    case .pause(let milliseconds): silence += format.frames(in: .milliseconds(milliseconds))
    case .voice(let voice): selection = voice
    case .end, .mark, .open, .close: break
    }
  }

  private func hasPause(after piece: SpeechPiece) -> Bool {
    if piece.ending == .word { return false }
    guard let boundary = piece.boundary else { return true }
    return effects[boundary] == .end
  }

  private func nextSilence() -> VoiceEngineChunk {
    let count = min(silence, format.frames(in: Self.silenceChunk))
    silence -= count
    return chunk([Int16](repeating: 0, count: count))
  }

  private func chunk(_ samples: [Int16]) -> VoiceEngineChunk {
    frames += samples.count
    defer { positions = [] }
    return VoiceEngineChunk(
      audio: PCMBuffer(samples: samples, format: format), positions: positions)
  }

  private func frames(ofSeconds seconds: TimeInterval) -> Int {
    format.frames(in: .seconds(seconds.clamped(to: 0...60, orElse: 0)))
  }
}
