import SpeechKit

/// A decoder that reads Morse code.
final class MorseDecoder: SpeechDecoder {
  struct Configuration: Sendable {
    /// The length of a dot.
    var dot = Duration.milliseconds(60)
  }

  static let identifier = "com.example.morse-reader"
  static let isAvailable = true

  let format = AudioFormat.recognition
  private let blockSize: Int
  private var utterance = PCMBuffer(format: .recognition)

  init(configuration: Configuration, locale: Locale) throws {
    guard configuration.dot >= .milliseconds(10) else {
      throw SpeechRecognitionError.recognitionFailed(
        "Dots of \(configuration.dot) cannot be told apart. Key them for 10 ms or longer.")
    }
    blockSize = format.frames(in: configuration.dot / 3)
  }

  func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) -> DecoderOutput {
    switch input {
    case .start, .discard:
      utterance.samples = []
    case .audio(let audio):
      utterance.append(audio)
      return DecoderOutput(partialText: MorseCode.text(of: signs))
    case .finish:
      return DecoderOutput(utterance: reading())
    case .utterance(let audio):
      utterance = audio
      return DecoderOutput(utterance: reading())
    case .silence, .keyPhraseExpected, .context, .paused:
      break
    }
    return DecoderOutput()
  }

  private func reading() -> DecodedUtterance? {
    defer { utterance.samples = [] }
    let text = MorseCode.text(of: signs)
    guard !text.isEmpty else { return nil }
    let end = utterance.duration / .seconds(1)
    return DecodedUtterance(text: text, words: [RecognizedWord(text: text, start: 0, end: end)])
  }

  /// The symbols heard so far. A block is the third of a dot, and a key is down where it is loud.
  private var signs: String {
    var signs = ""
    var length = 0
    var isDown = false
    for start in stride(from: 0, to: utterance.frameCount, by: blockSize) {
      let isLoud = utterance.slice(start..<start + blockSize).level > -30
      if isLoud != isDown {
        signs += Self.sign(ofBlocks: length, isDown: isDown)
        (length, isDown) = (0, isLoud)
      }
      length += 1
    }
    return signs + (isDown ? Self.sign(ofBlocks: length, isDown: true) : "")
  }

  private static func sign(ofBlocks length: Int, isDown: Bool) -> String {
    switch (isDown, length) {
    case (true, ..<6): "."
    case (true, _): "-"
    case (false, ..<6): ""
    case (false, ..<15): " "
    case (false, _): "/"
    }
  }
}
