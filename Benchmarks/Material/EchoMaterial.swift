import Foundation
import SpeechKit
import SpeechTesting
import TestSupport

/// The replies and commands of an `EchoScene`.
struct EchoMaterial: Sendable {
  /// The commands that interrupt replies.
  static let commands = [
    "stop", "wait a moment", "not that one", "louder please", "what time is it",
    "cancel my order", "go back to the beginning", "tell me more about the weather",
  ]

  static let grammar = """
    #JSGF V1.0;
    grammar interruptions;
    public <line> = \(commands.joined(separator: " | "));
    """

  /// The level of the user at the microphone, in decibels relative to full scale.
  static let voiceLevel = -28.0

  let sentences: [PCMBuffer]
  let commands: [(text: String, sound: PCMBuffer)]

  /// Synthesises the replies with one voice and the commands with another.
  init() async throws {
    let voice = FliteEngine()
    func say(_ text: String, _ name: String) async throws -> PCMBuffer {
      let sound = try await voice.render(
        voice.makeRequest(text: text, voiceId: name), configuration: .default)
      return try sound.resampled(to: .recognition)
    }
    var sentences: [PCMBuffer] = []
    for sentence in ReadingMatter.sentences {
      let sound = try await say(sentence, "slt")
      // The level at which voices are played.
      sentences.append(sound.amplified(byDecibels: -16 - sound.level))
    }
    self.sentences = sentences
    var commands: [(String, PCMBuffer)] = []
    for text in Self.commands {
      let sound = try await say(text, "rms")
      commands.append((text, sound.amplified(byDecibels: Self.voiceLevel - sound.level)))
    }
    self.commands = commands
  }

  /// Returns a scene in which every `period`th reply is interrupted, at a position that depends on
  /// the seed.
  func scene(
    replies count: Int, interruptedEvery period: Int, acoustics: EchoingRoom.Acoustics,
    seed: UInt64 = 7
  ) -> EchoScene {
    var random = SplitMix(seed: seed)
    var scene = EchoScene(replies: (0..<count).map { sentences[$0 % sentences.count] })
    scene.acoustics = acoustics
    for reply in 0..<count where period > 0 && reply % period == period - 1 {
      let (text, sound) = commands[reply / period % commands.count]
      let room = scene.replies[reply].duration - sound.duration - .milliseconds(400)
      let after = max(0.3, Double.random(in: 0...1, using: &random) * (room / .seconds(1)))
      scene.interruptions.append(
        .init(text: text, sound: sound, reply: reply, after: .seconds(after)))
    }
    return scene
  }
}
