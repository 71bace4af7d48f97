import Foundation
import SpeechConcurrency
import SpeechKit
import SpeechTesting

/// `speechkit lab`: what recognisers make of lines that many voices say in many surroundings.
struct LabCommand: Command {
  static let about = CommandDeclaration(
    name: "lab",
    summary:
      "Have lines said by many voices in many surroundings, and count what recognisers get wrong",
    discussion: """
      FILE holds the lines, one in each; or a grammar, whose sentences are said, and which the
      recogniser then listens for. Every line is said by every voice over every noise, in every
      room. For each recogniser the words and characters that are wrong, with 95 % intervals, the
      utterances without an error, and the seconds of work for a second of sound; for each voice the
      time to its first sound.

      A recogniser that listens for a grammar is told other speech as well (everyday English,
      commands of other programs, near misses); what it would believe of it is shown threshold by
      threshold, with the equal error rate and the area under the curve.

      Services take part as they do in “say”: with the keys that “speechkit credentials” knows, at
      their own address or at that of a server of OpenAI's kind. Each line is asked for once. One
      that is down or has no key is a row with its error; the others are heard, and the command ends
      with status 69.

      --save keeps the outcome as a baseline, and --baseline compares with one: utterance by
      utterance, so that a regression shows in few of them and chance does not. One of a point or
      more that chance does not explain ends the command with status 1.

      With --json the report as the baseline has it.
      """,
    examples: [
      .init("speechkit lab lines.txt --noise clean,babble:10 --rooms 0,0.6", "Lines as dictation"),
      .init("speechkit lab home.commands --save lab.json", "Keep what is so today"),
      .init(
        "speechkit lab home.commands --baseline lab.json --html lab.html",
        "In continuous integration"),
      .init("speechkit lab lines.txt --recognisers fast,accurate", "Is the slower one better?"),
      .init(
        "speechkit lab lines.txt --recognisers balanced,openai --voices 4 --voice elevenlabs",
        "Services beside what is installed"),
      .init(
        "speechkit lab lines.txt --recognisers openai:whisper-1@http://localhost:8000/v1",
        "A server of one's own"),
    ],
    exits: [
      (.different, "A recogniser is worse than the baseline."),
      (.badData, "The lines, the grammar or the baseline cannot be used."),
      (.noInput, "A file is missing or must not be read."),
      (
        .unavailable,
        "There is no model for English, a voice is missing, or a recogniser or a voice failed."
      ),
      (.cannotCreate, "A file cannot be written."),
    ])

  @Argument("FILE", .input, help: "Lines, or a grammar.") var file: String
  var cast = CastOptions()
  var output = ReportOptions()
  @Option(
    "--recogniser", as: .recogniser,
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
      "The recognisers, NAME[:MODEL][@URL]: PocketSphinx as fast, balanced or accurate; openai; URL is a "
      + "server with OpenAI's interface. Default: balanced.")
  var recogniserNames: [BackendName]?
  @Option(
    "--voice", "-v", as: .voice,
    help:
      "A voice, as in “say”: elevenlabs, openai:alloy, espeak:en-gb. May be repeated. With --voices in "
      + "addition to those, otherwise alone.")
  var voices: [BackendName]
  @Option(
    "--server", as: .server,
    help: "The address of a server with OpenAI's interface; for voices and recognisers of openai.")
  var server: URL?
  @Option(
    "--others", as: .count(in: 0...1_000),
    help: "With a grammar, the number of lines of each kind of other speech. Default: 20.")
  var others = 20
  @Flag("--dictation", help: "Take dictation, also for the lines of a grammar.") var isDictation
  @Option("--baseline", as: .text("FILE", .input), help: "Compare with that outcome.")
  var baseline: String?
  @Option("--save", as: .text("FILE", .output(.text)), help: "Save the outcome as a baseline.")
  var save: String?
  @Option(
    "--points", as: .number("NUMBER", in: 0...100),
    help: "The least difference in points that counts as a regression. Default: 1.")
  var points = 1.0

  private var hasCast: Bool { voices.isEmpty || cast.voices != nil }

