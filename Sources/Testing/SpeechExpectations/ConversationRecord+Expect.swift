import Foundation
public import SpeechTesting
public import Testing

extension ConversationRecord {
  /// Tests expectations about the conversation, for Swift Testing.
  ///
  /// ```swift
  /// let record = try await VirtualConversation.play(script) { devices in … }
  /// record.expect(.heard("turn on the light"), .said("The light is on."))
  /// ```
  /// An unmet expectation becomes an issue of the test at the line of the call, with the differing
  /// words and the story. Audio and log are attached to the test.
  ///
  /// - Parameter grammar: The grammar that defines intents and slots.
  /// - Returns: True if all expectations are met.
  @discardableResult
  public func expect(
    _ expectations: ConversationExpectation..., grammar: CommandMatcher? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    guard let failure = failure(of: expectations, grammar: grammar) else { return true }
    Issue.record("\(failure.description)", sourceLocation: sourceLocation)
    for (name, audio) in [("both.wav", bothSides), ("heard.wav", heard)] {
      guard let file = try? AudioFile.encode(audio) else { continue }
      Attachment.record([UInt8](file), named: name, sourceLocation: sourceLocation)
    }
    Attachment.record(story + "\n\n" + log, named: "log.txt", sourceLocation: sourceLocation)
    return false
  }
}

extension ScenarioOutcome {
  /// Tests that the scenario passed, for Swift Testing.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.files(in: folder))
  /// func `scenario`(_ file: URL) async throws {
  ///   try await Scenario(contentsOf: file).run().expectPassed()
  /// }
  /// ```
  /// - Returns: True if the scenario passed.
  @discardableResult
  public func expectPassed(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    guard !isPassed else { return true }
    Issue.record("\(account)", sourceLocation: sourceLocation)
    if !heard.isEmpty {
      Attachment.record([UInt8](heard), named: "heard.wav", sourceLocation: sourceLocation)
      Attachment.record([UInt8](played), named: "played.wav", sourceLocation: sourceLocation)
    }
    Attachment.record(story + "\n\n" + log, named: "log.txt", sourceLocation: sourceLocation)
    return false
  }
}
