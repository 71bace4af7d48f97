import SpeechTesting

/// The options of commands that have a grammar spoken by synthetic voices.
struct SpeakingOptions: Sendable {
  static let seed = ValueOption<UInt64>(
    "seed", value: "NUMBER",
    help: "What all chance depends on; the same number gives the same result. 1 unless given."
  ) { text throws(UsageError) in try seedNumber(text) }
  static let voices = CountOption.make(
    "voices", most: 200, help: "How many different voices speak; 8 unless given.")
  static let engine = ValueOption<SpeakerEngines>(
    "engine", value: "NAME",
    help: "Whose voices: recognisers understand Flite's far better; flite unless given.",
    hint: .choices(SpeakerEngines.names)
  ) { text throws(UsageError) in try SpeakerEngines(text) }
  static let noise = ValueOption<[NoiseLevel]>(
    "noise", value: "LIST",
    help:
      "The noise under the speech: clean, or white, pink, hum or babble with the decibels that the "
      + "speech is louder; clean,pink:20,pink:10 unless given."
  ) { text throws(UsageError) in
    try NoiseList.parse(text)
  }
  static let sentences = CountOption.make(
    "sentences", most: 5_000,
    help: "How many sentences are said at most; from more a sample is taken. 60 unless given.")
  static let html = ValueOption<String>(
    "html", value: "FILE", help: "Write a page with all of it, which needs no network.",
    hint: .output(.text))

  static func seedNumber(_ text: String) throws(UsageError) -> UInt64 {
    guard let seed = UInt64(text) else {
      throw UsageError("--seed takes a whole number from 0 on, not “\(text)”")
    }
    return seed
  }

  static let declarations = [
    voices.declaration, engine.declaration, noise.declaration, sentences.declaration,
    seed.declaration, html.declaration, BackendOptions.recogniser.declaration,
    RecognitionOptions.preset.declaration,
    GrammarCommands.json.declaration,
  ]

  let conditions: SpeakingConditions
  let limit: Int
  let recogniser: BackendName
  let page: URL?
  let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let seed = arguments[Self.seed] ?? 1
    let engines = arguments[Self.engine]?.list ?? [.flite]
    let speakers = Speaker.cast(arguments[Self.voices] ?? 8, engines: engines, seed: seed)
    if let levels = arguments[Self.noise] {
      conditions = SpeakingConditions(speakers: speakers, levels: levels, seed: seed)
    } else {
      conditions = SpeakingConditions(speakers: speakers, seed: seed)
    }
    limit = arguments[Self.sentences] ?? 60
    recogniser = try BackendName(recogniserIn: arguments)
    page = arguments[Self.html].map { URL(filePath: $0) }
    isJSON = arguments[GrammarCommands.json]
  }

  /// Looks whether the page can be written, before minutes of work go by.
  ///
  /// - Throws: `CommandFailure`.
  func checkPage() throws {
    guard let folder = page?.deletingLastPathComponent().path else { return }
    guard FileManager.default.isWritableFile(atPath: folder.isEmpty ? "." : folder) else {
      throw CommandFailure(
        .cannotCreate, "Nothing can be written into “\(folder)”. Choose another place for --html.")
    }
  }

  /// Writes what came out.
  func write(
    _ report: some Encodable & Sendable, text: String, page content: @Sendable () -> String,
    on terminal: Terminal
  ) async throws {
    await terminal.showStatus("")
    if let page { try await TextOutput().write(content(), to: page) }
    if isJSON {
      try await terminal.writeJSON(report)
    } else {
      try await terminal.write(text)
    }
  }
}

/// Options for a number of things.
enum CountOption {
  static func make(_ name: String, most: Int, help: String) -> ValueOption<Int> {
    ValueOption<Int>(name, value: "COUNT", help: help) { text throws(UsageError) in
      guard let count = Int(text), (1...most).contains(count) else {
        throw UsageError("--\(name) takes a whole number from 1 to \(most), not “\(text)”")
      }
      return count
    }
  }
}

/// A list of noises as it is typed: `clean,pink:20,babble:10`.
enum NoiseList {
  static func parse(_ text: String) throws(UsageError) -> [NoiseLevel] {
    var levels: [NoiseLevel] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      let level = try level(item)
      guard !levels.contains(level) else {
        throw UsageError("--noise names “\(item)” twice")
      }
      levels.append(level)
    }
    return levels
  }

  private static func level(_ item: Substring) throws(UsageError) -> NoiseLevel {
    if item == "clean" { return .clean }
    let parts = item.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let noise = Noise(rawValue: String(parts[0])),
      let decibels = Double(parts[1]), (-20...60).contains(decibels)
    else {
      throw UsageError(
        "--noise takes a list such as clean,pink:20,babble:10 (white, pink, hum and babble, -20 to 60 dB), "
          + "not “\(item)”")
    }
    return NoiseLevel(noise, decibels: decibels)
  }
}
