import Foundation
import SpeechKit

/// Recorded phrases and grammars for tests of whole journeys.
enum Phrases {
  static let folder = URL(fileURLWithPath: "/usr/share/sounds/alsa")
  static let areInstalled = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("Front_Center.wav").path)
  static let reason = "the recordings of the package alsa-utils are not installed"

  /// All phrases and their words.
  static let all = [
    ("Front_Center", "front center"), ("Front_Left", "front left"),
    ("Front_Right", "front right"), ("Rear_Center", "rear center"), ("Rear_Left", "rear left"),
    ("Rear_Right", "rear right"), ("Side_Left", "side left"), ("Side_Right", "side right"),
  ]

  static let grammar = """
    #JSGF V1.0;
    grammar places;
    public <place> = (front | rear | side) (center | left | right);
    """

  static let english = Locale(identifier: "en-US")

  /// A recorded phrase without the silence around it.
  static func recording(_ name: String) throws -> PCMBuffer {
    let url = folder.appendingPathComponent("\(name).wav")
    let sound = try AudioFile.read(url, as: .recognition)
    let isLoud = { (sample: Int16) in sample.magnitude > 500 }
    let first = sound.samples.firstIndex(where: isLoud) ?? 0
    let last = sound.samples.lastIndex(where: isLoud) ?? 0
    return sound.slice(first..<last + 1)
  }

  /// A line spoken by Flite, whose voices recognisers understand.
  static func flite(_ text: String, voice: String = "rms") async throws -> PCMBuffer {
    let engine = FliteEngine()
    return try await engine.render(
      engine.makeRequest(text: text, voiceId: voice), configuration: .default
    ).resampled(to: .recognition)
  }
}