  func run(on terminal: Terminal) async throws {
    let old = try await readBaseline()
    let material = try await readMaterial()
    let recognisers = try recognisers(listeningFor: material.search)
    for recogniser in recognisers where recogniser.entry.isLocal {
      try await recogniser.check(
        RecogniserSettings(search: material.search), locale: Locale(identifier: "en-US"))
    }
    try output.checkPage()
    let lab = RecognitionLab(
      lines: material.lines, others: material.others, voices: try await benchVoices(),
      surroundings: surroundings,
      normalisation: material.search == .dictation || !recognisers.allSatisfy(\.entry.isLocal)
        // Services write numbers and short forms as they like; the sentences of a grammar are in words.
        ? .spoken : [.letterCase, .marks, .hyphens],
      seed: cast.conditions.seed)
    let ears = recognisers.map { RecognitionLab.Ear($0, hasGrammar: hasGrammar($0, material)) }
    let bar = ProgressBar(title: "\(lab.count) utterances")
    let report = try await lab.run(ears) { await terminal.showStatus(bar.text($0)) }
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
      let voice = try await AnyVoice(name)
      bench.append(
        RecognitionLab.Voice(
          voice.name.description, of: voice.engine, configuration: (), voice: voice.voice ?? ""))
    }
    return bench
  }

  /// The recognisers, listening for what is said as far as each can.
  private func recognisers(
    listeningFor search: RecogniserSettings.Search
  ) throws -> [AnyRecogniser] {
    let catalog = SpeechCatalog.current
    let names = try recogniserNames ?? [recogniser ?? BackendName(recogniser: "")]
    return try names.map { name in
      let entry = try catalog.recogniserEntry(name.entry)
      var settings = RecogniserSettings()
      settings.reportsPartials = false
      if entry.features.contains(.grammar) { settings.search = search }
      if entry.features.contains(.server) { settings.server = server }
      return try catalog.recogniser(name, settings: settings)
    }
  }

  private func hasGrammar(_ recogniser: AnyRecogniser, _ material: Material) -> Bool {
    material.search != .dictation && recogniser.entry.features.contains(.grammar)
  }

  private var surroundings: [AcousticScene] {
    let lines = isTelephone ? [false, true] : [false]
    return cast.conditions.levels.flatMap { level in
      rooms.flatMap { room in
        lines.map { isTelephone in
          AcousticScene(
            backgrounds: level.noise.map { [Background(.noise($0), decibels: level.decibels)] }
              ?? [],
            room: room > 0 ? RoomAcoustics(reverberation: .seconds(room)) : nil,
            isTelephone: isTelephone)
        }
      }
    }
  }

  /// What is said, and for what those listen who hear it.
  private struct Material {
    var lines: [String]
    var others: [OtherSpeech] = []
    var search = RecogniserSettings.Search.dictation
  }

  private func readMaterial() async throws -> Material {
    let ending = URL(filePath: file).pathExtension.lowercased()
    guard ["commands", "jsgf", "gram"].contains(ending) else {
      let lines = try await TextInput().read(path: file).split(whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty && !$0.hasPrefix("#") }
      guard !lines.isEmpty else {
        throw CommandFailure(.badData, "“\(file)” has no line. Write one in each.")
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
        .badData, "“\(baseline)” is no outcome that `speechkit lab --save` has written.")
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
    Self("LIST") { text, option throws(UsageError) in
      var times: [Double] = []
      for item in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let seconds = Double(item), (0...10).contains(seconds) else {
          throw UsageError(
            "\(option) takes times from 0 to 10 seconds, such as 0,0.3, not “\(item)”")
        }
        times.append(seconds)
      }
      return times
    }
  }
}

extension ValueFormat where Value == [BackendName] {
  /// A list of recognisers, by their names in the catalogue.
  fileprivate static var recognisers: Self {
    Self("LIST") { text, _ throws(UsageError) in
      var names: [BackendName] = []
      for item in text.split(separator: ",") {
        names.append(try BackendName(recogniser: String(item)))
      }
      return names
    }
  }
}
