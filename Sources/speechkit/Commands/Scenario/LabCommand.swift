import Foundation
import SpeechConcurrency
import SpeechKit
import SpeechTesting

/// `speechkit lab`: what recognisers make of lines that many voices say in many surroundings.
struct LabCommand: Command {
  static let declaration = CommandDeclaration(
    name: "lab",
    summary:
      "Have lines said by many voices in many surroundings, and count what recognisers get wrong",
    discussion: [
      "FILE holds the lines, one in each; or a grammar, whose sentences are said, and which the recogniser then "
        + "listens for. Every line is said by every voice over every noise, in every room. For each recogniser the "
        + "words and characters that are wrong, with 95 % intervals, the utterances without an error, and the "
        + "seconds of work for a second of sound; for each voice the time to its first sound.",
      "--save keeps the outcome as a baseline, and --baseline compares with one: utterance by utterance, so that "
        + "a regression shows in few of them and chance does not. One of a point or more that chance does not "
        + "explain ends the command with status 1.",
      "With --json the report as the baseline has it.",
    ],
    positionals: [
      PositionalDeclaration(name: "FILE", count: .required, help: "Lines, or a grammar.")
    ],
    options: SpeakingOptions.declarations.filter { $0.name != "preset" } + [
      rooms.declaration, telephone.declaration, presets.declaration, dictation.declaration,
      baseline.declaration, save.declaration, points.declaration,
    ],
    examples: [
      .init("speechkit lab lines.txt --noise clean,babble:10 --rooms 0,0.6", "Lines as dictation"),
      .init("speechkit lab home.commands --save lab.json", "Keep what is so today"),
      .init(
        "speechkit lab home.commands --baseline lab.json --html lab.html",
        "In continuous integration"),
      .init("speechkit lab lines.txt --recognisers fast,accurate", "Is the slower one better?"),
    ],
    exits: [
      (.different, "A recogniser is worse than the baseline."),
      (.badData, "The lines, the grammar or the baseline cannot be used."),
      (.noInput, "A file is missing or must not be read."),
      (.unavailable, "There is no model for English, or a voice is missing."),
      (.cannotCreate, "A file cannot be written."),
    ])

  static let rooms = ValueOption<[Double]>(
    "rooms", value: "LIST",
    help:
      "Reverberation times in seconds, such as 0,0.3,0.8; 0 is none, and all there is unless given."
  ) { text throws(UsageError) in
    var rooms: [Double] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let seconds = Double(item), (0...10).contains(seconds) else {
        throw UsageError("--rooms takes times from 0 to 10 seconds, such as 0,0.3, not “\(item)”")
      }
      rooms.append(seconds)
    }
    return rooms
  }
  static let telephone = Flag("telephone", help: "Everything through a telephone line as well.")
  static let presets = ValueOption<[PocketSphinxPreset]>(
    "recognisers", value: "LIST",
    help: "PocketSphinx with these presets: fast, balanced, accurate; balanced unless given."
  ) { text throws(UsageError) in
    var presets: [PocketSphinxPreset] = []
    for item in text.split(separator: ",") {
      guard let preset = PocketSphinxPreset(rawValue: String(item)) else {
        let names = PocketSphinxPreset.allCases.map(\.rawValue)
        let nearest =
          NearestName.of(String(item), among: names).map { " Did you mean “\($0)”?" } ?? ""
        throw UsageError(
          "--recognisers takes \(names.joined(separator: ", ")), not “\(item)”.\(nearest)")
      }
      presets.append(preset)
    }
    return presets
  }
  static let dictation = Flag(
    "dictation", help: "Listen for anything, also where the lines are those of a grammar.")
  static let baseline = ValueOption<String>(
    "baseline", value: "FILE", help: "Compare with that outcome.", hint: .files)
  static let save = ValueOption<String>(
    "save", value: "FILE", help: "Keep the outcome there.", hint: .files)
  static let points = ValueOption<Double>(
    "points", value: "NUMBER", in: 0...100,
    help: "How many points worse is a regression at least; 1 unless given.")

  private let file: String
  private let options: SpeakingOptions
  private let rooms: [Double]
  private let isTelephone: Bool
  private let presets: [PocketSphinxPreset]
  private let isDictation: Bool
  private let baseline: String?
  private let save: URL?
  private let points: Double

  init(_ arguments: ParsedArguments) throws {
    file = arguments.positionals[0]
    options = SpeakingOptions(arguments)
    rooms = arguments[Self.rooms] ?? [0]
    isTelephone = arguments[Self.telephone]
    presets = arguments[Self.presets] ?? [.balanced]
    isDictation = arguments[Self.dictation]
    baseline = arguments[Self.baseline]
    save = arguments[Self.save].map { URL(filePath: $0) }
    points = arguments[Self.points] ?? 1
  }

  func run(on terminal: Terminal) async throws {
    let old = try await readBaseline()
    let (lines, search) = try await readLines()
    try GrammarCommands.checkModel()
    try options.checkPage()
    let lab = RecognitionLab(
      lines: lines, speakers: options.conditions.speakers, surroundings: surroundings,
      seed: options.conditions.seed)
    let ears = presets.map { preset in
      RecognitionLab.Ear.pocketSphinx(
        "pocketsphinx:\(preset.rawValue)",
        configuration: PocketSphinxConfiguration(search: search, preset: preset))
    }
    let bar = ProgressBar(title: "\(lab.count) utterances")
    let report = try await lab.run(ears) { await terminal.showStatus(bar.text($0)) }
    let comparisons = old.map { report.compared(with: $0, atLeast: points / 100) } ?? []
    try await options.write(
      report, text: report.text, page: { report.html(comparedWith: comparisons) }, on: terminal)
    if let save { try await TextOutput().write(JSONText.line(of: report), to: save) }
    for comparison in comparisons { await terminal.note(comparison.text) }
    if comparisons.contains(where: \.isWorse) { throw CommandFailure(.different) }
  }

  private var surroundings: [Surroundings] {
    let lines = isTelephone ? [false, true] : [false]
    return options.conditions.levels.flatMap { level in
      rooms.flatMap { room in
        lines.map { isTelephone in
          Surroundings(
            backgrounds: level.noise.map { [Background(.noise($0), decibels: level.decibels)] }
              ?? [],
            room: room > 0 ? RoomAcoustics(reverberation: .seconds(room)) : nil,
            isTelephone: isTelephone)
        }
      }
    }
  }

  /// The lines, and for what one listens who hears them.
  private func readLines() async throws -> ([String], PocketSphinxSearch) {
    let ending = URL(filePath: file).pathExtension.lowercased()
    guard ["commands", "jsgf", "gram"].contains(ending) else {
      let lines = try await TextInput().read(path: file).split(whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty && !$0.hasPrefix("#") }
      guard !lines.isEmpty else {
        throw CommandFailure(.badData, "“\(file)” has no line. Write one in each.")
      }
      return (Array(lines.prefix(options.limit)), .dictation)
    }
    let grammar = try await GrammarCommands.load(file)
    let sample = try SentenceSample(grammar, limit: options.limit, seed: options.conditions.seed)
    return (sample.sentences, isDictation ? .dictation : grammar.search)
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
