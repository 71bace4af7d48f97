import SpeechAudio
import SpeechCore

/// The reply of an engine that speaks a sentence.
struct WyomingSpeech {
  /// The audio so far; `nil` before its format is known.
  private(set) var audio: PCMBuffer?
  private(set) var isOver = false
  private let engine: WyomingEngine
  private let voice: String?
  /// The converter since the last `audio-start`.
  private var samples: WyomingSamples?

  init(of engine: WyomingEngine, voice: String?) {
    self.engine = engine
    self.voice = voice
  }

  mutating func accept(_ event: WyomingEvent) throws {
    switch event.type {
    case "audio-start":
      try begin(with: event)
    case "audio-chunk":
      if samples == nil { try begin(with: event) }
      if let own = event.value(as: WyomingMessage.Audio.self),
        samples?.continues(with: own) == false
      {
        throw WyomingError.against(
          engine.address.description, reason: "its audio has another format than it said")
      }
      audio?.samples += samples?.samples(in: event.payload) ?? []
    case "audio-stop":
      isOver = true
    case "error":
      let failure = event.value(as: WyomingMessage.Failure.self)
      if failure?.code == "VoiceNotFoundError" {
        throw SpeechSynthesisProviderError.voiceNotAvailable(voice ?? failure?.text ?? "")
      }
      _ = try engine.read(event)
    default:
      _ = try engine.read(event)
    }
  }

  private mutating func begin(with event: WyomingEvent) throws(WyomingError) {
    guard let source = event.value(as: WyomingMessage.Audio.self),
      let new = WyomingSamples(source)
    else {
      let data = String(decoding: event.data.prefix(200), as: UTF8.self)
      throw .against(engine.address.description, reason: "the format of its audio is \(data)")
    }
    guard audio == nil || audio?.format == new.format else {
      throw .against(
        engine.address.description,
        reason: "it changed from \(audio?.format.sampleRate ?? 0) to \(new.format.sampleRate) Hz")
    }
    samples = new
    audio = audio ?? PCMBuffer(format: new.format)
  }
}
