import Foundation
import SpeechKit

/// Sentences of a grammar and other speech, to measure how well they are distinguished.
struct RejectionMaterial {
  struct Utterance {
    var sound: PCMBuffer
    /// The file of the grammar.
    var grammar: URL
    var belongs: Bool
  }

  /// A kind of noise and its signal-to-noise ratio, in decibels.
  struct Noise {
    enum Color: String { case white, pink, babble }
    var color: Color
    var decibels: Double
  }

  /// Returns recordings of the corpus: for each grammar its own, and all others of less than twelve
  /// seconds that contain no part of its sentences.
  static func recordings(of corpus: Corpus) throws -> [Utterance] {
    var made: [Utterance] = []
    let digits: Set = ["digits", "numbers", "cards", "goforward"]
    for (grammar, own) in corpus.grammars() {
      let name = grammar.deletingPathExtension().lastPathComponent
      for entry in corpus.entries where entry.task != "vad" {
        let belongs = own.contains { $0.file == entry.file }
        if !belongs, digits.contains(name), ["digits", "commands"].contains(entry.task),
          !entry.file.contains("coffee")
        {
          continue
        }
        let sound = try AudioFile.read(entry.url, as: .recognition)
        guard belongs || sound.duration < .seconds(12), !entry.file.contains("ten001") else {
          continue
        }
        made.append(Utterance(sound: sound, grammar: grammar, belongs: belongs))
      }
    }
    return made
  }

  /// Synthesises commands of a house, and other sentences or commands with a wrong word, with three
  /// voices of Flite.
  static func spoken(in folder: URL, nearMisses: Bool) async throws -> [Utterance] {
    let grammar = folder.appendingPathComponent("house.gram")
    try house.write(to: grammar, atomically: true, encoding: .utf8)
    let engine = FliteEngine()
    var made: [Utterance] = []
    for (index, command) in commands.enumerated() {
      let wrong = command.split(separator: " ").dropLast() + [Substring(strangers[index])]
      let other = nearMisses ? wrong.joined(separator: " ") : ReadingMatter.sentences[index]
      for voice in ["slt", "rms", "awb"] {
        for (text, belongs) in [(command, true), (other, false)] {
          let sound = try await engine.render(
            engine.makeRequest(text: text, voiceId: voice), configuration: .default)
          made.append(
            Utterance(
              sound: try sound.resampled(to: .recognition), grammar: grammar, belongs: belongs))
        }
      }
    }
    return made
  }

  private static let house = """
    #JSGF V1.0;
    grammar house;
    public <command> = (turn | switch) (on | off) the <device> [in the <room>]
      | set the (volume | brightness | temperature) to <number> [percent]
      | (open | close) the (door | window | curtains) [in the <room>];
    <device> = lights | lamp | radio | heater | fan | television;
    <room> = kitchen | bedroom | bathroom | garage;
    <number> = ten | twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety;
    """

  private static let commands = [
    "turn on the lights", "turn off the radio", "switch on the heater in the bedroom",
    "switch off the lamp in the kitchen", "set the volume to forty percent",
    "set the temperature to twenty", "open the window in the bathroom", "close the curtains",
    "open the door", "turn on the television in the bedroom", "switch off the fan",
    "set the brightness to ninety", "close the window in the garage", "turn off the heater",
    "turn on the lamp in the bathroom", "set the volume to ten", "switch on the television",
    "close the door in the kitchen", "switch off the lights in the garage", "turn on the radio",
  ]

  /// Words that are in no grammar of these benchmarks.
  static let strangers = [
    "engine", "parrot", "mountain", "bridge", "horses", "monday", "orchestra", "machine",
    "wallet", "forest", "guitar", "yellow", "pencil", "island", "harvest", "summer", "elephant",
    "valley", "chicken", "zebra",
  ]
}

extension RejectionMaterial.Noise {
  /// Returns audio with this noise, which is the same in each call.
  func added(to sound: PCMBuffer, babble: [PCMBuffer]) -> PCMBuffer {
    guard !sound.isEmpty else { return sound }
    var random = SplitMix(state: UInt64(sound.frameCount))
    var noise = [Double](repeating: 0, count: sound.frameCount)
    switch color {
    case .white:
      for index in noise.indices { noise[index] = random.next() }
    case .pink:
      // One source for each octave, which changes half as often as the one before.
      var sources = [Double](repeating: 0, count: 12)
      for index in noise.indices {
        let which = min((index + 1).trailingZeroBitCount, 11)
        sources[which] = random.next()
        noise[index] = sources.reduce(0, +)
      }
    case .babble:
      for voice in babble.prefix(8) where !voice.isEmpty {
        let start = Int((random.next() + 1) / 2 * Double(voice.frameCount))
        for index in noise.indices {
          noise[index] += Double(voice.samples[(start + index) % voice.frameCount])
        }
      }
    }
    // Relative to the louder half of the audio, which contains the speech.
    let squares = sound.samples.map { Double($0) * Double($0) }.sorted()
    let louder = squares[(squares.count / 2)...]
    let speech = louder.reduce(0, +) / Double(louder.count)
    let power = noise.reduce(0) { $0 + $1 * $1 } / Double(noise.count)
    let factor = (speech / pow(10, decibels / 10) / max(power, 1e-9)).squareRoot()
    let samples = zip(sound.samples, noise).map { sample, noise in
      Int16(clamping: Int((Double(sample) + noise * factor).rounded()))
    }
    return PCMBuffer(samples: samples, format: sound.format)
  }

  private struct SplitMix {
    var state: UInt64

    /// From -1 to 1.
    mutating func next() -> Double {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return Double((bits ^ (bits >> 31)) >> 11) / Double(1 << 52) - 1
    }
  }
}
