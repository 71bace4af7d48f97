import SpeechCommand
import SpeechKit

struct RecognitionOptions: OptionGroup {
  @Option(
    "--grammar", "-g", as: .text("FILE", .input),
    help: "Recognise only sentences of this grammar (JSGF or .commands); far surer than dictation.")
  var grammar: String?
  @Option(
    "--accept", "-a", as: .acceptance,
    help:
      "The least confidence for a sentence of the grammar: a number from 0 to 1, recommended, or "
      + "off, which accepts any speech as one of them. Default: recommended.")
  var acceptanceGiven: PocketSphinxAcceptance?
  @Option(
    "--keyphrase", "-k", as: .keyPhrase,
    help:
      "Listen for this phrase only, or for the command after it (--grammar, --dictate). May be "
      + "repeated. In the form of `speechkit keyphrase calibrate`, or plain.")
  var keyPhrases: [KeyPhrase]
  @Option(
    "--spotter", as: .recogniser(in: .current),
    help: "The recogniser that waits for the phrase before a command, such as "
      + "wyoming:localhost:10400 for openWakeWord. Default: one on this machine.")
  var spotter: BackendName?
  @Flag(
    "--dictate",
    help: "Take dictation: after a key phrase, and with --grammar of what the grammar rejects.")
  var isDictated
  @Option(
    "--window", as: .number("SECONDS", in: 0.1...600),
    help: "The time after a key phrase in which a command may begin. Default: 5.")
  var window: Double?
  var recognition = RecogniserOptions()
  @Option(
    "--model", "-m", as: .text("DIR", .input),
    help: "Dictate with a model of your own, made by `speechkit model build`.")
  var model: String?
  var check = CheckOptions()
  var language = LanguageOption()

  var locale: Locale { language.locale }

  /// True if utterances may be rejected.
  var rejects: Bool { acceptance != .off }

  /// True if a command is recognised after a key phrase.
  var hasWakeWord: Bool { !keyPhrases.isEmpty && (grammar != nil || isDictated) }

  private var acceptance: PocketSphinxAcceptance {
    // A grammar without a threshold takes any speech, and breath, for one of its sentences.
    acceptanceGiven ?? (grammar == nil ? .off : .recommended)
  }

  /// True if speech that the grammar rejects is taken as dictation.
  private var readsRejected: Bool { isDictated && grammar != nil }

  func validate() throws {
    guard acceptance == .off || grammar != nil else {
      throw UsageError("--accept needs --grammar: dictation accepts every word.")
    }
    guard model == nil || (grammar == nil && (keyPhrases.isEmpty || isDictated)) else {
      throw UsageError(
        "--model is for dictation: without --grammar, and with --keyphrase and --dictate or "
          + "neither.")
    }
    guard !isDictated || grammar != nil || !keyPhrases.isEmpty else {
      throw UsageError(
        "--dictate goes with --grammar or --keyphrase; dictation is the default without them.")
    }
    guard !readsRejected || acceptanceGiven != .off else {
      throw UsageError(
        "--dictate reads what the grammar rejects, and --accept off rejects nothing.")
    }
    guard check.isOff || grammar == nil && (keyPhrases.isEmpty || isDictated) else {
      throw CheckOptions.needsDictation
    }
    guard window == nil || hasWakeWord else {
      throw UsageError("--window goes with --keyphrase and with --grammar or --dictate.")
    }
    guard spotter == nil || hasWakeWord else {
      throw UsageError(
        "--spotter goes with --keyphrase and with --grammar or --dictate. Without a command after "
          + "the phrase, --recogniser names what listens for it.")
    }
  }

  /// Creates the recogniser, after a check of the files and keys that it needs, so that each has
  /// its own exit status. An automatic choice of a recogniser is reported.
  ///
  /// - Parameter jobs: the number of files that are recognised at once, which share the processors;
  ///   `nil` for live audio.
  func recogniser(jobs: Int? = nil, on terminal: Terminal) async throws -> AnyRecogniser {
    var settings = RecogniserSettings(languageModel: model.map { URL(filePath: $0) })
    if case .atLeast(let confidence) = acceptance { settings.minimumConfidence = confidence }
    if let jobs {
      settings.reportsPartials = false
      settings.threads = max(1, ProcessInfo.processInfo.activeProcessorCount / jobs)
    }
    settings.search = try await search()
    let catalog = SpeechCatalog.current
    let given = try recognition.given
    let name =
      if let given {
        given
      } else {
        await catalog.automaticRecogniser(for: settings, locale: locale)
      }
    let other = readsRejected ? await catalog.automaticRecogniser(locale: locale) : nil
    let recogniser = try catalog.recogniser(
      name, settings: settings, otherwise: other,
      wakingBy: hasWakeWord ? keyPhrases.map(\.description) : [], spotter: spotter,
      window: .seconds(window ?? 5))
    try await recogniser.check(locale: locale)
    if let other {
      await terminal.noteChoice(of: other, forRejected: true, in: catalog)
    } else if given == nil {
      await terminal.noteChoice(of: name, in: catalog)
    }
    return try await check.applied(to: recogniser)
  }

  private func search() async throws -> RecogniserSettings.Search {
    guard let grammar else {
      return keyPhrases.isEmpty || isDictated
        ? .dictation : .keyPhrases(keyPhrases.map(\.description))
    }
    return try await GrammarFile(path: grammar).search()
  }
}

extension AnyRecogniser {
  /// Checks the models and keys that the recogniser needs.
  func check(locale: Locale) async throws {
    do {
      try await checkAccess(locale: locale)
    } catch let error as SpeechRecognitionError {
      throw CommandFailure(.unavailable, error.localizedDescription)
    }
  }
}

extension Terminal {
  /// Reports that free speech is recognised with another recogniser than the catalogue's first one,
  /// as depends on what is installed.
  ///
  /// - Parameter isForRejected: true if it only reads what a grammar rejects, for which there is no
  ///   other choice.
  func noteChoice(
    of name: BackendName, forRejected isForRejected: Bool = false, in catalog: SpeechCatalog
  ) {
    guard let first = catalog.recognisers.first, name.entry != first.name,
      let chosen = catalog.recognisers.first(where: { $0.name == name.entry })
    else { return }
    let advice =
      isForRejected
      ? "" : "; “--recogniser \(first.name)” chooses \(first.displayName)"
    note("speechkit: \(chosen.displayName) recognises free speech\(advice).")
  }
}

/// `--language`, of commands that look up words and models.
struct LanguageOption: OptionGroup {
  @Option("--language", "-l", as: .text("TAG"), help: "The language. Default: en-US.")
  var language: String?

  var locale: Locale { Locale(identifier: language ?? "en-US") }
}
