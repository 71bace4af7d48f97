import Foundation
import SpeechAudio

/// One attempt to have an engine hear an utterance.
struct WyomingAttempt<Listening: WyomingListening>: Sendable {
  private enum Stage {
    /// The engine was asked for its description.
    case describing
    case sending
    case answered(Listening.Answer)
  }

  /// The frames of an event: a tenth of a second.
  private static var block: Int { 1_600 }

  private(set) var listening: Listening
  private let engine: WyomingEngine
  private let link: WyomingLink
  private var stage = Stage.describing
  private var sentFrames = 0
  /// True once the engine knows that the utterance is over.
  private var hasEnded = false

  /// Begins an attempt, without waiting.
  init(_ listening: Listening, by engine: WyomingEngine) throws(WyomingError) {
    self.listening = listening
    self.engine = engine
    link = try engine.connect()
    if let info = engine.info {
      try begin(with: info)
    } else {
      link.send(WyomingEvent(type: "describe"))
    }
  }

  /// True unless the connection is lost.
  var isOpen: Bool { link.isOpen }

  /// The answer, if the engine has given it.
  var answer: Listening.Answer? { if case .answered(let answer) = stage { answer } else { nil } }

  /// Breaks the attempt off.
  func cancel() { engine.release(link, isComplete: false) }

  /// Takes the events that have arrived, and sends what the engine takes, without waiting.
  mutating func proceed(with audio: WyomingAudio) throws(WyomingError) {
    while answer == nil, let event = try link.take() { try accept(event) }
    send(audio)
  }

  /// Sends the rest of the utterance, and waits for the answer.
  mutating func finish(
    with audio: WyomingAudio, until deadline: WyomingLink.Deadline
  ) async throws -> Listening.Answer {
    do {
      let answer = try await reply(to: audio, until: deadline)
      engine.release(link, isComplete: hasEnded && listening.isLast(answer))
      return answer
    } catch {
      engine.release(link, isComplete: false)
      throw error
    }
  }

  private mutating func reply(
    to audio: WyomingAudio, until deadline: WyomingLink.Deadline
  ) async throws -> Listening.Answer {
    var audio = audio
    let silence = PCMBuffer(
      samples: Array(repeating: 0, count: Listening.padding), format: audio.kept.format)
    audio.append(silence)
    while true {
      send(audio)
      if case .sending = stage, sentFrames == audio.end, !hasEnded {
        hasEnded = true
        link.send(WyomingEvent(type: "audio-stop"))
      }
      if let answer { return answer }
      let isSending = if case .sending = stage { !hasEnded } else { false }
      if let event = try await link.next(orRoom: isSending, until: deadline) { try accept(event) }
    }
  }

  private mutating func send(_ audio: WyomingAudio) {
    guard case .sending = stage else { return }
    // What was dropped before it was sent is lost to this engine.
    sentFrames = max(sentFrames, audio.start)
    while sentFrames < audio.end, link.hasRoom {
      let end = min(sentFrames + Self.block, audio.end)
      let samples = audio.kept.samples[sentFrames - audio.start..<end - audio.start]
      let format = Self.format
      let chunk = WyomingMessage.Chunk(
        rate: format.rate, width: format.width, channels: format.channels,
        timestamp: sentFrames * 1_000 / format.rate)
      link.send(WyomingEvent("audio-chunk", chunk, payload: Data(littleEndian: samples)))
      sentFrames = end
    }
  }

  private mutating func accept(_ event: WyomingEvent) throws(WyomingError) {
    switch stage {
    case .describing:
      if let info = try engine.read(event) { try begin(with: info) }
    case .sending:
      if let answer = try listening.answer(in: event, of: engine, isOver: hasEnded) {
        stage = .answered(answer)
      } else {
        _ = try engine.read(event)
      }
    case .answered:
      break
    }
  }

  private mutating func begin(with info: WyomingInfo) throws(WyomingError) {
    link.send(try listening.order(to: engine.address, with: info))
    link.send(WyomingEvent("audio-start", Self.format))
    stage = .sending
  }

  private static var format: WyomingMessage.Audio {
    WyomingMessage.Audio(rate: AudioFormat.recognition.sampleRate, width: 2, channels: 1)
  }
}

extension Data {
  /// The bytes of samples, the lower one first.
  fileprivate init(littleEndian samples: ArraySlice<Int16>) {
    self = samples.map(\.littleEndian).withUnsafeBytes { Data($0) }
  }
}
