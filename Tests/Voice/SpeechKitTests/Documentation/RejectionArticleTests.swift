import SpeechCloud
import SpeechKit
import Testing

/// Runs what the article about rejection shows.
@MainActor
struct RejectionArticleTests {
  private let english = Locale(identifier: "en-US")
  private let home = CommandGrammar("home") {
    Intent("switch_light") {
      "turn"
      Slot("state") {
        "on"
        "off"
      }
      "the"
      OneOf {
        "light"
        "lights"
      }
    }
  }

  /// As the article has it, for a microphone and a service that are not there.
  private func listen(cloud: OpenAITranscriptionDecoder.Configuration) async throws {
    let ears = PocketSphinxRecognitionProvider(
      configuration: PocketSphinxConfiguration(
        search: .grammar(try home.jsgfText()), acceptance: .recommended))
    let engine = SpeechRecognitionEngine(provider: ears)
    Task {
      for await rejected in engine.rejections {
        print("Nearest was “\(rejected.nearest.text)”, with \(rejected.nearest.confidence).")
      }
    }

    ears.cascade = RecognitionCascade([
      .init(
        PocketSphinxDecoder.self, configuration: PocketSphinxConfiguration(), locale: english,
        atLeast: 0.7),
      .init(OpenAITranscriptionDecoder.self, configuration: cloud, locale: english),
    ])
    for await rejected in engine.rejections {
      if let reading = try await rejected.reading() { print("Heard: \(reading.text)") }
    }
  }

  @Test func `a command is a result, and other speech is read by dictation`() async throws {
    let voice = FliteEngine()
    var sound = PCMBuffer.silence(.milliseconds(500), format: .recognition)
    for text in ["turn on the lights", "my brother is moving to another city"] {
      let request = voice.makeRequest(text: text, voiceId: "slt")
      let spoken = try await voice.render(request, configuration: .default)
      sound.append(try spoken.resampled(to: .recognition))
      sound.append(.silence(.seconds(2), format: .recognition))
    }
    let ears = PocketSphinxRecognitionProvider(
      configuration: PocketSphinxConfiguration(
        search: .grammar(try home.jsgfText()), acceptance: .recommended),
      input: AudioFileInput(sound))
    ears.cascade = RecognitionCascade([
      .init(
        PocketSphinxDecoder.self, configuration: PocketSphinxConfiguration(preset: .fast),
        locale: english)
    ])
    let engine = SpeechRecognitionEngine(provider: ears)
    let (results, rejections) = (engine.results, engine.rejections)
    try await engine.startListening(locale: english)
    var heard: [String] = []
    for await result in results where result.isFinal { heard.append(result.text) }
    #expect(heard == ["turn on the lights"])
    var readings: [String] = []
    for await rejected in rejections {
      #expect(rejected.audio.duration > .seconds(1))
      readings.append(try await rejected.reading()?.text ?? "")
    }
    #expect(readings.count == 1)
    #expect(readings.first?.contains("brother") == true, "\(readings)")
  }
}
