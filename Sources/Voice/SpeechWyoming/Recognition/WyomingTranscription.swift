import Foundation
import SpeechAudio

/// One attempt to have an utterance transcribed.
struct WyomingTranscription: Sendable {
  private enum Stage {
    /// The engine was asked for its description.
    case describing
    case sending
    case answered(String)
  }

  /// The frames of an event: a tenth of a second.
  private static let block = 1_600
  /// The longest text of an utterance, in bytes.
  private static let mostText = 1 << 20

  /// The text so far, from engines that stream it.
  private(set) var draft = ""
  private let engine: WyomingEngine
  private let language: String
  private let link: WyomingLink
  private var stage = Stage.describing
  private var sentFrames = 0
  /// True once the engine knows that the utterance is over.
  private var hasEnded = false

  /// Begins an attempt, without waiting.
  ///
  /// - Parameter language: a tag of BCP 47.
  init(by engine: WyomingEngine, language: String) throws(WyomingError) {
    self.engine = engine
    self.language = language
    link = try engine.connect()
    if let info = engine.info {
      try begin(with: info)
    } else {
      link.send(WyomingEvent(type: "describe"))
    }
  }

  /// True unless the connection is lost.
  var isOpen: Bool { link.isOpen }

  /// Breaks the attempt off.
  func cancel() { engine.release(link, isComplete: false) }

  /// Takes the events that have arrived, and sends what the engine takes, without waiting.
  mutating func proceed(with utterance: PCMBuffer) throws(WyomingError) {
    while let event = try link.take() { try accept(event) }
    send(utterance)
  }

  /// Sends the rest of the utterance, and waits for its text.
  mutating func finish(
    with utterance: PCMBuffer, until deadline: WyomingLink.Deadline
  ) async throws -> String {
    do {
      let text = try await answer(to: utterance, until: deadline)
      engine.release(link, isComplete: hasEnded)
      return text
    } catch {
      engine.release(link, isComplete: false)
      throw error
    }
  }

  private mutating func answer(
    to utterance: PCMBuffer, until deadline: WyomingLink.Deadline
  ) async throws -> String {
    while true {
      send(utterance)
      if case .sending = stage, sentFrames == utterance.frameCount, !hasEnded {
        hasEnded = true
        link.send(WyomingEvent(type: "audio-stop"))
      }
      if case .answered(let text) = stage {
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      let isSending = if case .sending = stage { !hasEnded } else { false }
      if let event = try await link.next(orRoom: isSending, until: deadline) { try accept(event) }
    }
  }

  private mutating func send(_ utterance: PCMBuffer) {
    guard case .sending = stage else { return }
    while sentFrames < utterance.frameCount, link.hasRoom {
      let end = min(sentFrames + Self.block, utterance.frameCount)
      link.send(
        WyomingEvent(
          "audio-chunk", Self.audio,
          payload: Data(littleEndian: utterance.samples[sentFrames..<end])))
      sentFrames = end
    }
  }

  private mutating func accept(_ event: WyomingEvent) throws(WyomingError) {
    let text = event.value(as: WyomingMessage.Text.self)?.text
    switch (event.type, stage) {
    case ("info", .describing):
      if let info = try engine.read(event) { try begin(with: info) }
    case ("transcript-start", .sending):
      draft = ""
    case ("transcript-chunk", .sending):
      draft += text ?? ""
      guard draft.utf8.count <= Self.mostText else {
        throw .against(engine.address.description, reason: "its text has no end")
      }
    case ("transcript", .sending):
      guard let text else {
        throw .against(engine.address.description, reason: "its transcript has no text")
      }
      stage = .answered(text)
    default:
      _ = try engine.read(event)
    }
  }

  private mutating func begin(with info: WyomingInfo) throws(WyomingError) {
    let order = try WyomingMessage.Transcribe(
      to: engine.address, with: info, language: language)
    link.send(WyomingEvent("transcribe", order))
    link.send(WyomingEvent("audio-start", Self.audio))
    stage = .sending
  }

  private static var audio: WyomingMessage.Audio {
    WyomingMessage.Audio(rate: AudioFormat.recognition.sampleRate, width: 2, channels: 1)
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
          + "Name the address of one that has.")
    }
    var models = program.models
    if let name = address.name {
      models = models.filter { $0.name == name }
      guard !models.isEmpty else {
        let known = program.models.prefix(10).map(\.name).joined(separator: ", ")
        throw .unsuitable(
          "\(program.name) at \(address.description) has no model “\(name)”. It has \(known).")
      }
    }
    let tags = models.flatMap(\.languages)
    guard tags.isEmpty || tags.tag(for: language) != nil else {
      throw .unsuitable(
        "\(program.name) at \(address.description) does not know the language \(language). It "
          + "knows \(Set(tags).sorted().prefix(20).joined(separator: ", ")).")
    }
    self.init(name: address.name, language: tags.tag(for: language) ?? language)
  }
}

extension Data {
  /// The bytes of samples, the lower one first.
  fileprivate init(littleEndian samples: ArraySlice<Int16>) {
    self = samples.map(\.littleEndian).withUnsafeBytes { Data($0) }
  }
}
