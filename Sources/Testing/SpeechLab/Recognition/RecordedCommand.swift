/// What a grammar makes of a recording.
///
/// ```swift
/// let results = try await grammar.recognise([RecordingEntry(file, expected: "turn on the light")])
/// print(results[0].text, results[0].isRight ?? true)
/// ```
public struct RecordedCommand: Sendable, Hashable, Codable {
  /// One utterance of the recording.
  public struct Utterance: Sendable, Hashable, Codable {
    /// The words.
    public var text: String
    /// The intent that they belong to; `nil` if they are no sentence of the grammar.
    public var intent: String?
    /// What was said in its slots.
    public var slots: [Slot]
    /// How sure the recogniser is, from 0 to 1.
    public var confidence: Float
  }

  /// What was said in a slot.
  public struct Slot: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// The words.
    public var text: String
    /// The code or the number that the app gets; `nil` for times, days and lengths of time.
    public var code: String?
  }

  /// The path of the file.
  public var file: String
  /// What should be heard, empty for nothing; `nil` if nobody said.
  public var expected: String?
  /// What was heard, in its order.
  public var utterances: [Utterance]

  /// All words; empty if nothing was heard.
  public var text: String { utterances.map(\.text).joined(separator: " ") }

  /// Whether what should be heard was heard, whatever the capital letters; `nil` if nobody said.
  public var isRight: Bool? {
    expected.map { ErrorRate.words(of: $0) == ErrorRate.words(of: text) }
  }
}

/// A recording, and what should be heard in it.
///
/// ```swift
/// let entries = try RecordingEntry.list(manifest, in: folder)   // lines “FILE<tab>what is said”
/// ```
public struct RecordingEntry: Sendable, Hashable {
  /// The file.
  public var file: URL
  /// What should be heard, empty for nothing; `nil` if nobody says.
  public var expected: String?

  /// A recording.
  public init(_ file: URL, expected: String? = nil) {
    self.file = file
    self.expected = expected
  }

  /// The recordings of a list: a line for each with the file, a tab and what is said in it, which is empty
  /// where nothing should be heard. Empty lines and those that begin with `#` say nothing.
  ///
  /// - Parameter folder: where the files are.
  /// - Throws: `ListError` for a line without a tab.
  public static func list(_ text: String, in folder: URL) throws(ListError) -> [RecordingEntry] {
    var entries: [RecordingEntry] = []
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      guard !line.allSatisfy(\.isWhitespace), line.first != "#" else { continue }
      let fields = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      guard fields.count == 2, !fields[0].isEmpty else { throw ListError(line: number + 1) }
      entries.append(
        RecordingEntry(
          URL(filePath: String(fields[0]), relativeTo: folder),
          expected: ErrorRate.words(of: String(fields[1])).joined(separator: " ")))
    }
    return entries
  }

  /// A list of recordings that cannot be read.
  public struct ListError: Error, LocalizedError, Sendable, Equatable {
    /// The line, counted from one.
    public var line: Int

    /// What is wrong and what to do.
    public var errorDescription: String? {
      "Line \(line) is not a file, a tab and what is said in it. Write each recording so."
    }
  }
}

extension TestedGrammar {
  /// Recognises recordings with the grammar.
  ///
  /// - Parameters:
  ///   - recogniser: the name of the recogniser in the catalogue; empty for its first one.
  ///   - threshold: what is heard with less confidence counts as not heard.
  ///   - progress: called with the share that is done, from 0 to 1.
  /// - Throws: `AudioError` when a file cannot be read, `SpeechRecognitionError` when it cannot be
  ///   recognised, `CancellationError` when the task is cancelled.
  public func recognise(
    _ recordings: [RecordingEntry], recogniser: String = "", threshold: Float = 0,
    progress: @escaping @Sendable (Double) async -> Void = { _ in }
  ) async throws -> [RecordedCommand] {
    let transcriber = try self.recogniser(recogniser).makeTranscriber()
    try await transcriber.prepare()
    var results: [RecordedCommand] = []
    for recording in recordings {
      let transcript = try await transcriber.transcribe(recording.file)
      let utterances = transcript.segments.filter { $0.confidence >= threshold }.map { segment in
        let match = matcher.match(segment.text)
        return RecordedCommand.Utterance(
          text: segment.text, intent: match?.intent,
          slots: (match?.slots ?? []).map {
            .init(name: $0.name, text: $0.text, code: $0.code ?? $0.integer.map(String.init))
          }, confidence: segment.confidence)
      }
      results.append(
        RecordedCommand(
          file: recording.file.relativePath, expected: recording.expected, utterances: utterances))
      await progress(Double(results.count) / Double(recordings.count))
    }
    return results
  }
}
