import SpeechCommand
import SpeechKit

struct TranscribeCommand: Command {
  static let about = CommandDeclaration(
    name: "transcribe",
    summary: "Transcribe recordings",
    discussion: """
      Reads WAV, FLAC, OGG, Opus and MP3 of any sample rate and number of channels; “-” is standard
      input. Plain text is written as it is recognised, one line per utterance.

      If one of several files cannot be read, the others are transcribed nevertheless; the exit code
      is that of the first failure. Text of several files has a line “==> FILE <==” before each.

      Several files are transcribed at once, with a recogniser each (see --jobs); their texts are
      written in the order of the files.

      With --grammar, other speech is left out. A line on standard error reports each rejected
      utterance, with the nearest sentence; it is not a failure. --accept off writes it instead.

      JSON has one line per file: an object with “file”, “complete”, “duration”, “text” and
      “segments”, each with “start”, “end”, “text”, “confidence”, “words” (“text”, “start”, “end”,
      “confidence”) and “alternatives” (“text”, “confidence”), and with a grammar “rejected”, a list
      of “start”, “end”, “text” (the nearest sentence) and “confidence”. Times are in seconds,
      confidences from 0 to 1.

      After Ctrl-C the text so far is written, in any format: JSON has “complete” false and the
      “duration” so far, WebVTT a note at its end. The same applies to a truncated file, which a
      note on standard error reports, and to a damaged one, which is a failure.
      """,
    examples: [
      "speechkit transcribe talk.mp3": "Write text",
      "speechkit transcribe talk.mp3 -o talk.srt": "Write subtitles",
      "speechkit transcribe --tabbed *.wav": "Write a line “FILE<tab>text” per file",
      "speechkit transcribe --json *.wav -o notes/": "Write a JSON file per recording to notes/",
      "ffmpeg -i film.mkv -f wav - | speechkit transcribe -":
        "Transcribe the audio of another program",
      "speechkit transcribe --keyphrase computer meeting.wav": "Find a phrase",
      "speechkit transcribe --grammar orders.gram order.wav":
        "Recognise only sentences of a grammar",
    ],
    exits: [
      .badData: "A file is damaged or not audio, or the grammar is not valid.",
      .noInput: "A file is missing or cannot be read.",
      .unavailable: "There is no model for the language.",
      .cannotCreate: "The output cannot be written.",
    ])

  @Argument("FILE", .input, isRequired: true, help: "Audio files; “-” for standard input.")
  var files: [String]
  @Option(
    "--format", "-f", as: .choice("FORMAT"),
    help: "The format. Default: that of the extension of --output, or txt.")
  var format: TranscriptFormat?
  @Flag("--json", help: "The same as --format json.") var isJSON
  @Flag("--tabbed", help: "Write a line “FILE<tab>text” per file, as scoring tools read it.")
  var isTabbed
  @Option(
    "--output", "-o", as: .text("PATH", .output(.text)),
    help: "A file, or a folder that gets a file per input with the extension of the format.")
  var path: String?
  @Option(
    "--jobs", as: .count(in: 1...256),
    help: "The number of files that are transcribed at once. Default: one for each processor.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var recognition = RecognitionOptions()

  func validate() throws {
    guard files.filter({ $0 == "-" }).count < 2 else {
      throw UsageError("Standard input can be read only once.")
    }
    if isJSON, let format, format != .json {
      throw UsageError("--json and --format \(format.rawValue) contradict each other.")
    }
    if isTabbed, chosenFormat != .txt {
      throw UsageError("--tabbed writes text; it does not go with \(chosenFormat.rawValue).")
    }
    _ = try output
  }

  var derivedOutputs: [(path: String, kind: OutputKind)] {
    get throws { try output.files(for: files).map { ($0, .text) } }
  }

  private var chosenFormat: TranscriptFormat {
    let named = path.flatMap { TranscriptFormat(rawValue: URL(filePath: $0).pathExtension) }
    return (isJSON ? .json : format) ?? named ?? .txt
  }

  private var output: TranscriptOutput {
    get throws(UsageError) { try TranscriptOutput(path, of: files, format: chosenFormat) }
  }

  private var layout: TranscriptLayout {
    TranscriptLayout(
      format: chosenFormat, isTabbed: isTabbed, hasHeadings: files.count > 1,
      rejects: recognition.rejects, isDictated: recognition.isDictated)
  }

  func run(on terminal: Terminal) async throws {
    let jobs = min(jobs, files.count)
    let recogniser = try await recognition.recogniser(jobs: jobs, on: terminal)
    let transcribers = (0..<jobs).map { _ in
      recogniser.makeTranscriber(locale: recognition.locale)
    }
    // The others load while this one works, and are not needed if it is done before.
    try await transcribers.first?.prepare()
    let output = try output
    let layout = layout
    let queue = TranscriptionQueue(
      jobs: files.enumerated().map { index, file in
        TranscriptionJob(
          file: file, number: index + 1, count: files.count, layout: layout, output: output)
      }, transcribers: transcribers)
    try await queue.run(on: terminal)
  }
}
