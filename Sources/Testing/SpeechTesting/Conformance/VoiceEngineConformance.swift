import ConformanceTesting
import SpeechConcurrency

/// The laws that every voice engine keeps.
public enum VoiceEngineLaw: String, Sendable, CaseIterable {
  /// Text gives audio that is not silence.
  case speaks
  /// The pieces of the stream have one format, and together are as long as the whole, to a tenth.
  case streamsTheWhole
  /// Positions are in order, within the text, and within the audio.
  case placesItsWords
  /// An empty text and one of blanks give an error and no audio.
  case refusesNothing
  /// A voice that does not exist gives `voiceNotAvailable`.
  case refusesUnknownVoices
  /// The voices have names, are listed once, and are available.
  case knowsItsVoices
  /// The estimated duration is positive, and longer for a longer text.
  case estimates
  /// Unspeakable text gives audio or an error, without a crash and without end.
  case survivesStrangeText
  /// A text of several pages is spoken completely.
  case speaksLongTexts
  /// Several requests at once each get the audio of their own text.
  case keepsRequestsApart
  /// A cancelled task ends soon, and the engine works afterwards.
  case obeysCancellation
  /// A reader that stops in the middle leaves nothing, and the engine works afterwards.
  case survivesAbandonment
  /// Work leaves no descriptors and no threads.
  case leavesNothingBehind
}

/// Tests whether a voice engine keeps the laws of `VoiceEngine`.
///
/// ```swift
/// try await VoiceEngineConformance(FliteEngine(), configuration: .default).run()
/// ```
public struct VoiceEngineConformance<Engine: VoiceEngine>: ConformanceSuite {
  private let engine: Engine
  private let configuration: Engine.Configuration
  private let text: String
  private let asksForVoices: Bool

  /// Creates a suite for an engine.
  ///
  /// - Parameters:
  ///   - text: A few words that the voice can speak.
  ///   - asksForVoices: True if the engine lists its voices itself. Pass false if only its service
  /// knows them.
  public init(
    _ engine: Engine, configuration: Engine.Configuration,
    text: String = "Good morning. It is a fine day today.", asksForVoices: Bool = true
  ) {
    self.engine = engine
    self.configuration = configuration
    self.text = text
    self.asksForVoices = asksForVoices
  }

  /// Returns the reason why the engine breaks a law; `nil` if it keeps it.
  public func objection(to law: VoiceEngineLaw) async throws -> String? {
    try await objection(to: law) {
      switch law {
      case .speaks: try await speaks()
      case .streamsTheWhole: try await streamsTheWhole()
      case .placesItsWords: try await placesItsWords()
      case .refusesNothing: try await refusesNothing()
      case .refusesUnknownVoices: if asksForVoices { try await refusesUnknownVoices() }
      case .knowsItsVoices: if asksForVoices { try await knowsItsVoices() }
      case .estimates: try estimates()
      case .survivesStrangeText: try await survivesStrangeText()
      case .speaksLongTexts: try await speaksLongTexts()
      case .keepsRequestsApart: try await keepsRequestsApart()
      case .obeysCancellation: try await obeysCancellation()
      case .survivesAbandonment: try await survivesAbandonment()
      case .leavesNothingBehind: try await leavesNothingBehind()
      }
    }
  }

  // MARK: - The laws

  private func speaks() async throws {
    let audio = try await say(text)
    try require(audio.format.sampleRate > 0, "the audio has no sample rate")
    try require(audio.duration > .milliseconds(200), "the audio lasts \(audio.duration)")
    try require(audio.level > -60, "the audio is silent: \(audio.level) dB")
  }

  private func streamsTheWhole() async throws {
    let output = try await engine.generateAudio(
      request: request(text), configuration: configuration)
    let whole = try output.decodedAudio()
    let streamed = try await say(text)
    let ratio = streamed.duration / whole.duration
    try require(
      (0.9...1.1).contains(ratio),
      "the stream lasts \(streamed.duration), the whole \(whole.duration)")
    try require(
      !output.fileExtension.isEmpty && output.mimeType.hasPrefix("audio/"),
      "the whole has the extension “\(output.fileExtension)” and the type “\(output.mimeType)”")
  }

  private func placesItsWords() async throws {
    let length = text.unicodeScalars.count
    var last = Duration.zero
    var audio = Duration.zero
    var positions: [SpeechPosition] = []
    for try await chunk in engine.streamAudio(request: request(text), configuration: configuration)
    {
      audio += chunk.audio.duration
      positions += chunk.positions
    }
    for position in positions {
      try require(
        position.textRange.lowerBound >= 0 && position.textRange.upperBound <= length,
        "a position is \(position.textRange) of a text of \(length) scalars")
      try require(
        position.audioOffset >= last,
        "a position at \(position.audioOffset) comes after one at \(last)")
      try require(
        position.audioOffset <= audio,
        "a position at \(position.audioOffset) is after the end of the audio at \(audio)")
      last = position.audioOffset
    }
  }

  private func refusesNothing() async throws {
    for nothing in ["", "  \n\t "] {
      do {
        let audio = try await say(nothing)
        try require(audio.isEmpty, "nothing was said in \(audio.duration)")
      } catch let objection as ConformanceObjection {
        throw objection
      } catch {
        // An error is a correct answer.
      }
    }
  }

