import Foundation
import SpeechAudio
import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechTesting
import TestSupport
import Testing

/// The history of replies that were interrupted at any position.
@Suite(.serialized) struct InterruptionHistoryTests {
  private static let text =
    "Once upon a time there was a king. He had three daughters, and one of them rode a horse."

  /// The words that are heard within that duration of the audio, by the voice's own positions.
  private static func heard(
    _ spoken: [(words: [String], starts: [Duration], total: Duration)], played: Duration
  )
    -> String
  {
    var words: [String] = []
    var begun = Duration.zero
    for sentence in spoken {
      for (index, word) in sentence.words.enumerated() {
        let end = index + 1 < sentence.starts.count ? sentence.starts[index + 1] : sentence.total
        if begun + end <= played { words.append(word) }
      }
      begun += sentence.total
    }
    return words.joined(separator: " ")
  }

  @Test func `after an interruption, the history holds the words that were fully played`()
    async throws
  {
    try await VirtualWorld.run { world in
      let engine = FliteEngine()
      var spoken: [(words: [String], starts: [Duration], total: Duration)] = []
      for sentence in [
        "Once upon a time there was a king. ",
        "He had three daughters, and one of them rode a horse.",
      ] {
        var starts: [Duration] = []
        var total = Duration.zero
        let request = engine.makeRequest(text: sentence, voiceId: "rms")
        for try await chunk in engine.streamAudio(request: request, configuration: .default) {
          starts += chunk.positions.filter { $0.kind == .word }.map(\.audioOffset)
          total += chunk.audio.duration
        }
        spoken.append(
          (
            sentence.split(separator: " ").map { $0.filter(\.isLetter) }, starts, total
          ))
      }
      let whole = spoken.reduce(Duration.zero) { $0 + $1.total }

      let speaker = MemorySpeaker(clock: world.clock)
      let ears = ScriptedRecogniser()
      let responder = ClosureResponder { _, _ in Self.text }
      var rules = TurnRules()
      rules.interruption.minimumSpeech = .zero
      let loop = VoiceLoop(
        recognition: SpeechRecognitionEngine(provider: ears), responder: responder,
        synthesis: SpeechSynthesisEngine(
          provider: VoiceSynthesisProvider(
            engine: engine, configuration: .default, output: speaker)),
        configuration: VoiceLoopConfiguration(rules: rules, voice: "rms"), clock: world.clock)
      try await loop.start()
      @MainActor func say(_ text: String) {
        ears.begin()
        ears.finish(text)
      }
      var numbers = SplitMix(seed: 7)
      say("begin")
      try await world.settle()
      var rounds: [(begin: Duration, end: Duration)] = []
      for round in 0..<Endurance.count(full: 500, short: 60) {
        let begin = world.clock.time
        let time = Int64.random(in: 1...Int64(whole.seconds * 1_000_000), using: &numbers)
        try await world.clock.sleep(until: begin + .microseconds(time))
        rounds.append((begin, world.clock.time))
        say("round \(round)")
        try await world.settle()
      }
      await loop.stop()
      let replies = loop.history.entries.filter { $0.speaker == .reply }
      // The reply after the last round ended with the loop, before any of it was heard.
      #expect(replies.count == rounds.count)
      let sounds = speaker.sounds
      for (round, reply) in zip(rounds, replies) {
        // Everything that was played for that reply: all audio until the interruption, and
        // nothing after it.
        let played = sounds.filter {
          $0.start >= round.begin - .microseconds(1) && $0.start < round.end
        }
        .reduce(Duration.zero) { $0 + $1.audio.duration }
        #expect(abs((played - (round.end - round.begin)).seconds) < 0.001)
        #expect(
          reply.text.filter { $0.isLetter || $0 == " " } == Self.heard(spoken, played: played))
      }
      await loop.stop()
    }
  }
}
