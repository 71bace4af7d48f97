import Foundation
import SpeechKit

/// `speechkit transcribe`: writes down what is said in sound files.
struct TranscribeCommand: Command {
  static let declaration = CommandDeclaration(
    name: "transcribe",
    summary: "Write down what is said in sound files",
    discussion: [
      "Reads WAV, FLAC, OGG, Opus and MP3 of any rate and number of channels; “-” is standard input. "
        + "Plain text is written as it is recognised, a line per utterance.",
      "Of several files one that cannot be read does not hold up the others; the exit code is that of "
        + "the first failure. Text of several files has a line “==> FILE <==” before each.",
      "With --accept, what is not believed to be a sentence of the grammar is left out; a note says so on "
        + "standard error.",
      "JSON is a line per file: an object with “file”, “complete”, “duration”, “text” and “segments”, "
        + "each with “start”, “end”, “text”, “confidence”, “words” (“text”, “start”, “end”, “confidence”) and "
        + "“alternatives” (“text”, “confidence”), and with --accept “rejected”, a list of “start”, “end”, “text” "
        + "(the nearest sentence) and “confidence”. Times are in seconds, confidences from 0 to 1.",
      "Ctrl-C ends with what was recognised until then, written in any format: JSON has “complete” false "
        + "and the “duration” that was recognised, WebVTT a note at its end. So it is with a file that was cut off, "
        + "of which a note on standard error tells.",
    ],
    positionals: [
      PositionalDeclaration(
        name: "FILE", count: .oneOrMore, help: "Sound files; “-” for standard input.")
    ],
    options: [format.declaration, json.declaration, tabbed.declaration, output.declaration]
      + RecognitionOptions.declarations,
    examples: [
      .init("speechkit transcribe talk.mp3", "Text"),
      .init("speechkit transcribe talk.mp3 -o talk.srt", "Subtitles"),
      .init("speechkit transcribe --tabbed *.wav", "A line “FILE<tab>text” per file"),
      .init(
        "speechkit transcribe --json *.wav -o notes/", "A file of JSON beside each other in notes/"),
      .init("ffmpeg -i film.mkv -f wav - | speechkit transcribe -", "The sound of another program"),
      .init("speechkit transcribe --keyphrase computer meeting.wav", "Where the phrase is said"),
      .init("speechkit transcribe --grammar orders.gram order.wav", "Only what the grammar allows"),
    ],
    exits: [
      (.badData, "A file is not sound that can be read, or the grammar is broken."),
      (.noInput, "A file is missing or must not be read."),
      (.unavailable, "There is no model for the language."),
      (.cannotCreate, "The output cannot be written."),
    ])

  static let format = ValueOption<TranscriptFormat>(
    "format", short: "f", value: "FORMAT",
    help: "How to write it; txt unless the extension of --output says another.")
  static let json = Flag("json", help: "The same as --format json.")
  static let tabbed = Flag(
    "tabbed", help: "Write a line “FILE<tab>text” per file, as scorers of recognition read it.")
  static let output = ValueOption<String>(
    "output", short: "o", value: "PATH",
    help:
      "Write into a file, or into a folder: a file per input, with the extension of the format.",
    hint: .output(.text))

  private let files: [String]
  private let layout: TranscriptLayout
  private let output: TranscriptOutput
  private let recognition: RecognitionOptions

  init(_ arguments: ParsedArguments) throws {
    files = arguments.positionals
    recognition = try RecognitionOptions(arguments)
    guard files.filter({ $0 == "-" }).count < 2 else {
      throw UsageError("Standard input can be read once only.")
    }
    var format = arguments[Self.format]
    if arguments[Self.json] {
      guard format ?? .json == .json else {
        throw UsageError("--json and --format \(format?.rawValue ?? "") contradict each other.")
      }
      format = .json
    }
    let path = arguments[Self.output]
    let named = path.flatMap { TranscriptFormat(rawValue: URL(filePath: $0).pathExtension) }
    let chosen = format ?? named ?? .txt
    if arguments[Self.tabbed], chosen != .txt {
      throw UsageError("--tabbed is a way to write text; it does not go with \(chosen.rawValue).")
    }
    layout = TranscriptLayout(
      format: chosen, isTabbed: arguments[Self.tabbed], hasHeadings: files.count > 1,
      rejects: recognition.rejects)
    output = try TranscriptOutput(path, of: files, format: chosen)
    for place in output.files(for: files) { try arguments.checkOutput(place, .text) }
  }

  func run(on terminal: Terminal) async throws {
    let recogniser = try await recognition.recogniser(reportsPartials: false)
    let transcriber = recogniser.makeTranscriber(locale: recognition.locale)
    try await transcriber.prepare()
    var firstFailure: ExitStatus?
    for (index, file) in files.enumerated() {
      guard !Task.isCancelled else {
        await terminal.note(TranscriptionJob.interruption(before: file))
        throw CancellationError()
      }
      do {
        let job = TranscriptionJob(
          file: file, number: index + 1, count: files.count, layout: layout, output: output)
        try await job.run(with: transcriber, on: terminal)
      } catch let error as OutputError {
        throw error
      } catch  where !(error is CancellationError) {
        await terminal.noteFailure(error.localizedDescription)
        firstFailure = firstFailure ?? ExitStatus(error)
      }
    }
    if let firstFailure { throw CommandFailure(firstFailure) }
  }
}