  private func refusesUnknownVoices() async throws {
    // Not a language tag, for which some engines choose their best voice.
    let unknown = "a voice that does not exist"
    try require(
      await !engine.isVoiceAvailable(voiceId: unknown, configuration: configuration),
      "a voice that does not exist is available")
    do {
      _ = try await engine.render(
        engine.makeRequest(text: text, voiceId: unknown), configuration: configuration)
    } catch {
      let known = SpeechSynthesisProviderError(error)
      guard case .voiceNotAvailable = known else {
        throw ConformanceObjection("an unknown voice is reported as \(known)")
      }
      return
    }
    throw ConformanceObjection("a voice that does not exist speaks")
  }

  private func knowsItsVoices() async throws {
    let voices = try await engine.fetchVoices(languageCode: "", configuration: configuration)
    try require(!voices.isEmpty, "there are no voices")
    try require(Set(voices.map(\.id)).count == voices.count, "a voice is there twice")
    for voice in voices {
      try require(!voice.id.isEmpty && !voice.name.isEmpty, "a voice has no name: \(voice)")
      try require(!voice.languages.isEmpty, "“\(voice.id)” speaks no language")
      try require(
        await engine.isVoiceAvailable(voiceId: voice.id, configuration: configuration),
        "“\(voice.id)” is listed and not available")
    }
    let unspoken = try await engine.fetchVoices(languageCode: "qqq", configuration: configuration)
    try require(unspoken.isEmpty, "there are voices for a language that does not exist")
  }

  private func estimates() throws {
    let long = String(repeating: text + " ", count: 10)
    let times = [text, long].map {
      engine.estimateDuration(request: request($0), configuration: configuration)
    }
    try require(times.allSatisfy { $0.isFinite && $0 >= 0 }, "the estimates are \(times)")
    try require(times[1] > times[0], "ten times the text is estimated at \(times)")
    let nothing = engine.estimateDuration(request: request(""), configuration: configuration)
    try require(nothing.isFinite && nothing >= 0, "nothing is estimated at \(nothing)")
  }

  private func survivesStrangeText() async throws {
    let texts = [
      "…", "\u{0}", "a\u{0}b", "🙂", "👩‍👩‍👧‍👦 and 🇩🇪", "\u{202E}right to left\u{202C}", "¡¿", "日本語",
      "<speak>&amp;</speak>", "<<<>>>", "%s %n %d", "e\u{301}\u{301}\u{301}", "\u{FEFF}hello",
      "\u{FFFD}",
      String(repeating: "a", count: 2_000), String(repeating: "! ", count: 300), "1e999 ∞ NaN",
    ]
    for text in texts {
      let isOver = try await ConformanceTimeout.wait { [self] in
        // An error is a correct answer.
        _ = try? await say(text)
        return true
      }
      try require(isOver == true, "“\(text.prefix(20))” is still being said after a minute")
    }
    try await speaks()
  }

  private func speaksLongTexts() async throws {
    let one = try await say(text)
    let audio = try await say(Array(repeating: text, count: 40).joined(separator: " "))
    try require(
      audio.duration > one.duration * 20,
      "forty times what lasts \(one.duration) lasts \(audio.duration)")
  }

  private func keepsRequestsApart() async throws {
    let texts = (1...6).map { Array(repeating: text, count: $0).joined(separator: " ") }
    var alone: [Duration] = []
    for text in texts { alone.append(try await say(text).duration) }
    let together = try await withThrowingTaskGroup(of: (Int, Duration).self) { group in
      for (index, text) in texts.enumerated() {
        group.addTask { (index, try await say(text).duration) }
      }
      var all = alone
      for try await (index, duration) in group { all[index] = duration }
      return all
    }
    for (one, other) in zip(alone, together) {
      // Voices that continue their melody differ slightly.
      try require(
        (0.9...1.1).contains(other / one),
        "what lasts \(one) alone lasts \(other) beside others")
    }
  }

  private func obeysCancellation() async throws {
    let long = Array(repeating: text, count: 60).joined(separator: " ")
    let task = Task { try await say(long) }
    task.cancel()
    let ended = try await ConformanceTimeout.wait(.seconds(20)) { await task.result }
    guard let ended else { throw ConformanceObjection("a cancelled task was not over after 20 s") }
    if case .failure(let error) = ended {
      try require(
        error is CancellationError || SpeechSynthesisProviderError(error) == .cancelled,
        "a cancelled task ends with \(error)")
    }
    try await speaks()
  }

  private func survivesAbandonment() async throws {
    let long = Array(repeating: text, count: 20).joined(separator: " ")
    for _ in 0..<5 {
      for try await _ in engine.streamAudio(request: request(long), configuration: configuration) {
        break
      }
    }
    try await speaks()
  }

  private func leavesNothingBehind() async throws {
    try await requireNothingLeft(afterTimes: 20) { _ = try await say(text) }
  }

  // MARK: - Tools

  private func request(_ text: String) -> VoiceEngineRequest { engine.makeRequest(text: text) }

  private func say(_ text: String) async throws -> PCMBuffer {
    try await engine.render(request(text), configuration: configuration)
  }
}
