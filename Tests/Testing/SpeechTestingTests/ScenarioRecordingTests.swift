import Foundation
import SpeechTesting
import Testing

/// Recordings in scenarios.
@Suite(.serialized) struct ScenarioRecordingTests {
  private static func folder(with recording: PCMBuffer?) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(ScenarioTests.lights.utf8).write(to: folder.appending(path: "home.gram"))
    if let recording { try AudioFile.write(recording, to: folder.appending(path: "guest.wav")) }
    return folder
  }

  private static let text = """
    grammar home.gram
    reply "As you wish."
    person Guest flite:awb
    Guest plays "guest.wav" saying "turn off the bedroom light" at 1 s
    expect heard "turn off the bedroom light" within 2 s
    expect said "As you wish."
    """

  @Test func `a recording is played instead of a voice that reads its words`() async throws {
    let recording = try await Speaker(.flite, voice: "slt").say("turn on the kitchen light")
    let folder = try Self.folder(with: recording)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "test.scenario")
    let outcome = try await Scenario(Self.text, file: file).run()
    #expect(outcome.lines.map(\.words) == ["turn off the bedroom light"])
    #expect(
      outcome.objections.contains("came   turn on  the kitchen light"), "\(outcome.objections)")
    #expect(outcome.verdicts[1].objection == nil, "\(outcome.account)")
    let length = try #require(outcome.lines.first).end - #require(outcome.lines.first).start
    #expect(abs((length - recording.duration) / .seconds(1)) < 0.05)
  }

  @Test func `a missing recording is an error, and one without words is no speech`() throws {
    let folder = try Self.folder(with: nil)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "test.scenario")
    let missing = #expect(throws: ScenarioError.self) { try Scenario(Self.text, file: file) }
    #expect(
      missing?.errorDescription?.contains("test.scenario:4:13: ") == true, "\(missing as Any)")
    try AudioFile.write(
      PCMBuffer(samples: [0, 0], format: .recognition), to: folder.appending(path: "guest.wav"))
    let sound = try Scenario(
      Self.text.replacing(" saying \"turn off the bedroom light\"", with: ""), file: file)
    #expect(sound.script.lines.map(\.words) == [""])
    #expect(sound.script.lines.first?.recording?.samples == [0, 0])
  }
}
