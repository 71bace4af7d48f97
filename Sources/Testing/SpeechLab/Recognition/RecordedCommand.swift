/// A recording as a grammar recognises it.
///
/// ```swift
/// let results = try await grammar.recognise([RecordingEntry(file, expected: "turn on the light")])
/// print(results[0].text, results[0].isRight ?? true)
/// ```
public struct RecordedCommand: Sendable, Hashable, Codable {
  /// One utterance of the recording.
  public struct Utterance: Sendable, Hashable, Codable {
    /// The recognised words.
    public var text: String
    /// The intent of the command; `nil` if the words are no sentence of the grammar.
    public var intent: String?
    /// The slots of the command.
    public var slots: [Slot]
    /// The confidence from 0 to 1.
    public var confidence: Float
  }

  /// A slot with its value.
  public struct Slot: Sendable, Hashable, Codable {
    /// The name of the slot.
    public var name: String
    /// The words in the slot.
    public var text: String
    /// The code or number that the app receives; `nil` for times, days and durations.
    public var code: String?
  }

  /// The path of the file.
  public var file: String
  /// The expected words, empty for none; `nil` if nothing is expected.
  public var expected: String?
  /// The utterances in order.
  public var utterances: [Utterance]

  /// The words of all utterances; empty if there are none.
  public var text: String { utterances.map(\.text).joined(separator: " ") }

  /// True if the expected words were recognised, regardless of letter case; `nil` if nothing is
  /// expected.
  public var isRight: Bool? {
    expected.map { ErrorRate.words(of: $0) == ErrorRate.words(of: text) }
  }
}

/// A recording with the words that are expected.
///
/// ```swift
/// let entries = try RecordingEntry.list(manifest, in: folder)   // lines “FILE<tab>words”
/// ```
public struct RecordingEntry: Sendable, Hashable {
  /// The audio file.
  public var file: URL
  /// The expected words, empty for none; `nil` if nothing is expected.
  public var expected: String?

  /// Creates an entry for an audio file.
  public init(_ file: URL, expected: String? = nil) {
    self.file = file
    self.expected = expected
  }

  /// Reads a list of recordings: a line for each with the file, a tab and the expected words, which
  /// are empty if nothing should be recognised. Empty lines and lines that begin with `#` are
  /// ignored.
  ///
  /// - Parameter folder: The folder of the files.
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

  /// An error in a list of recordings.
  public struct ListError: Error, LocalizedError, Sendable, Equatable {
    /// The line, counted from one.
    public var line: Int

    /// A description of what happened and what to do.
    public var errorDescription: String? {
      "Line \(line) is not a file, a tab and what is said in it. Write each recording so."
    }
  }
}

extension TestedGrammar {
  /// Recognises recordings with the grammar.
  ///
  /// - Parameters:
  ///   - recogniser: The name of the recogniser in the catalogue; empty for the default one.
  ///   - threshold: The confidence below which an utterance counts as not heard.
  ///   - progress: Called with the completed share, from 0 to 1.
  /// - Throws: `AudioError` if a file cannot be read, `SpeechRecognitionError` if it cannot be
  ///   recognised, `CancellationError` if the task is cancelled.
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
