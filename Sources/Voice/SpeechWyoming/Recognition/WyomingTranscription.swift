import Foundation
import SpeechAudio

/// An utterance to be transcribed.
struct WyomingTranscription: WyomingListening {
  /// The longest text of an utterance, in bytes.
  private static let mostText = 1 << 20
  static let padding = 0

  /// A tag of BCP 47.
  let language: String
  /// True for audio without pauses, which no engine takes for the end.
  var isStretch = false
  /// The text so far, from engines that stream it.
  private(set) var draft = ""

  init(language: String) {
    self.language = language
  }

  mutating func order(
    to address: WyomingAddress, with info: WyomingInfo
  ) throws(WyomingError) -> WyomingEvent {
    let order = try WyomingMessage.Transcribe(to: address, with: info, language: language)
    if info.recogniser?.detectsEnd == true, !isStretch { throw .early(address.description) }
    return WyomingEvent("transcribe", order)
  }

  mutating func answer(
    in event: WyomingEvent, of engine: WyomingEngine, isOver: Bool
  ) throws(WyomingError) -> String? {
    let text = event.value(as: WyomingMessage.Text.self)?.text
    switch event.type {
    case "transcript-start":
      draft = ""
    case "transcript-chunk":
      draft += text ?? ""
      guard draft.utf8.count <= Self.mostText else {
        throw .against(engine.address.description, reason: "its text has no end")
      }
    case "transcript":
      guard let text else {
        throw .against(engine.address.description, reason: "its transcript has no text")
      }
      guard isOver else {
        engine.noteEarlyAnswer()
        throw .early(engine.address.description)
      }
      return text.trimmingCharacters(in: .whitespacesAndNewlines)
    default:
      break
    }
    return nil
  }
}

extension WyomingEngine {
  /// Has the engine transcribe an utterance.
  ///
  /// - Parameter begun: an attempt that has begun while it was spoken.
  func text(
    of utterance: PCMBuffer, _ transcription: WyomingTranscription,
    begun: WyomingAttempt<WyomingTranscription>?, until deadline: WyomingLink.Deadline
  ) async throws -> String {
    if !answersEarly {
      do {
        return try await answer(
          to: WyomingAudio(utterance), listening: transcription, begun: begun, until: deadline)
      } catch WyomingError.early {
        // Its text ends at a pause, and which one is not known.
      }
    } else {
      begun?.cancel()
    }
    var stretch = transcription
    stretch.isStretch = true
    var texts: [String] = []
    for audio in utterance.stretches {
      texts.append(
        try await answer(to: WyomingAudio(audio), listening: stretch, until: deadline))
    }
    return texts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension PCMBuffer {
  /// All of the audio, divided where speech begins after a pause.
  fileprivate var stretches: [PCMBuffer] {
    // Shorter than the pauses that engines take for the end of an utterance.
    var segmenter = SpeechSegmenter(
      format: format,
      configuration: SpeechSegmenterConfiguration(
        preRoll: .milliseconds(100), minimumSilence: .milliseconds(150),
        maximumSilence: .milliseconds(200), trailingPadding: .milliseconds(100)))
    let events = segmenter.process(self) + segmenter.finish()
    let starts = events.compactMap { event -> Int? in
      guard case .speechStarted(let frame, _) = event else { return nil }
      return frame
    }
    let cuts: [Int] = [0] + starts.dropFirst() + [frameCount]
    return zip(cuts, cuts.dropFirst()).map { slice($0..<$1) }.filter { !$0.isEmpty }
  }
}

extension WyomingMessage.Transcribe {
  /// The order for a language, spelt as the engine spells it.
  init(
    to address: WyomingAddress, with info: WyomingInfo, language: String
  ) throws(WyomingError) {
    guard let program = info.recogniser else {
      throw .unsuitable(
        "The Wyoming engine at \(address.description) has no recogniser. "
          + (info.synthesiser == nil ? "" : "It has voices: use it with --voice. ")
          + (info.detector == nil ? "" : "It listens for wake words: use it with --spotter. ")
          + "Name the address of one that has.")
    }
    let models = try program.models(named: address.name, at: address)
    let tags = models.flatMap(\.languages)
    guard tags.isEmpty || tags.tag(for: language) != nil else {
      throw .unsuitable(
        "\(program.name) at \(address.description) does not know the language \(language). It "
          + "knows \(Set(tags).sorted().prefix(20).joined(separator: ", ")).")
    }
    self.init(name: address.name, language: tags.tag(for: language) ?? language)
  }
}
