import SpeechChecking
import SpeechCommand
import SpeechKit

/// `--check` and `--vocabulary`, of commands that take dictation.
struct CheckOptions: OptionGroup {
  /// The treatment of words that the audio does not support.
  enum Check: String, CaseIterable {
    case off
    case words
    case mark
  }

  @Option(
    "--check", as: .choice("CHECK"),
    help:
      "Check the words of dictation against the audio: words removes those that were not spoken, "
      + "mark puts them into square brackets. Default: off.")
  var check: Check?
  @Option(
    "--vocabulary", as: .text("FILE", .input),
    help: "Names and terms, a line each; --check writes them for words that sound alike.")
  var vocabulary: String?

  func validate() throws {
    guard vocabulary == nil || treatment != nil else {
      throw UsageError("--vocabulary goes with --check words or --check mark.")
    }
  }

  var isOff: Bool { treatment == nil }

  static let needsDictation = UsageError(
    "--check is for dictation; --accept checks the sentences of a grammar.")

  private var treatment: WordCheck.Treatment? { check.flatMap { .init(rawValue: $0.rawValue) } }

  /// Returns the recogniser with the check that was chosen.
  func applied(to recogniser: AnyRecogniser) async throws -> AnyRecogniser {
    guard let treatment else { return recogniser }
    var check = WordCheck(
      treatment, pronunciations: SpeechCatalog.current.pronunciations, userDictionary: .standard)
    if let vocabulary { check.vocabulary = try await TextInput().readLines(path: vocabulary) }
    return recogniser.checked(by: check)
  }
}
