import SpeechCommand
import SpeechTesting

struct LabCommand: Command {
  static let about = CommandDeclaration(
    name: "lab",
    summary: "Compare recognisers on your own recordings, or with many synthetic voices",
    discussion: """
      A FILE that ends in .tsv lists recordings: a line “FILE<tab>WORDS” for each, without words for
      speech that recognisers with a grammar (--grammar) should reject. They are heard as they are,
      unless --noise, --rooms or --telephone change them. The table shows, for each recogniser, the
      word and character error rates with 95 % intervals, the utterances without an error, the time
      from the end of an utterance to its text, and the processor time per second of audio and the
      memory of one decoder.

      Any other FILE contains one line of text per line, or it is a grammar, whose sentences are
      spoken and which the recogniser then listens for. Every voice speaks every line over every
      noise, in every room. The report shows, for each recogniser, the word and character error
      rates with 95 % intervals, the utterances without an error, and the processing time per second
      of audio; and for each voice the time to the first audio.

      A recogniser that listens for a grammar also hears other speech (everyday English, commands of
      other programs, near misses). The report shows how much of it would be accepted at each
      threshold, with the equal error rate and the area under the curve.

      Services take part as in “say”: with the keys of `speechkit credentials`, at their own address
      or at that of a server with OpenAI's interface. Each line is requested once. A service that is
      unreachable or has no key is a row with its error; the others are measured, and the exit code
      is 69.

      --save stores the outcome as a baseline, and --baseline compares with one, utterance by
      utterance, so that few utterances suffice to distinguish a regression from random variation. A
      significant regression of a point or more ends the command with exit code 1.

      --json writes the report in the form of the baseline.
      """,
    examples: [
      "speechkit lab recordings.tsv --recognisers accurate,whisper":
        "Compare recognisers on your own recordings",
      "speechkit lab lines.txt --noise clean,babble:10 --rooms 0,0.6": "Measure dictation",
      "speechkit lab home.commands --save lab.json": "Save a baseline",
      "speechkit lab home.commands --baseline lab.json --html lab.html":
        "Run in continuous integration",
      "speechkit lab lines.txt --recognisers fast,accurate": "Compare two recognisers",
      "speechkit lab lines.txt --recognisers balanced,openai --voices 4 --voice elevenlabs":
        "Compare services with local recognisers",
      "speechkit lab lines.txt --recognisers openai:whisper-1@http://localhost:8000/v1":
        "Measure your own server",
    ],
    exits: [
      .different: "A recogniser is worse than the baseline.",
      .badData: "The lines, the grammar or the baseline cannot be used.",
      .noInput: "A file is missing or cannot be read.",
      .unavailable:
        "There is no model for English, a voice is missing, or a recogniser or a voice failed.",
      .cannotCreate: "A file cannot be written.",
    ])

  @Argument("FILE", .input, help: "Lines, a grammar, or a list of recordings.") var file: String
  var cast = CastOptions()
  var output = ReportOptions()
  @Option(
    "--recogniser", as: .recogniser(in: .current),
    help: "The recogniser, NAME[:MODEL][@URL]. Default: pocketsphinx. See `speechkit doctor`.")
  var recogniser: BackendName?
  @Option(
    "--rooms", as: .reverberations,
    help: "Reverberation times in seconds, such as 0,0.3,0.8. Default: 0, none.")
  var rooms = [0.0]
  @Flag("--telephone", help: "Play everything through a telephone line as well.") var isTelephone
  @Option(
    "--recognisers", as: .recognisers,
    help:
      "The recognisers, NAME[:MODEL][@URL]: PocketSphinx as fast, balanced or accurate; openai; "
      + "openai-live; URL is a server with OpenAI's interface. Default: balanced.")
  var recogniserNames: [BackendName]?
  @Option(
    "--voice", "-v", as: .voice(in: .current),
    help:
      "A voice, as in “say”: elevenlabs, openai:alloy, espeak:en-gb. May be repeated. With "
      + "--voices in addition to those, otherwise alone.")
  var voices: [BackendName]
  @Option(
    "--server", as: .server,
    help: "The address of a server with OpenAI's interface; for voices and recognisers of openai.")
  var server: URL?
  @Option(
    "--others", as: .count(in: 0...1_000),
    help: "With a grammar, the number of lines of each kind of other speech. Default: 20.")
  var others = 20
  @Option(
    "--grammar", as: .text("FILE", .input),
    help: "The grammar that recognisers listen for in recordings.")
  var grammar: String?
  @Flag("--dictation", help: "Take dictation, also for the lines of a grammar.") var isDictation
  var check = CheckOptions()
  @Option("--baseline", as: .text("FILE", .input), help: "Compare with that outcome.")
  var baseline: String?
  @Option("--save", as: .text("FILE", .output(.text)), help: "Save the outcome as a baseline.")
  var save: String?
  @Option(
    "--points", as: .number("NUMBER", in: 0...100),
    help: "The least difference in points that counts as a regression. Default: 1.")
  var points = 1.0

