import SpeechLab
import SpeechText

/// Reads scenarios line by line, and continues after a line with an error.
struct ScenarioReader {
  private var scenario: Scenario
  private var diagnostics: [FileDiagnostic] = []
  private var people: [String: ConversationScript.Person] = [:]
  private let file: URL?
  private var isGrammarMissing = false

  private static let statements = [
    "scenario", "seed", "recogniser", "grammar", "accept", "voice", "wake", "rule", "greeting",
    "reply", "person", "noise", "room", "echo", "telephone", "clip", "dropouts", "drift", "quiet",
    "limit", "prompt", "fault", "expect",
  ]

  static func read(_ text: String, file: URL?) throws(ScenarioError) -> Scenario {
    let name = file?.deletingPathExtension().lastPathComponent ?? "scenario"
    var reader = ScenarioReader(scenario: Scenario(name: name), file: file)
    reader.scenario.file = file
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      do throws(ScenarioLineError) {
        var line = try ScenarioLine(line, number: index + 1)
        if !line.isEmpty { try reader.read(&line) }
      } catch {
        reader.note(error, line: index + 1)
      }
    }
    if reader.diagnostics.isEmpty { reader.checkWhole() }
    guard reader.diagnostics.isEmpty else { throw ScenarioError(reader.diagnostics) }
    return reader.scenario
  }

  private init(scenario: Scenario, file: URL?) {
    self.scenario = scenario
    self.file = file
  }

  private mutating func note(_ error: ScenarioLineError, line: Int) {
    diagnostics.append(
      .init(
        file: file?.lastPathComponent, line: line, column: error.column, message: error.message))
  }

  private mutating func read(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    if ["says", "plays"].contains(line.wordAfter?.lowercased()) { return try readLine(&line) }
    guard let word = line.word?.lowercased() else {
      throw line.fail("A line begins with a statement or a person, not with a quotation.")
    }
    let place = line
    line.skip()
    switch word {
    case "scenario": scenario.name = try line.needText("the name")
    case "seed": scenario.script.seed = UInt64(try line.needNumber("a seed", in: 0...1e15))
    case "recogniser": scenario.recogniser = try readRecogniser(&line)
    case "grammar": try readGrammar(&line)
    case "accept": try readAcceptance(&line)
    case "voice": scenario.voice = try readSpeaker(&line)
    case "wake": try readWake(&line)
    case "rule": try readRule(&line)
    case "greeting": scenario.greeting = try line.needText("what is said first")
    case "reply": try readReply(&line)
    case "person": try readPerson(&line)
    case "noise": try readNoise(&line)
    case "room": try readRoom(&line)
    case "echo": try readEcho(&line)
    case "telephone": scenario.script.scene.isTelephone = true
    case "clip": scenario.script.scene.clipping = try line.needDecibels("a level", in: -60...0)
    case "dropouts": try readDropouts(&line)
    case "drift": try readDrift(&line)
    case "quiet": scenario.script.quiet = try line.needTime("a length of time")
    case "limit": scenario.script.limit = try line.needTime("a length of time")
    case "prompt": try readPrompt(&line)
    case "fault": try readFault(&line)
    case "expect":
      let expectation = try ScenarioExpectationReader.read(&line)
      scenario.expectations.append(.init(expectation: expectation, line: line.number))
    default:
      throw place.fail(
        "“\(word)” is neither a statement nor a person."
          + NearestName.suggestion(for: word, among: Self.statements + people.keys.sorted())
          + " A line begins with one of \(Self.statements.joined(separator: ", ")), or with a "
          + "person who “says” something.")
    }
    try line.end()
  }

  // MARK: The parts of the loop

  private mutating func readGrammar(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    let place = line
    let path = line.isAtQuotation ? try line.needText("a file") : try line.needWord("a file")
    isGrammarMissing = true
    do {
      scenario.grammar = try TestedGrammar(contentsOf: beside(path))
    } catch {
      throw place.fail("The grammar cannot be used: \(error.localizedDescription)")
    }
  }

  private func beside(_ path: String) -> URL {
    guard let file, !path.hasPrefix("/") else { return URL(filePath: path) }
    return file.deletingLastPathComponent().appending(path: path)
  }

  private mutating func readAcceptance(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    if line.take("off") {
      scenario.acceptance = .off
    } else if line.take("recommended") {
      scenario.acceptance = .recommended
    } else {
      scenario.acceptance = .atLeast(
        Float(try line.needNumber("off, recommended or a confidence", in: 0...1)))
    }
  }

  /// Reads `exact`, or the name of a recogniser in the catalogue.
  private func readRecogniser(
    _ line: inout ScenarioLine
  ) throws(ScenarioLineError) -> Scenario.Recogniser {
    let place = line
    let name = try line.needWord("a recogniser")
    guard name != "exact" else { return .exact }
    do throws(SpeechCatalogError) {
      _ = try SpeechCatalog.current.recogniserName(name)
    } catch {
      let known = ["exact"] + SpeechCatalog.current.recognisers.map(\.name)
      throw place.fail(
        "Here a recogniser is expected: \(known.joined(separator: ", ")), not “\(name)”."
          + NearestName.suggestion(for: name, among: known))
    }
    return .named(name)
  }

  /// Reads a voice, as in `flite:slt rate 0.6 pitch 1.1 level -30`.
  private func readSpeaker(_ line: inout ScenarioLine) throws(ScenarioLineError) -> Speaker {
    let place = line
    let name = try line.needWord("a voice, such as flite:slt or espeak:en-gb")
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    let engines = SpeechCatalog.current.voices
    guard let entry = engines.first(where: { $0.name == parts[0].lowercased() }) else {
      throw place.fail(
        "There is no engine “\(parts[0])”. A voice is written as flite:slt or espeak:en-gb."
          + NearestName.suggestion(for: parts[0], among: engines.map(\.name)))
    }
    let engine = Speaker.Engine(rawValue: entry.name)
    let voice = parts.count == 2 ? parts[1] : engine.defaultVoice
    let voices = entry.variants
    if !voices.isEmpty, !voices.contains(voice) {
      throw place.fail(
        "\(entry.displayName) has no voice “\(voice)”; it has \(voices.joined(separator: ", "))."
          + NearestName.suggestion(for: voice, among: voices))
    }
    var speaker = Speaker(engine, voice: voice)
    while !line.isAtEnd {
      if line.take("rate") {
        speaker.rate = Float(try line.needNumber("a rate", in: 0...1))
      } else if line.take("pitch") {
        speaker.pitch = Float(try line.needNumber("a pitch", in: 0.5...2))
      } else if line.take("level") {
        speaker.level = try line.needDecibels("a level", in: -80...0)
      } else {
        try line.end("rate, pitch and level")
      }
    }
    return speaker
  }

  private mutating func readWake(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    var phrases = [try line.needText("the wake word")]
    while line.take("or") { phrases.append(try line.needText("another wake word")) }
    let window = line.take("for") ? try line.needTime("a time") : .seconds(8)
    scenario.rules.attention = .wakeWord(phrases, window: window)
  }

  private mutating func readRule(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    if line.take("no interruptions") {
      scenario.rules.interruption.isAllowed = false
    } else if line.take("half duplex") {
      scenario.rules.isHalfDuplex = true
    } else if line.take("early replies") {
      scenario.rules.answersEarly = true
    } else if line.take("interrupt after") {
      scenario.rules.interruption.minimumSpeech = try line.needTime("a time")
    } else if line.take("away after") {
      scenario.rules.awayAfter = try line.needTime("a time")
    } else if line.take("reply limit") {
      scenario.rules.replyLimit = try line.needTime("a time")
    } else {
      throw line.fail(
        "There is no such rule. There are: no interruptions, half duplex, early replies, "
          + "interrupt after TIME, away after TIME, reply limit TIME.")
    }
  }

  private mutating func readReply(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    if line.take("echo") { return scenario.replies.append(.echo) }
    let text = try line.needText("what is answered")
    guard line.take("to") else {
      return scenario.replies.append(.inTurn(try readParts(text, &line)))
    }
    guard let grammar = scenario.grammar else {
      if isGrammarMissing { return line.skip() }
      throw line.fail("Intents need a grammar. Name it first: grammar FILE.")
    }
    let intent = try line.need(
      "an intent of the grammar", among: grammar.commands.intents.map(\.name))
    scenario.replies.append(.toIntent(intent, text: text))
  }

  /// Reads the parts after the first, as in `then "It is noon." after 3 s`.
  private func readParts(
    _ first: String, _ line: inout ScenarioLine
  ) throws(ScenarioLineError) -> [Scenario.ReplyPart] {
    var parts = [Scenario.ReplyPart(first)]
    while line.take("then") {
      let text = try line.needText("what is answered next")
      try line.need("after", and: "a time")
      parts[parts.count - 1].text += " "
      parts.append(.init(text, after: try line.needTime("a time")))
    }
    return parts
  }

  private mutating func readPerson(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    let name = try line.needWord("a name")
    people[name.lowercased()] = .init(name, try readSpeaker(&line))
  }

  private mutating func readPrompt(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    let text = try line.needText("what is said")
    try line.need("after", and: "a time")
    let time = try line.needTime("a time")
    var prompt = scenario.rules.prompt ?? TurnRules.Prompt(after: time, texts: [])
    prompt.texts.append(text)
    prompt.after = time
    scenario.rules.prompt = prompt
  }

  // MARK: The acoustic scene

  private mutating func readRoom(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    var room = RoomAcoustics(reverberation: try line.needTime("a reverberation time"))
    if line.take("direct") { room.directness = try line.needDecibels("a ratio", in: -20...40) }
    scenario.script.scene.room = room
  }

  private mutating func readEcho(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    var echo = EchoingRoom.Acoustics(
      level: try line.needDecibels("a level", in: -80...0), delay: .milliseconds(40))
    if line.take("delay") {
      let place = line
      echo.delay = try line.needTime("a delay")
      guard echo.delay >= .milliseconds(2) else {
        throw place.fail("An echo takes at least 2 ms.")
      }
    }
    scenario.script.scene.echo = echo
    scenario.script.scene.cancelsEcho = line.take("cancelled")
  }

  private mutating func readDropouts(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    let rate = try line.needNumber("a number", in: 0...10_000)
    try line.need("a minute")
    let length = line.take("of") ? try line.needTime("a length of time") : .milliseconds(60)
    scenario.script.scene.dropouts = .init(perMinute: rate, length: length)
  }

  private mutating func readDrift(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    scenario.script.scene.clockDrift = try line.needNumber("a drift", in: -10_000...10_000)
    _ = line.take("ppm")
  }

  private mutating func readNoise(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    let source: Background.Source
    if line.take("recording") {
      source = .recording(try readSound(&line), name: "recording")
    } else {
      let name = try line.need(
        "a noise", among: Noise.allCases.map(\.rawValue) + ["recording"])
      source = .noise(Noise(rawValue: name) ?? .pink)
    }
    let decibels = try line.needDecibels("how much louder the speech is,", in: -40...80)
    scenario.script.scene.backgrounds.append(Background(source, decibels: decibels))
  }

  private func readSound(_ line: inout ScenarioLine) throws(ScenarioLineError) -> PCMBuffer {
    let place = line
    let path = try line.needText("a sound file")
    do {
      return try AudioFile.read(beside(path), as: .recognition)
    } catch {
      throw place.fail(error.localizedDescription)
    }
  }

  // MARK: Lines and faults

  private mutating func readLine(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    let place = line
    let name = try line.needWord("a name")
    guard let person = people[name.lowercased()] else {
      throw place.fail(
        "There is no person “\(name)”."
          + NearestName.suggestion(for: name, among: people.values.map(\.name))
          + " Declare the person first: person \(name) flite:slt.")
    }
    var recording: PCMBuffer?
    var words = ""
    if line.take("plays") {
      recording = try readSound(&line)
      // Audio without speech has no words, and none should be recognised.
      if line.take("saying") { words = try line.needText("the words of the recording") }
    } else {
      _ = line.take("says")
      words = try line.needText("what is said")
      guard words.contains(where: { $0.isLetter || $0.isNumber }) else {
        throw place.fail("“\(words)” has no words to say.")
      }
    }
    scenario.script.lines.append(
      .init(person: person, words: words, recording: recording, cue: try readCue(&line)))
    try line.end("at TIME, after MOMENT, TIME after MOMENT")
  }

  private func readCue(
    _ line: inout ScenarioLine
  ) throws(ScenarioLineError) -> ConversationScript.Cue {
    if line.isAtEnd { return .after(.line, .zero) }
    if line.take("at") { return .at(try line.needTime("a time")) }
    let delay = line.take("after") ? .zero : try line.needTime("“at”, “after” or a time")
    if delay != .zero {
      try line.need("after", and: "a moment")
    }
    let moments = ConversationScript.Moment.allCases
    for moment in moments.sorted(by: { $0.rawValue.count > $1.rawValue.count }) {
      if line.take(moment.rawValue) { return .after(moment, delay) }
    }
    let names = moments.map(\.rawValue)
    throw line.fail(
      "There is no such moment."
        + (line.word.map { NearestName.suggestion(for: $0, among: names) } ?? "")
        + " There are: \(names.joined(separator: ", ")).")
  }

  private mutating func readFault(_ line: inout ScenarioLine) throws(ScenarioLineError) {
    switch try line.need("what fails", among: ["microphone", "recogniser", "responder", "voice"]) {
    case "microphone":
      try line.need("lost at")
      let start = try line.needTime("a time")
      try line.need("for", and: "a length of time")
      scenario.script.deviceLosses.append(
        .init(at: start, for: try line.needTime("a length of time")))
    case "recogniser":
      try line.need("dies at")
      scenario.recogniserDeaths.append(try line.needTime("a time"))
    case "voice":
      let fault = try readMisbehaviour(&line)
      for number in try readNumbers(of: "sentence", &line) { scenario.voiceFaults[number] = fault }
    default:
      let fault = try readMisbehaviour(&line)
      for number in try readNumbers(of: "turn", &line) { scenario.responderFaults[number] = fault }
    }
  }

  private func readMisbehaviour(
    _ line: inout ScenarioLine
  ) throws(ScenarioLineError) -> FaultyResponder.Misbehaviour {
    switch try line.need("what it does", among: ["late", "fails", "breaks", "stalls", "hangs"])
    {
    case "late": .late(try line.needTime("a time"))
    case "fails": .fails(line.isAtQuotation ? try line.needText("why") : "it failed")
    case "breaks": .breaksOff(line.isAtQuotation ? try line.needText("why") : "it broke off")
    case "stalls": .stalls
    default: .hangs
    }
  }

  /// Reads turns, as in `in turn 2` and `in turn 2 to 4`.
  private func readNumbers(
    of unit: String, _ line: inout ScenarioLine
  ) throws(ScenarioLineError) -> ClosedRange<Int> {
    try line.need("in \(unit)", and: "a number")
    let first = Int(try line.needNumber("the number of a \(unit)", in: 1...1_000))
    guard line.take("to") else { return first...first }
    let last = try line.needNumber("the number of the last \(unit)", in: Double(first)...1_000)
    return first...Int(last)
  }

  private mutating func checkWhole() {
    func report(_ message: String, line: Int? = nil) {
      diagnostics.append(
        .init(file: file?.lastPathComponent, line: line, column: nil, message: message))
    }
    for expected in scenario.expectations where scenario.grammar == nil {
      if case .happens(.intent, _) = expected.expectation.kind {
        report("Intents need a grammar: grammar FILE.", line: expected.line)
      }
    }
    if scenario.recogniser == .exact, !scenario.script.deviceLosses.isEmpty {
      report("The exact recogniser has no microphone that could be lost.")
    }
  }
}
