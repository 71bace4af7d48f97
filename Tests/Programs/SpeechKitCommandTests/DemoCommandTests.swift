import Foundation
import SpeechKit
import Testing

@testable import SpeechDemo
@testable import speechkit

struct DemoCommandTests {
  private struct Report: Decodable {
    struct Turn: Decodable {
      var said: String
      var heard: String
      var isUnderstood: Bool
      var confidence: Double
      var answer: String
      var detectionDelay: Double
      var decodingTime: Double
      var latency: Double
      var firstSoundDelay: Double
    }

    var turns: [Turn]
    var isUnderstood: Bool
    var duration: Double
    var elapsed: Double
    var realTimeFactor: Double
    var file: String
  }

  private var grammar: String { DemoGrammar.path }

  @Test func `a copy of the program holds the conversation in any folder`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    var tool = Tool("demo", "--json").throughShell(#"cp "$1" copy && shift && exec ./copy "$@""#)
    tool.folder = workshop.folder
    let outcome = try await tool.run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try JSONDecoder().decode(Report.self, from: outcome.output).isUnderstood)
    #expect(FileManager.default.fileExists(atPath: workshop.path("demo.wav")))
  }

  @Test func `the conversation is held, understood and written with both voices`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let path = workshop.path("talk.wav")
    let outcome = try await Tool("demo", "--json", "-o", path, "--grammar", grammar).run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let report = try JSONDecoder().decode(Report.self, from: outcome.output)
    #expect(report.isUnderstood)
    #expect(report.turns.map(\.said) == DemoConversation.lines)
    #expect(report.turns.last?.answer.contains("cappuccino") == true)
    for turn in report.turns {
      #expect(turn.isUnderstood)
      #expect((0.3...1.5).contains(turn.detectionDelay), "\(turn.said): \(turn.detectionDelay)")
      #expect(turn.decodingTime > 0)
      #expect(abs(turn.latency - turn.detectionDelay - turn.decodingTime) < 1e-6)
      #expect(turn.firstSoundDelay > 0)
    }
    #expect(abs(report.realTimeFactor * report.duration - report.elapsed) < 1e-6)
    #expect(report.file == path)

    let sound = try AudioFile.read(URL(filePath: path))
    #expect(abs(Double(sound.frameCount) / 16_000 - report.duration) < 1)
    // In a process of its own, as in the demo: the audio of eSpeak depends slightly on what it
    // spoke before.
    let greeting = workshop.path("greeting.wav")
    #if Espeak
    let voice = "espeak:en-us"
    #else
    let voice = "flite:rms"
    #endif
    let said = try await Tool("say", "--voice", voice, "-o", greeting, CoffeeBar.greeting).run()
    #expect(said.status == 0)
    let bar = try AudioFile.read(URL(filePath: greeting), as: sound.format)
    #expect(sound.bestLikeness(to: bar, near: .zero) > 0.95)
    let guest = try await FliteEngine().render("slt", DemoConversation.lines[0], .default)
    let pause = Duration.milliseconds(500)
    #expect(sound.bestLikeness(to: guest, near: bar.duration + pause) > 0.95)
  }

  @Test func `the conversation is printed turn by turn`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    var tool = Tool("demo", "--grammar", grammar)
    tool.folder = workshop.folder
    let outcome = try await tool.run()
    #expect(outcome.status == 0)
    #expect(outcome.lines.filter { $0.hasPrefix("heard ") }.count == DemoConversation.lines.count)
    #expect(outcome.text.contains("5 of 5 lines understood."))
    #expect(workshop.names == ["demo.wav"])
  }

  @Test func `a demo that mishears fails and shows what it heard`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    // A grammar without the spoken words, so every result is wrong.
    let other = try workshop.write(
      "#JSGF V1.0;\ngrammar other;\npublic <a> = small tea | large espresso with soy milk;",
      to: "other.gram")
    let outcome = try await Tool(
      "demo", "-o", workshop.path("a.wav"), "--grammar", other
    ).run()
    #expect(outcome.status == 70)
    #expect(!outcome.text.contains("5 of 5"))
    #expect(!outcome.errors.isEmpty)
  }

  @Test(arguments: [
    (["demo", "--device", "x"], 64, "--live"),
    (["demo", "--grammar", "/nonexistent"], 66, "There is no file"),
    (["demo", "--voice-user", "flite:nobody"], 69, "There is no voice “nobody”"),
    (["demo", "--live"], 69, "No loudspeaker was found"),
  ])
  func `each failure has its exit code and a suggestion`(
    arguments: [String], status: Int32, message: String
  ) async throws {
    let given = arguments.contains("--grammar") ? [] : ["--grammar", grammar]
    let outcome = try await Tool(arguments + given).run()
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}

struct CoffeeBarTests {
  private func talk(_ lines: String...) -> (bar: CoffeeBar, answers: [String]) {
    var bar = CoffeeBar()
    let answers = lines.map { bar.answer(to: $0) }
    return (bar, answers)
  }

  @Test func `the barista asks only for missing details`() {
    let (bar, answers) = talk("can i have a latte", "large please", "soy milk", "yes please")
    #expect(answers[0] == "A latte. Small, medium or large?")
    #expect(answers[1] == "A large latte. Which milk: whole, skim, soy, almond, or none?")
    #expect(answers[2] == "So that is a large latte with soy milk. Is that right?")
    #expect(answers[3] == "Thank you. I am making a large latte with soy milk. Anything else?")
    #expect(bar.isConfirmed)
    #expect(!bar.isOver)
  }

  @Test func `an espresso needs no milk`() {
    #expect(talk("small espresso please").answers[0].hasPrefix("So that is a small espresso."))
  }

  @Test func `a correction changes the order`() {
    let (bar, answers) = talk("a large tea with no milk", "no make it a small one", "that is right")
    #expect(answers[1] == "So that is a small tea without milk. Is that right?")
    #expect(bar.size == "small")
    #expect(bar.isConfirmed)
  }

  @Test func `a no without an order leads to a question`() {
    #expect(talk("a large espresso", "no").answers[1] == "What shall I change?")
  }

  @Test func `the barista says goodbye`() {
    let (bar, answers) = talk("small americano", "yes", "no thank you")
    #expect(bar.isOver)
    #expect(answers[2] == "Goodbye, and enjoy your americano.")
    #expect(talk("bye").bar.isOver)
  }
}

extension VoiceEngine {
  /// Renders speech as a recording at the recogniser's rate.
  fileprivate func render(
    _ voice: String, _ text: String, _ configuration: Configuration
  ) async throws -> PCMBuffer {
    try await render(makeRequest(text: text, voiceId: voice), configuration: configuration)
      .resampled(to: .recognition)
  }
}

extension PCMBuffer {
  /// The similarity to the first half second of another recording around a time; 1 for identical
  /// audio.
  fileprivate func bestLikeness(to other: PCMBuffer, near time: Duration) -> Double {
    let middle = format.frames(in: time)
    let pattern = other.samples.prefix(8_000).map(Double.init)
    return (middle - 400...middle + 400).filter { $0 >= 0 }
      .map { likeness(to: pattern, at: $0) }.max() ?? 0
  }

  private func likeness(to pattern: [Double], at start: Int) -> Double {
    guard start + pattern.count <= samples.count else { return 0 }
    var product = 0.0
    var ours = 0.0
    var theirs = 0.0
    for (index, sample) in pattern.enumerated() {
      let own = Double(samples[start + index])
      product += own * sample
      ours += own * own
      theirs += sample * sample
    }
    return product / max(1, (ours * theirs).squareRoot())
  }
}
