import Foundation
import SpeechConversation
import SpeechExpectations
import SpeechTesting
import Testing

struct ExpectationTests {
  private static func event(_ second: Double, _ kind: VoiceLoopEvent.Kind) -> VoiceLoopEvent {
    VoiceLoopEvent(time: .seconds(second), turn: 1, kind: kind)
  }

  private static let record = ConversationRecord(
    lines: [
      SpokenLine(person: "Anna", words: "turn on the light", start: .seconds(1), end: .seconds(2))
    ], unsaid: [],
    events: [
      event(1.1, .userStarted), event(2.5, .userFinal("turn on the light")),
      event(3, .speaking("It is on.")), event(4, .speaking("Anything else?")),
      event(5, .replyFinished("It is on. Anything else?")), event(7, .userFinal("no")),
      event(8, .interrupted(heard: "Good", unheard: "bye.")), event(9, .ended),
    ], replies: [], heard: .silence(.seconds(9), format: .recognition),
    played: .silence(.seconds(5), format: .recognition))

  private func isMet(_ expectations: ConversationExpectation...) -> Bool {
    Self.record.failure(of: expectations) == nil
  }

  @Test func `expectations are met in order, each by another event`() {
    #expect(isMet(.heard("Turn on the light!", within: .milliseconds(500)), .said("It is on.")))
    #expect(isMet(.said("It is on. Anything else?", within: .seconds(1)), .heard("no")))
    #expect(isMet(.said("Anything else?"), .interrupted(after: "good")))
    #expect(!isMet(.heard("no"), .heard("turn on the light")))
    #expect(!isMet(.heard("no"), .heard("no")))
    #expect(!isMet(.heard("turn on the light", within: .milliseconds(400))))
    #expect(isMet(.heard("turn of the light", wordErrorRate: 0.25)))
    #expect(!isMet(.heard("turn of the light", wordErrorRate: 0.2)))
    #expect(isMet(.never(.awake), .never(.heard("yes", wordErrorRate: 0))))
    #expect(!isMet(.never(.interrupted(after: nil))))
    #expect(!isMet(.nothingHeard) && !isMet(.nothingSaid))
    #expect(!isMet(.budget(.total, .seconds(1))))
  }

  @Test func `the history is compared as a whole`() throws {
    var record = Self.record
    let history: [ConversationExpectation.HistoryEntry] = [
      .init(.user, "turn on the light"), .init(.reply, "It is on.", unheard: "Anything else?"),
    ]
    #expect(record.failure(of: [.history(history)])?.description.contains("not known") == true)
    record.history = ConversationHistory([
      .init(.user, "turn on the light"), .init(.reply, "It is on.", unheard: "Anything else?"),
    ])
    #expect(record.failure(of: [.history(history)]) == nil)
    #expect(record.failure(of: [.history([history[0], .init(.reply, "It is on.")])]) == nil)
    for wrong in [
      [history[0]], history.reversed(), history + history,
      [history[0], .init(.reply, "It is on. Anything else?")],
      [history[0], .init(.reply, "It is on.", unheard: "")],
    ] {
      let failure = try #require(record.failure(of: [.history(wrong)]))
      #expect(
        failure.description.contains(
          #"    reply "It is on." unheard "Anything else?""#), "\(failure)")
    }
  }

  @Test func `a failure shows the differing words and the story`() {
    let error = #expect(throws: ExpectationFailure.self) {
      try Self.record.check([.heard("turn off the lights"), .heard("no")])
    }
    #expect(
      error?.description == """
        ✘ heard "turn off the lights"
          The nearest, at 2.5 s: 2 of 4 words are wrong (50 %):
            wanted turn off the lights
            came   turn on  the light
                        ~~~     ~~~~~~
        What happened:
            1.000  Anna says “turn on the light” (until   2.000)
            2.500  heard “turn on the light”
            3.000  says “It is on.”
            4.000  says “Anything else?”
            5.000  finished its reply
            7.000  heard “no”
            8.000  was interrupted after “Good”, before “bye.”
            9.000  ended
        """)
  }

  @Test func `audio and log are written for an unmet expectation`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let error = #expect(throws: ExpectationFailure.self) {
      try Self.record.check([.heard("yes")], keepingIn: folder)
    }
    #expect(error?.description.contains(folder.path) == true)
    for name in ["heard.wav", "played.wav", "both.wav", "log.txt"] {
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: name).path))
    }
    try Self.record.check([.heard("no")], keepingIn: folder)
  }

  @Test func `an unmet expectation is an issue in Swift Testing`() {
    #expect(Self.record.expect(.heard("turn on the light"), .said("It is on.")))
    withKnownIssue {
      #expect(!Self.record.expect(.heard("turn off the light")))
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("wanted turn off the light") }
    }
  }
}
