import Foundation
import SpeechAudio
import SpeechCommand
import SpeechCore

/// A conversation of a guest and a coffee bar through real recognition and synthesis.
@MainActor
final class DemoConversation {
  /// The guest of the conversation.
  enum Guest {
    /// A voice that speaks these lines into a microphone in memory, as fast as the recogniser
    /// permits.
    case scripted([String], AnyVoice)
    /// A person at the real microphone.
    case person(microphone: any AudioInput, speaker: any AudioOutput)
  }

  /// An event of a conversation.
  enum Event {
    case greeted(String, firstSoundDelay: TimeInterval)
    case heard(DemoTurn)
    case answered(DemoTurn)
  }

  /// A line before it is spoken. The text and audio of a person's line are unknown.
  private struct Line {
    var text: String?
    var sound: PCMBuffer?
  }

  /// The lines of the scripted guest.
  nonisolated static let lines = [
    "Good morning, can I have a large cappuccino please",
    "almond milk please",
    "no, make it a small one",
    "yes please",
    "no thank you",
  ]

  /// The pause before the guest speaks.
  private static let pause = Duration.milliseconds(500)
  /// The timeout for words after the guest has spoken.
  private static let timeout = Duration.seconds(5)

  private let guest: Guest
  private let clock: any DeviceClock
  private let recording: DemoRecording
  private let script: ScriptedMicrophone?
  private let ears: SpeechRecognitionEngine
  private let mouth: SpeechSynthesisEngine
  private let voice: AnyVoice
  private var bar = CoffeeBar()

  init(guest: Guest, voice: AnyVoice, recogniser: AnyRecogniser) {
    self.guest = guest
    self.voice = voice
    let input: any AudioInput
    let output: any AudioOutput
    switch guest {
    case .scripted:
      let virtual = VirtualClock()
      // A room is never quite silent.
      let scripted = ScriptedMicrophone(AudioScript().withNoise(level: -66), clock: virtual)
      (clock, script, input) = (virtual, scripted, scripted)
      output = MemorySpeaker(clock: virtual)
    case .person(let microphone, let speaker):
      (clock, script, input, output) = (RealClock(), nil, microphone, speaker)
    }
    recording = DemoRecording(clock: clock)
    ears = SpeechRecognitionEngine(
      provider: recogniser.makeProvider(input: recording.microphone(input)))
    mouth = SpeechSynthesisEngine(provider: voice.makeProvider(output: recording.speaker(output)))
  }

  /// The audio so far.
  var sound: PCMBuffer { get throws { try recording.sound } }

  /// Holds the conversation to its end.
  func run(tell: (Event) async throws -> Void) async throws -> DemoReport {
    let began = ContinuousClock.now
    var report = DemoReport(answeringVoice: voice.name.description, greeting: CoffeeBar.greeting)
    if case .scripted(_, let voice) = guest { report.guestVoice = voice.name.description }
    let delay = try await say(CoffeeBar.greeting)
    try await tell(.greeted(CoffeeBar.greeting, firstSoundDelay: delay))
    while !bar.isOver, let line = try await line(report.turns.count) {
      guard var turn = try await hear(line) else {
        guard script == nil else {
          throw CommandFailure(.software, "“\(line.text ?? "")” was said and nothing was heard.")
        }
        continue
      }
      turn.answer = bar.answer(to: turn.heard)
      try await tell(.heard(turn))
      turn.firstSoundDelay = try await say(turn.answer)
      try await tell(.answered(turn))
      report.turns.append(turn)
    }
    report.duration = clock.time.inSeconds
    report.elapsed = began.duration(to: .now).inSeconds
    report.realTimeFactor = report.duration > 0 ? report.elapsed / report.duration : 0
    report.isUnderstood = report.turns.allSatisfy(\.isUnderstood)
    return report
  }

  /// The line of the guest with that number; `nil` after the last one.
  private func line(_ number: Int) async throws -> Line? {
    guard case .scripted(let lines, let voice) = guest else { return Line() }
    guard number < lines.count else { return nil }
    let sound = try await voice.render(lines[number]).resampled(to: .recognition)
    return Line(text: lines[number], sound: sound.withoutTrailingSilence)
  }

  private func hear(_ line: Line) async throws -> DemoTurn? {
    // The virtual clock stands still while no microphone is open, so that everything happens at the
    // same times in every run.
    var lastSound: Duration?
    if let sound = line.sound {
      script?.say(sound, after: Self.pause)
      lastSound = Self.pause + sound.duration
    }
    let deadline = lastSound.map { clock.time + $0 + Self.timeout }
    let results = ears.results
    try await ears.startListening(locale: Locale(identifier: "en-US"))
    let limit = Task { [clock, ears] in
      guard let deadline else { return }
      try await clock.sleep(until: deadline)
      ears.stopListening()
    }
    defer {
      // In this order: without a listener, the clock would advance to the limit at once.
      limit.cancel()
      ears.stopListening()
    }
    for await result in results where result.isFinal {
      return turn(of: result, said: line.text, lastSound: lastSound?.inSeconds)
    }
    try Task.checkCancellation()
    if let error = ears.error { throw error }
    return nil
  }

  private func turn(
    of result: SpeechRecognitionResult, said: String?, lastSound: TimeInterval?
  ) -> DemoTurn {
    let end = lastSound ?? result.words.last?.end ?? 0
    let delivery = recording.delivery(before: result.timestamp)
    return DemoTurn(
      said: said, heard: result.text, confidence: result.confidence,
      detectionDelay: delivery.map { $0.audioTime - end } ?? 0,
      decodingTime: delivery.map { result.timestamp.timeIntervalSince($0.date) } ?? 0)
  }

  /// - Returns: The time from the text to its first audio.
  private func say(_ text: String) async throws -> TimeInterval {
    let asked = ContinuousClock.now
    try await mouth.speak(text: text, voice: voice.voice)
    return recording.firstSound.map { asked.duration(to: $0).inSeconds } ?? 0
  }
}

extension PCMBuffer {
  /// The audio without the inaudible end, so that the last sample is the end of speech.
  fileprivate var withoutTrailingSilence: PCMBuffer {
    let audible = samples.lastIndex { abs(Int($0)) > 150 } ?? samples.endIndex - 1
    return slice(0..<audible + 1)
  }
}
