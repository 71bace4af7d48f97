import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// A text that an engine speaks, piece by piece.
actor WyomingUtterance {
  /// The longest audio of a text: what is beyond it is not speech of the text.
  private static func mostFrames(_ text: String, _ format: AudioFormat) -> Int {
    format.frames(in: .seconds(60 + text.unicodeScalars.count))
  }

  private let text: String
  private let voice: String?
  private let speaker: String?
  private let style: SpeakingStyle
  private let timeout: Duration
  private let engine: WyomingEngine

  /// The connection on which the engine speaks, after the order.
  private var link: WyomingLink?
  private var streams = false
  /// The converter since the last `audio-start`.
  private var samples: WyomingSamples?
  private var format: AudioFormat?
  /// The frames that were returned, and those that have arrived over this connection.
  private var returned = 0
  private var arrived = 0
  private var isSpoken = false
  private var isOver = false

  /// - Throws: `WyomingError`; `SpeechSynthesisProviderError` for a text or a style that cannot be
  ///   spoken.
  init(_ request: VoiceEngineRequest, _ configuration: WyomingVoiceConfiguration) throws {
    text = request.text.trimmingCharacters(in: .whitespacesAndNewlines)
    style = try configuration.style.applying(request.options)
    guard !text.isEmpty else { throw SpeechSynthesisProviderError.invalidText }
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

  /// The next piece; `nil` after the last one.
  func next() async throws -> VoiceEngineChunk? {
    guard !isOver else { return nil }
    let deadline = WyomingLink.Deadline(timeout)
    do {
      let piece = try await ExternalWork.run { [self] in
        try await engine.persist(until: deadline) { _ in try await nextPiece(until: deadline) }
      }
      guard let piece else { return ending() }
      return VoiceEngineChunk(audio: styled(piece))
    } catch {
      isOver = true
      breakOff()
      throw error
    }
  }

  /// The next stretch of audio that has not been returned; `nil` at the end.
  private func nextPiece(until deadline: WyomingLink.Deadline) async throws -> PCMBuffer? {
    do {
      let link = try await order(until: deadline)
      while !isSpoken {
        guard let event = try await link.next(until: deadline) else { continue }
        if let piece = try accept(event), !piece.isEmpty { return piece }
      }
      self.link = nil
      engine.release(link, isComplete: true)
      return nil
    } catch {
      breakOff()
      throw error
    }
  }

  private func breakOff() {
    if let link { engine.release(link, isComplete: false) }
    link = nil
  }

  /// The connection on which the engine speaks, which begins with the text if there was none.
  private func order(until deadline: WyomingLink.Deadline) async throws -> WyomingLink {
    if let link { return link }
    let info: WyomingInfo
    if let known = engine.info {
      info = known
    } else {
      info = try await engine.describe(until: deadline)
    }
    let program = try engine.synthesiser(in: info)
    if let voice, !program.models.contains(where: { $0.name == voice }) {
      throw SpeechSynthesisProviderError.voiceNotAvailable(voice)
    }
    let link = try engine.connect()
    (self.link, samples, arrived) = (link, nil, 0)
    streams = program.streamsSynthesis
    let choice =
      voice.map { WyomingMessage.Synthesize.Voice(name: $0, speaker: speaker) }
      ?? speaker.map { WyomingMessage.Synthesize.Voice(speaker: $0) }
    let whole = WyomingEvent("synthesize", WyomingMessage.Synthesize(text: text, voice: choice))
    if streams {
      link.send(WyomingEvent("synthesize-start", WyomingMessage.Synthesize(voice: choice)))
      link.send(WyomingEvent("synthesize-chunk", WyomingMessage.Text(text: text)))
      // For engines that do not stream after all; others ignore it.
      link.send(whole)
      link.send(WyomingEvent(type: "synthesize-stop"))
    } else {
      link.send(whole)
    }
    return link
  }

  /// Takes an event, and returns the new audio in it.
  private func accept(_ event: WyomingEvent) throws -> PCMBuffer? {
    switch event.type {
    case "audio-start":
      samples = try samples(of: event)
    case "audio-chunk":
      return try audio(of: event)
    case "audio-stop":
      // In a stream, each sentence may have its own.
      isSpoken = !streams
    case "synthesize-stopped":
      isSpoken = true
    case "error":
      let failure = event.value(as: WyomingMessage.Failure.self)
      if failure?.code == "VoiceNotFoundError" {
        throw SpeechSynthesisProviderError.voiceNotAvailable(voice ?? failure?.text ?? "")
      }
      _ = try engine.read(event)
    default:
      _ = try engine.read(event)
    }
    return nil
  }

  private func samples(of event: WyomingEvent) throws(WyomingError) -> WyomingSamples {
    guard let source = event.value(as: WyomingMessage.Audio.self),
      let samples = WyomingSamples(source)
    else {
      let data = String(decoding: event.data.prefix(200), as: UTF8.self)
      throw .against(engine.address.description, reason: "the format of its audio is \(data)")
    }
    guard format == nil || format == samples.format else {
      throw .against(
        engine.address.description,
        reason: "it changed from \(format?.sampleRate ?? 0) to \(samples.format.sampleRate) Hz")
    }
    format = samples.format
    return samples
  }

  private func audio(of event: WyomingEvent) throws(WyomingError) -> PCMBuffer? {
    if samples == nil { samples = try samples(of: event) }
    if let own = event.value(as: WyomingMessage.Audio.self), samples?.continues(with: own) == false
    {
      throw .against(
        engine.address.description, reason: "its audio has another format than it said")
    }
    guard let format, let new = samples?.samples(in: event.payload) else { return nil }
    // After a loss, the beginning has been returned.
    let known = min(max(0, returned - arrived), new.count)
    arrived += new.count
    guard arrived <= Self.mostFrames(text, format) else {
      throw .against(engine.address.description, reason: "its audio has no end")
    }
    return PCMBuffer(samples: new.dropFirst(known), format: format)
  }

  private func styled(_ piece: PCMBuffer) -> PCMBuffer {
    var audio = piece
    if style.volume < 1 {
      audio = audio.amplified(byDecibels: 20 * log10(Double(max(style.volume, 0.000_1))))
    }
    if returned == 0 {
      var silence = PCMBuffer.silence(.seconds(style.preUtteranceDelay), format: piece.format)
      silence.append(audio)
      audio = silence
    }
    returned += piece.frameCount
    return audio
  }

  private func ending() -> VoiceEngineChunk? {
    isOver = true
    guard let format, returned > 0, style.postUtteranceDelay > 0 else { return nil }
    return VoiceEngineChunk(
      audio: .silence(.seconds(style.postUtteranceDelay), format: format))
  }
}
