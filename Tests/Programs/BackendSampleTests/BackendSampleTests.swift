import Foundation
import SpeechKit
import SpeechTesting
import TestSupport
import Testing

@testable import AddARecogniser
@testable import AddAVoice
@testable import SpeechCommand
@testable import speechkit

/// A backend that takes one folder and one line in the catalogue can be chosen wherever one is
/// chosen.
@MainActor
struct BackendSampleTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "backends-\(UUID())", directoryHint: .isDirectory)

  init() throws {
    SpeechCatalog.add(VoiceEntry.tones)
    SpeechCatalog.add(RecogniserEntry.tones)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Runs a command in this process, and gives what it writes to standard output.
  private func run(_ arguments: String...) async throws -> String {
    let file = folder.appending(path: "output-\(UUID())")
    let descriptor = open(file.path, O_CREAT | O_WRONLY, 0o600)
    defer { close(descriptor) }
    let request = try CommandLineRequest(arguments, among: CommandList.all)
    guard case .run(let command) = request else { throw UsageError("no command") }
    try await command.run(on: Terminal(output: descriptor))
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func `provider types select them`() {
    let mouth = SpeechSynthesisEngine(
      providerType: SpeechSynthesisProviderType(.tones), output: MemorySpeaker())
    #expect(mouth.provider is VoiceSynthesisProvider<ToneVoice>)
    #expect(mouth.providerType.rawValue == "tones")
    let ears = SpeechRecognitionEngine(
      providerType: SpeechRecognitionProviderType(.tones), input: ScriptedMicrophone())
    #expect(ears.provider is DecoderRecognitionProvider<ToneDecoder>)
    #expect(ears.providerType.rawValue == "tones")
    #expect(SpeechSynthesisProviderType(rawValue: "tones") == SpeechSynthesisProviderType(.tones))
    #expect(SpeechRecognitionProviderType.allCases.contains { $0.rawValue == "tones" })
  }

  @Test func `say speaks, and transcribe and listen hear every key`() async throws {
    let call = path("call.wav")
    _ = try await run("say", "-v", "tones", "123 456 789 *0#", "-o", call)
    let words = "one two three four five six seven eight nine star zero pound"
    #expect(try await run("transcribe", call, "--recogniser", "tones") == words + "\n")
    #expect(try await run("listen", "--file", call, "--recogniser", "tones") == words + "\n")
  }

  @Test func `voices lists the voice`() async throws {
    #expect(try await run("voices", "-p", "tones").contains("tones:keypad"))
    let slow = path("slow.wav")
    _ = try await run("say", "-v", "tones:keypad", "--rate", "0", "5", "-o", slow)
    #expect(try AudioFile.read(URL(filePath: slow), as: .recognition).duration > .milliseconds(400))
  }

  @Test func `the lab counts what it mishears`() async throws {
    let lines = path("lines.txt")
    try "555\n0123\n".write(toFile: lines, atomically: true, encoding: .utf8)
    let table = try await run(
      "lab", lines, "--recognisers", "tones", "--voice", "tones", "--noise", "clean")
    #expect(table.contains("tones"), "\(table)")
  }

  @Test func `loop, test and doctor know them`() async throws {
    for command in ["loop", "replay x", "test x", "grammar test x y"] {
      let arguments = command.split(separator: " ").map(String.init) + ["--recogniser", "tones"]
      #expect(throws: Never.self) {
        try CommandLineRequest(arguments, among: CommandList.all)
      }
    }
    var settings = ConversationSettings()
    (settings.recogniser, settings.voice) = ("tones", "tones")
    let assembly = try await VoiceLoopAssembly(settings)
    #expect(assembly.settings.voice == "tones")
    #expect(assembly.recogniser.entry.displayName == "Telephone tones")
    let scenario = try await ScenarioOverrides(
      recogniser: try BackendName(recogniser: "tones", in: .current),
      voice: try BackendName(voice: "tones", in: .current)
    ).applied(to: Scenario(name: "x"))
    #expect(scenario.recogniser == .named("tones"))
    #expect(scenario.voice.name == "tones")
    let parts = await SpeechDiagnostics.run().map(\.part)
    #expect(parts.contains("recognition.tones.dictation"))
    #expect(parts.contains("synthesis.tones"))
  }

  @Test func `a recogniser without grammars refuses one, and says which takes it`() throws {
    let error = #expect(throws: SpeechCatalogError.self) {
      try SpeechCatalog.current.recogniser(
        "tones", settings: RecogniserSettings(search: .grammar("#JSGF V1.0; grammar g;")))
    }
    #expect(
      error?.localizedDescription
        == "Telephone tones does not support grammars. Choose pocketsphinx or whisper.")
  }

  @Test(arguments: VoiceEngineLaw.allCases)
  func `the voice keeps the law`(_ law: VoiceEngineLaw) async throws {
    let suite = VoiceEngineConformance(ToneVoice(), configuration: .init())
    let objection = try await suite.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }

  @Test(arguments: DecoderLaw.allCases)
  func `the decoder keeps the law`(_ law: DecoderLaw) async throws {
    let voice = ToneVoice()
    let suite = DecoderConformance<ToneDecoder>(
      configuration: .init(), broken: .init(contrast: 0),
      speech: try await voice.render(voice.makeRequest(text: "2580"), configuration: .init()),
      words: "two five eight zero")
    let objection = try await suite.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }

  @Test func `the decoder hears nothing in speech and noise`() async throws {
    let recogniser = try SpeechCatalog.current.recogniser("tones")
    let speech = try await SpeechCatalog.current.voice("flite:rms").render("one two three four")
    #expect(try await recogniser.makeTranscriber().transcribe(speech).text == "")
  }
}
