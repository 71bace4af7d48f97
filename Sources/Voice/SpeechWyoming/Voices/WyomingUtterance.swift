import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore
import SpeechText

/// A text that an engine speaks, sentence by sentence.
///
/// A sentence is returned when it is whole. After a loss it is spoken again, in audio of another
/// length and with other pauses, so the rest could not be joined to a part that was returned.
actor WyomingUtterance {
  /// The longest audio of a sentence: what is beyond it is not speech of it.
  private static func mostFrames(_ sentence: String, _ format: AudioFormat) -> Int {
    format.frames(in: .seconds(60 + sentence.unicodeScalars.count))
  }

  private let sentences: [String]
  private let voice: String?
  private let speaker: String?
  private let style: SpeakingStyle
  private let timeout: Duration
  private let engine: WyomingEngine

  /// The number of sentences that were spoken.
  private var spoken = 0
  /// The connection on which the engine speaks the next sentence.
  private var link: WyomingLink?
  /// The format of all of the audio; `nil` before the first.
  private var format: AudioFormat?
  private var isOver = false

  /// - Throws: `WyomingError`; `SpeechSynthesisProviderError` for a text or a style that cannot be
  ///   spoken.
  init(_ request: VoiceEngineRequest, _ configuration: WyomingVoiceConfiguration) throws {
    sentences = Self.sentences(of: request.text)
    style = try configuration.style.applying(request.options)
    guard !sentences.isEmpty else { throw SpeechSynthesisProviderError.invalidText }
    guard style.rate == 0.5, style.pitchMultiplier == 1 else {
      throw SpeechSynthesisProviderError.initializationFailed(
        "The Wyoming protocol has no setting for pace and pitch. Set them where the engine is "
          + "started, as with Piper's --length-scale.")
    }
    (engine, voice) = try configuration.engine(for: request.voiceId)
    speaker = request.options["speaker"]
    timeout = configuration.timeout
  }

  deinit {
    if let link { engine.release(link, isComplete: false) }
  }

  /// The sentences of a text, without the space around them.
  static func sentences(of text: String) -> [String] {
    let scalars = Array(text.unicodeScalars)
    var ends: [Int] = []
    for index in scalars.indices where index >= ends.last ?? 0 {
      if let end = SentenceCutter.endOfSentence(scalars, at: index) { ends.append(end) }
    }
    var sentences: [String] = []
    for (start, end) in zip([0] + ends, ends + [scalars.count]) {
      let text = String(String.UnicodeScalarView(scalars[start..<end]))
      if let last = sentences.indices.last, !text.contains(where: { $0.isLetter || $0.isNumber }) {
        // A quotation mark, for example, belongs to what it closes.
        sentences[last] += text
      } else {
        sentences.append(text)
      }
    }
    return sentences.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
  }

  /// The audio of the next sentence; `nil` after the last one.
  func next() async throws -> VoiceEngineChunk? {
    guard !isOver else { return nil }
    do {
      while spoken < sentences.count {
        let sentence = sentences[spoken]
        let deadline = WyomingLink.Deadline(timeout)
        let audio = try await ExternalWork.run { [self] in
          try await engine.persist(until: deadline) { _ in
            try await speech(of: sentence, until: deadline)
          }
        }
        let isFirst = format == nil
        spoken += 1
        // The engine makes the next one meanwhile. A failure is reported when it is needed.
        if spoken < sentences.count, let info = engine.info {
          link = try? order(sentences[spoken], from: info)
        }
        guard let audio, !audio.isEmpty else { continue }
        format = audio.format
        return VoiceEngineChunk(audio: styled(audio, isFirst: isFirst))
      }
      return ending()
    } catch {
      isOver = true
      throw error
    }
  }

  /// The whole audio of a sentence; `nil` if the engine has nothing to say.
  private func speech(
    of sentence: String, until deadline: WyomingLink.Deadline
  ) async throws -> PCMBuffer? {
    do {
      let link: WyomingLink
      if let ordered = self.link {
        link = ordered
      } else {
        var info = engine.info
        if info == nil { info = try await engine.describe(until: deadline) }
        guard let info else { return nil }
        link = try order(sentence, from: info)
        self.link = link
      }
      var reply = WyomingSpeech(of: engine, voice: voice)
      while !reply.isOver {
        guard let event = try await link.next(until: deadline) else { continue }
        try reply.accept(event)
        if let audio = reply.audio {
          try check(audio, of: sentence)
        }
      }
      self.link = nil
      engine.release(link, isComplete: true)
      return reply.audio
    } catch {
      if let link { engine.release(link, isComplete: false) }
      link = nil
      throw error
    }
  }

  private func check(_ audio: PCMBuffer, of sentence: String) throws(WyomingError) {
    if let format, format != audio.format {
      throw .against(
        engine.address.description,
        reason: "it changed from \(format.sampleRate) to \(audio.format.sampleRate) Hz")
    }
    guard audio.frameCount <= Self.mostFrames(sentence, audio.format) else {
      throw .against(engine.address.description, reason: "its audio has no end")
    }
  }

  /// Opens a connection on which the engine speaks a sentence, without waiting.
  private func order(_ sentence: String, from info: WyomingInfo) throws -> WyomingLink {
    let program = try engine.synthesiser(in: info)
    if let voice, !program.models.contains(where: { $0.name == voice }) {
      throw SpeechSynthesisProviderError.voiceNotAvailable(voice)
    }
    let link = try engine.connect()
    let choice =
      voice.map { WyomingMessage.Synthesize.Voice(name: $0, speaker: speaker) }
      ?? speaker.map { WyomingMessage.Synthesize.Voice(speaker: $0) }
    link.send(
      WyomingEvent("synthesize", WyomingMessage.Synthesize(text: sentence, voice: choice)))
    return link
  }

  private func styled(_ sentence: PCMBuffer, isFirst: Bool) -> PCMBuffer {
    var audio = sentence
    if style.volume < 1 {
      audio = audio.amplified(byDecibels: 20 * log10(Double(max(style.volume, 0.000_1))))
    }
    if isFirst {
      var silence = PCMBuffer.silence(.seconds(style.preUtteranceDelay), format: audio.format)
      silence.append(audio)
      audio = silence
    }
    return audio
  }

  private func ending() -> VoiceEngineChunk? {
    isOver = true
    guard let format, style.postUtteranceDelay > 0 else { return nil }
    return VoiceEngineChunk(
      audio: .silence(.seconds(style.postUtteranceDelay), format: format))
  }
}