  private var hasCast: Bool { voices.isEmpty || cast.voices != nil }
  private var isRecorded: Bool { URL(filePath: file).pathExtension.lowercased() == "tsv" }

  private var isGrammar: Bool {
    ["commands", "jsgf", "gram"].contains(URL(filePath: file).pathExtension.lowercased())
  }

  func validate() throws {
    guard !_others.isGiven || (isGrammar && !isDictation) else {
      throw UsageError("--others goes with a grammar, and without --dictation.")
    }
    guard isRecorded else {
      guard grammar == nil else {
        throw UsageError("--grammar goes with a list of recordings, whose name ends in .tsv.")
      }
      return
    }
    guard grammar == nil || !isDictation else {
      throw UsageError("--dictation leaves the grammar out. Give either it or --grammar.")
    }
    guard voices.isEmpty, cast.voices == nil, cast.engines == nil else {
      throw UsageError(
        "Recordings are not spoken by voices: leave --voice, --voices and --engine out.")
    }
    guard cast.sentences == nil else {
      throw UsageError("--sentences is for lines and grammars; all recordings are used.")
    }
  }

  func run(on terminal: Terminal) async throws {
    let old = try await readBaseline()
    let material = try await readMaterial()
    let recognisers = try recognisers(listeningFor: material.search)
    for recogniser in recognisers where recogniser.entry.isLocal {
      try await recogniser.check(locale: Locale(identifier: "en-US"))
    }
    try output.checkPage()
    guard check.isOff || !recognisers.allSatisfy({ hasGrammar($0, material) }) else {
      throw CheckOptions.needsDictation
    }
    // The sentences of a grammar are in words; others write numbers and abbreviations in their own
    // way.
    let normalisation: TextNormalisation =
      recognisers.allSatisfy { hasGrammar($0, material) }
      ? [.letterCase, .marks, .hyphens] : .spoken
    let lab =
      isRecorded
      ? RecognitionLab(
        recordings: material.recordings, scenes: scenes, normalisation: normalisation,
        seed: cast.conditions.seed)
      : RecognitionLab(
        lines: material.lines, others: material.others, voices: try await benchVoices(),
        scenes: scenes, normalisation: normalisation, seed: cast.conditions.seed)
    var entries: [RecognitionLab.Recogniser] = []
    for recogniser in recognisers {
      let hasGrammar = hasGrammar(recogniser, material)
      let checked = hasGrammar ? recogniser : try await check.applied(to: recogniser)
      entries.append(RecognitionLab.Recogniser(checked, hasGrammar: hasGrammar))
    }
    let bar = ProgressBar(title: "\(lab.count) utterances")
    let report = try await lab.run(entries) { await terminal.showStatus(bar.text($0)) }
    let comparisons = old.map { report.compared(with: $0, atLeast: points / 100) } ?? []
    try await output.write(
      report, text: report.text, page: { report.html(comparedWith: comparisons) }, on: terminal)
    if let save { try await TextOutput().write(JSONText.line(of: report), to: URL(filePath: save)) }
    for comparison in comparisons { await terminal.note(comparison.text) }
    for failure in report.failures { await terminal.noteFailure(failure) }
    if comparisons.contains(where: \.isWorse) { throw CommandFailure(.different) }
    if !report.failures.isEmpty { throw CommandFailure(.unavailable) }
  }

  private func benchVoices() async throws -> [RecognitionLab.Voice] {
    var bench = hasCast ? cast.conditions.speakers.map(RecognitionLab.Voice.init) : []
    for var name in voices {
      if name.server == nil, SpeechCatalog.current.voiceServes(name) { name.server = server }
      let voice = try await AnyVoice(name, in: .current)
      bench.append(
        RecognitionLab.Voice(
          voice.name.description, of: voice.engine, configuration: (), voice: voice.voice ?? ""))
    }
    return bench
  }

