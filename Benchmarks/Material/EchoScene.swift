import Foundation
import SpeechConcurrency
import SpeechKit
import SpeechTesting
import TestSupport

/// A conversation over open loudspeakers, in memory: replies are played one after the other, and
/// the user speaks during some of them.
struct EchoScene: Sendable {
  /// Speech of the user during a reply, with its delay after the start of the reply.
  struct Interruption: Sendable {
    var text: String
    var sound: PCMBuffer
    var reply: Int
    var after: Duration
  }

  /// The result of a scene.
  struct Outcome: Sendable {
    /// The audio of the microphone, before and after echo cancellation.
    var heard: PCMBuffer
    var cleaned: PCMBuffer
    /// The frames of each reply and of each interruption.
    var replies: [Range<Int>]
    var interruptions: [Range<Int>]
  }

  var replies: [PCMBuffer]
  var interruptions: [Interruption] = []
  var acoustics = EchoingRoom.Acoustics()
  var configuration = EchoCancellerConfiguration()
  /// The level of the room's noise, in decibels relative to full scale.
  var noise = -65.0
  /// The difference of the speaker's clock to the microphone's, in parts per million.
  var drift = 0.0
  var pause = Duration.seconds(1)

  /// The start times of the replies.
  var starts: [Duration] {
    var start = Duration.seconds(2)
    return replies.map { reply in
      defer { start += reply.duration + pause }
      return start
    }
  }

  /// The speech of the user, without any replies.
  var script: AudioScript {
    let starts = starts
    let end = zip(starts, replies).map { $0 + $1.duration }.max() ?? .zero
    var script = AudioScript().withNoise(level: noise).ending(at: end + pause)
    for interruption in interruptions {
      script = script.saying(
        interruption.sound, at: starts[interruption.reply] + interruption.after)
    }
    return script
  }

  func run() async throws -> Outcome {
    let clock = VirtualClock()
    let speakerClock = DriftingClock(clock, partsPerMillion: drift)
    let speaker = MemorySpeaker(clock: speakerClock)
    let room = HeardInput(
      EchoingRoom(
        speaker: speaker, microphone: ScriptedMicrophone(script, clock: clock), clock: clock,
        speakerPace: speakerClock.pace, acoustics: acoustics))
    let devices = EchoCancellingDevices(
      microphone: room, speaker: speaker, configuration: configuration, clock: clock)
    let capture = try await devices.microphone.open()
    // All timers are created before the first sleep, so that the clock waits for every reply.
    let plan = zip(starts, replies).map { ($0, $1, clock.makeTimer()) }
    let playing = plan.map { start, reply, timer in
      Task {
        try await timer.sleep(until: start)
        let playback = try await devices.speaker.open(reply.format)
        timer.cancel()
        try await playback.write(reply)
        try await playback.finish()
      }
    }
    var cleaned = PCMBuffer(format: capture.format)
    while let event = try await capture.read() {
      if case .audio(let sound) = event { cleaned.append(sound) }
    }
    for reply in playing { try await reply.value }
    let format = cleaned.format
    let ranges = zip(starts, replies).map { start, reply in
      format.frames(in: start)..<format.frames(in: start + reply.duration)
    }
    return Outcome(
      heard: room.heard, cleaned: cleaned, replies: ranges,
      interruptions: interruptions.map { interruption in
        let start = ranges[interruption.reply].lowerBound + format.frames(in: interruption.after)
        return start..<start + interruption.sound.frameCount
      })
  }
}

extension EchoScene.Outcome {
  /// Returns the mean attenuation of the echo in decibels, in uninterrupted replies after the first
  /// few.
  func echoRemoved(after first: Int) -> Double {
    let quiet = replies.dropFirst(first).filter { reply in
      !interruptions.contains { $0.overlaps(reply) }
    }
    let losses = quiet.map { heard.slice($0).level - cleaned.slice($0).level }
    return losses.isEmpty ? .nan : losses.reduce(0, +) / Double(losses.count)
  }

  /// Returns the frames at which speech starts and is detected.
  func speech(in sound: PCMBuffer) -> [(start: Int, sure: Int)] {
    var segmenter = SpeechSegmenter(format: sound.format)
    let events = segmenter.process(sound) + segmenter.finish()
    return events.compactMap { event in
      guard case .speechStarted(let start, let sound) = event else { return nil }
      return (start, start + sound.frameCount)
    }
  }

  /// Returns the number of false detections, and for each interruption the seconds from its start
  /// to its detection; `nil` if it is missed.
  func judged(_ sound: PCMBuffer) -> (false: Int, caught: [Double?]) {
    let found = speech(in: sound)
    let rate = Double(sound.format.sampleRate)
    let margin = sound.format.sampleRate / 2
    let wrong = found.filter { found in
      !interruptions.contains { ($0.lowerBound..<$0.upperBound + margin).contains(found.sure) }
    }
    let caught = interruptions.map { interruption in
      found.first { (interruption.lowerBound..<interruption.upperBound + margin).contains($0.sure) }
        .map { Double($0.sure - interruption.lowerBound) / rate }
    }
    return (wrong.count, caught)
  }

  /// Returns the mean change in level of the interruptions, in decibels.
  func change(of scene: EchoScene) -> Double {
    let changes = zip(interruptions, scene.interruptions).map { range, interruption in
      cleaned.slice(range).level - interruption.sound.level
    }
    return changes.isEmpty ? .nan : changes.reduce(0, +) / Double(changes.count)
  }

  /// Returns the audio of an interruption, with a margin.
  func stretch(_ interruption: Int, of sound: PCMBuffer) -> PCMBuffer {
    let range = interruptions[interruption]
    let margin = sound.format.sampleRate * 3 / 10
    return sound.slice(range.lowerBound - margin..<range.upperBound + margin)
  }
}

/// An input that keeps a copy of its audio.
private final class HeardInput: AudioInput {
  private let inner: any AudioInput
  private let kept = Guarded<PCMBuffer>(PCMBuffer(format: .recognition))

  init(_ inner: any AudioInput) { self.inner = inner }

  var name: String { inner.name }
  var heard: PCMBuffer { kept.withLock { $0 } }

  func open() async throws -> any AudioCapture {
    HeardCapture(inner: try await inner.open()) { [kept] sound in
      kept.withLock { $0.append(sound) }
    }
  }
}

private struct HeardCapture: AudioCapture {
  let inner: any AudioCapture
  let keep: @Sendable (PCMBuffer) -> Void

  var format: AudioFormat { inner.format }
  var statistics: AudioStatistics { inner.statistics }

  func read() async throws -> AudioCaptureEvent? {
    let event = try await inner.read()
    if case .audio(let sound)? = event { keep(sound) }
    return event
  }

  func stop() { inner.stop() }
}
