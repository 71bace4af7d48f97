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
    help:
      "Names and terms, a line each and at most 1,000; --check writes them for words that sound "
      + "alike.")
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

  /// The given check, changed by the options that were given; `nil` for none.
  func applied(to check: WordCheck?) async throws -> WordCheck? {
    guard self.check != nil else { return check }
    guard let treatment else { return nil }
    var changed = check ?? WordCheck()
    changed.treatment = treatment
    if let vocabulary { changed.vocabulary = try await TextInput().readLines(path: vocabulary) }
    return changed
  }

  /// Returns the recogniser with the check that was chosen.
  func applied(to recogniser: AnyRecogniser) async throws -> AnyRecogniser {
    recogniser.checkedInCatalog(by: try await applied(to: nil as WordCheck?))
  }
}

extension AnyRecogniser {
  /// Returns the recogniser with that check of its words, which looks up pronunciations as the
  /// recognisers of the catalogue do.
  func checkedInCatalog(by check: WordCheck?) -> AnyRecogniser {
    guard var check else { return self }
    check.pronunciations = SpeechCatalog.current.pronunciations
    check.userDictionary = .standard
    return checked(by: check)
  }
}