  /// The recognisers, with the grammar as far as each supports it.
  private func recognisers(
    listeningFor search: RecogniserSettings.Search
  ) throws -> [AnyRecogniser] {
    let catalog = SpeechCatalog.current
    let names = try recogniserNames ?? [recogniser ?? BackendName(recogniser: "", in: .current)]
    return try names.map { name in
      let entry = try catalog.recogniserEntry(name.entry)
      var settings = RecogniserSettings()
      settings.reportsPartials = false
      settings.threads = 1
      if entry.features.contains(.grammar) { settings.search = search }
      if entry.features.contains(.server) { settings.server = server }
      return try catalog.recogniser(name, settings: settings)
    }
  }

  private func hasGrammar(_ recogniser: AnyRecogniser, _ material: Material) -> Bool {
    material.search != .dictation && recogniser.entry.features.contains(.grammar)
  }

  private var scenes: [AcousticScene] {
    let lines = isTelephone ? [false, true] : [false]
    let levels = isRecorded ? cast.noise ?? [.clean] : cast.conditions.levels
    return levels.flatMap { level in
      rooms.flatMap { room in
        lines.map { isTelephone in
          AcousticScene(
            backgrounds: level.backgrounds,
            room: room > 0 ? RoomAcoustics(reverberation: .seconds(room)) : nil,
            isTelephone: isTelephone)
        }
      }
    }
  }

  /// The lines to speak or the recordings, and the search of the recognisers.
  private struct Material {
    var recordings: [RecordingEntry] = []
    var lines: [String] = []
    var others: [OtherSpeech] = []
    var search = RecogniserSettings.Search.dictation
  }

  private func readMaterial() async throws -> Material {
    if isRecorded {
      var material = Material(recordings: try await RecordingEntry.list(path: file))
      guard !material.recordings.isEmpty else {
        throw CommandFailure(
          .badData, "“\(file)” has no recordings. Write a line “FILE<tab>WORDS” for each.")
      }
      if let grammar, !isDictation {
        material.search = try await GrammarCommands.load(grammar).search
      }
      return material
    }
    guard isGrammar else {
      let lines = try await TextInput().readLines(path: file)
      guard !lines.isEmpty else {
        throw CommandFailure(.badData, "“\(file)” has no lines. Write one sentence per line.")
      }
      return Material(lines: Array(lines.prefix(cast.limit)))
    }
    let grammar = try await GrammarCommands.load(file)
    let seed = cast.conditions.seed
    let lines = try SentenceSample(grammar, limit: cast.limit, seed: seed).sentences
    guard !isDictation else { return Material(lines: lines) }
    return Material(
      lines: lines, others: grammar.otherSpeech(others, near: lines, seed: seed),
      search: grammar.search)
  }

  private func readBaseline() async throws -> LabReport? {
    guard let baseline else { return nil }
    let text = try await TextInput().read(path: baseline)
    do {
      return try JSONDecoder().decode(LabReport.self, from: Data(text.utf8))
    } catch {
      throw CommandFailure(
        .badData, "“\(baseline)” is not a baseline. Write one with `speechkit lab --save`.")
    }
  }
}

extension SpeechCatalog {
  /// Checks whether the voice's engine can use another server.
  fileprivate func voiceServes(_ name: BackendName) -> Bool {
    voices.contains { $0.name == name.entry && $0.features.contains(.server) }
  }
}

extension ValueFormat where Value == [Double] {
  /// A list of reverberation times: `0,0.3,0.8`.
  fileprivate static var reverberations: Self {
    Self("LIST") { text, option in
      try text.split(separator: ",", omittingEmptySubsequences: false).map { item in
        guard let seconds = Double(item), (0...10).contains(seconds) else {
          throw UsageError(
            "\(option) takes times from 0 to 10 seconds, such as 0,0.3, not “\(item)”")
        }
        return seconds
      }
    }
  }
}

extension ValueFormat where Value == [BackendName] {
  /// A list of recognisers, by their names in the catalogue.
  fileprivate static var recognisers: Self {
    Self("LIST") { text, _ in
      try text.split(separator: ",").map { try BackendName(recogniser: String($0), in: .current) }
    }
  }
}
