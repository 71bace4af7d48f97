import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechPocketSphinx

@Suite @DecodingQueue struct PocketSphinxDecoderTests {
  private static let places = """
    #JSGF V1.0;
    grammar places;
    public <place> = (front | rear | side) (center | left | right);
    """

  private func decoder(
    _ search: PocketSphinxSearch, extraWords: [String: String] = [:], cut: UtteranceCut = .standard
  ) throws -> PocketSphinxDecoder {
    let configuration = PocketSphinxConfiguration(
      search: search, preset: .fast, modelFolder: PocketSphinxModelPlaces.distribution,
      extraWords: extraWords)
    return try PocketSphinxDecoder(
      configuration: configuration, locale: Locale(identifier: "en_US"), cut: cut)
  }

  // MARK: - Hearing

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `a small grammar recognises words with their times`() throws {
    let decoder = try decoder(.grammar(Self.places))
    for name in ["Front_Center", "Front_Left", "Rear_Right", "Side_Left", "Rear_Center"] {
      let sound = try Recordings.alsa(name)
      let said = name.lowercased().replacingOccurrences(of: "_", with: " ")
      let utterance = try #require(try decoder.decode(sound))
      #expect(utterance.text == said)
      #expect(utterance.confidence > 0.5)
      #expect(utterance.words.map(\.text).joined(separator: " ") == said)
      for (word, next) in zip(utterance.words, utterance.words.dropFirst()) {
        #expect(word.start < word.end && word.end <= next.start)
      }
      let last = try #require(utterance.words.last)
      #expect(last.end <= sound.duration.inSeconds + 0.05)
    }
  }

  @Test(
    .enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)),
    arguments: [
      "\(String(repeating: "[left] ", count: 60)) front center",
      "\(String(repeating: "left* ", count: 60)) front center",
      "\(String(repeating: "[left [right [rear]]] ", count: 30)) front center",
      "\(String(repeating: "<run> ", count: 60)) front center",
      "(left | right | rear)+ | front [left] [right] [rear] center",
      "/3/ [left] front (/2/ center | /1/ [rear]) | /5/ rear",
    ])
  func `parts that may be left out do not keep a grammar from being recognised`(
    rule: String
  ) throws {
    let decoder = try decoder(
      .grammar("#JSGF V1.0; grammar g; public <place> = \(rule); <run> = side | <NULL> | [rear];"))
    let utterance = try #require(try decoder.decode(try Recordings.alsa("Front_Center")))
    #expect(utterance.text == "front center")
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `words keep their times when silence comes before them`() throws {
    let decoder = try decoder(.grammar(Self.places))
    let sound = try Recordings.alsa("Front_Left")
    let plain = try #require(try decoder.decode(sound))
    var later = PCMBuffer.silence(.seconds(2), format: .recognition)
    later.append(sound)
    let shifted = try #require(try decoder.decode(later))
    #expect(shifted.text == plain.text)
    for (word, other) in zip(shifted.words, plain.words) {
      #expect(abs(word.start - other.start - 2) < 0.05)
    }
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `the result does not depend on the sizes of the inputs`() throws {
    let sound = try Recordings.alsa("Rear_Left")
    var results: [DecodedUtterance?] = []
    for blocks in [160, 1600, 5000, 100_000] {
      let decoder = try decoder(.grammar(Self.places))
      results.append(try decoder.hear(sound, in: blocks))
    }
    #expect(results[0]?.text == "rear left")
    #expect(results.allSatisfy { $0 == results[0] })
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `partial texts grow during speech`() throws {
    let decoder = try decoder(.grammar(Self.places))
    let sound = try Recordings.alsa("Front_Center")
    _ = try decoder.decode(sound)
    try decoder.startUtterance()
    var partials: [String] = []
    for start in stride(from: 0, to: sound.frameCount, by: 800) {
      let update = try decoder.process(sound.slice(start..<start + 800))
      #expect(!update.isComplete)
      if let text = update.partialText { partials.append(text) }
    }
    #expect(partials.contains("front center"))
    #expect(Set(partials).count == partials.count)
    #expect(try decoder.finishUtterance()?.text == "front center")
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `speech outside the grammar has a low confidence`() throws {
    let decoder = try decoder(
      .grammar("#JSGF V1.0; grammar g; public <a> = good morning | what time is it;"))
    for name in ["Front_Center", "Rear_Left", "Side_Right", "Front_Right"] {
      let utterance = try decoder.decode(try Recordings.alsa(name))
      #expect((utterance?.confidence ?? 0) < 0.5)
    }
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `all public rules are recognised, and a rule may repeat itself at its end`() throws {
    let decoder = try decoder(
      .grammar(
        """
        #JSGF V1.0; grammar g;
        public <other> = good morning;
        public <places> = <place> | <place> <places>;
        <place> = (front | rear) (center | left | right);
        """))
    var sound = try Recordings.alsa("Front_Center")
    sound.append(try Recordings.alsa("Rear_Left"))
    #expect(try decoder.decode(sound)?.text == "front center rear left")
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `dictation recognises words with times, confidence and other readings`() throws {
    let decoder = try decoder(.dictation)
    let sound = try Recordings.alsa("Rear_Center")
    let utterance = try #require(try decoder.decode(sound))
    #expect(utterance.text.contains("center"))
    #expect((0...1).contains(utterance.confidence))
    #expect(utterance.words.allSatisfy { (0...1).contains($0.confidence) })
    #expect(utterance.words.allSatisfy { !$0.text.contains("(") && !$0.text.contains("<") })
    #expect(utterance.alternatives.count <= 3)
    #expect(!utterance.alternatives.contains { $0.text == utterance.text })
    #expect(Set(utterance.alternatives.map(\.text)).count == utterance.alternatives.count)
    let order = utterance.alternatives.map(\.confidence)
    #expect(order == order.sorted(by: >))
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `a key phrase completes the utterance and has its time`() throws {
    let decoder = try decoder(.keyPhrases(["rear center", KeyPhrase("side left")]))
    var sound = PCMBuffer.silence(.seconds(1), format: .recognition)
    sound.append(try Recordings.alsa("Rear_Center"))
    sound.append(PCMBuffer.silence(.seconds(1), format: .recognition))
    try decoder.startUtterance()
    var completedAt: Int?
    for start in stride(from: 0, to: sound.frameCount, by: 1600) where completedAt == nil {
      let update = try decoder.process(sound.slice(start..<start + 1600))
      if update.isComplete {
        #expect(update.partialText == "rear center")
        completedAt = start
      }
    }
    #expect(completedAt != nil)
    let utterance = try #require(try decoder.finishUtterance())
    #expect(utterance.text == "rear center")
    let word = try #require(utterance.words.first)
    #expect(word.start > 0.9 && word.end < sound.duration.inSeconds)
    #expect(utterance.confidence > 0.5)

    let other = try Recordings.alsa("Front_Left")
    #expect(try decoder.decode(other) == nil)
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `a key phrase at the very end is found as with silence after it`()
    throws
  {
    let decoder = try decoder(.keyPhrases(["rear center"]))
    let sound = try Recordings.alsa("Rear_Center")
    var long = sound
    long.append(PCMBuffer.silence(.seconds(1), format: .recognition))
    let word = try #require(try decoder.decode(long)?.words.first)
    let short = sound.slice(0..<AudioFormat.recognition.frames(in: .seconds(word.end)))
    for sound in [sound, short] {
      let whole = try #require(try decoder.decode(sound)?.words.first)
      let live = try #require(try decoder.hear(sound)?.words.first)
      for heard in [whole, live] {
        #expect(heard.text == "rear center")
        #expect(abs(heard.start - word.start) < 0.05)
        #expect(abs(heard.end - word.end) < 0.05)
      }
    }
  }

  // MARK: - Being cancelled

  @Test func `decoding ends soon when its task is cancelled, and the decoder stays usable`()
    async throws
  {
    let session = RecognitionSession<PocketSphinxDecoder>(
      configuration: PocketSphinxConfiguration(
        modelFolder: PocketSphinxModelPlaces.distribution),
      locale: Locale(identifier: "en_US"))
    try await session.prepare()
    let sound = Recordings.noise(25 * 16_000)
    let clock = ContinuousClock()
    let whole = try await clock.measure { _ = try await session.decode(sound) }

    // On a machine that was busier before than it is now, the work may have ended already.
    var delay = whole / 4
    var wasCancelled = false
    while !wasCancelled, delay > .milliseconds(1) {
      let work = Task { try await session.decode(sound) }
      try await clock.sleep(for: delay)
      let cancelled = clock.now
      work.cancel()
      do {
        _ = try await work.value
      } catch is CancellationError {
        wasCancelled = true
        #expect(cancelled.duration(to: .now) < whole)
      }
      delay /= 2
    }
    #expect(wasCancelled)

    let refused = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.decode(sound)
    }
    await #expect(throws: CancellationError.self) { try await refused.value }
    _ = try await session.decode(Recordings.noise(16_000))
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `an interrupted utterance does not affect the next one`() async throws {
    let sound = try Recordings.alsa("Front_Center")
    for isLive in [false, true] {
      let session = RecognitionSession<PocketSphinxDecoder>(
        configuration: PocketSphinxConfiguration(
          search: .grammar(Self.places), modelFolder: PocketSphinxModelPlaces.distribution),
        locale: Locale(identifier: "en_US"))
      let before = try await session.decode(sound)
      #expect(before?.text == "front center")
      if isLive {
        try await session.hear(.start)
        try await session.hear(.audio(Recordings.noise(3 * 16_000)))
        try await session.hear(.discard)
      } else {
        let work = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await session.decode(Recordings.noise(3 * 16_000))
        }
        _ = await work.result
      }
      #expect(try await session.decode(sound) == before)
    }
  }

  @Test func `silence is not an utterance in dictation either`() throws {
    let decoder = try decoder(.dictation)
    #expect(try decoder.decode(PCMBuffer.silence(.seconds(1), format: .recognition)) == nil)
  }

  @Test func `silence and empty audio are not utterances`() throws {
    for search in [PocketSphinxSearch.grammar(Self.places), .keyPhrases(["hello"])] {
      let decoder = try decoder(search)
      for length in [0, 1, 100, 409, 410, 500, 1600, 16_000, 48_000] {
        let silence = PCMBuffer(
          samples: [Int16](repeating: 0, count: length), format: .recognition)
        #expect(try decoder.decode(silence) == nil)
        #expect(try decoder.hear(silence, in: 160) == nil)
      }
    }
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `words of a grammar may be written in capitals`() throws {
    let decoder = try decoder(
      .grammar("#JSGF V1.0; grammar g; public <a> = (Front | REAR) (Center | Left);"))
    let utterance = try decoder.decode(try Recordings.alsa("Front_Center"))
    #expect(utterance?.text.lowercased() == "front center")
  }

  // MARK: - Long utterances

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `a long utterance is decoded in pieces with times from its start`() throws {
    let cut = UtteranceCut(earliest: 32_000, latest: 64_000)
    let places = Self.places.replacingOccurrences(of: "right);", with: "right) [<place>];")
    let decoder = try decoder(.grammar(places), cut: cut)
    var sound = PCMBuffer(format: .recognition)
    var starts: [Double] = []
    for name in ["Front_Center", "Rear_Left", "Side_Right", "Front_Right"] {
      starts.append(sound.duration.inSeconds)
      sound.append(try Recordings.alsa(name))
      sound.append(PCMBuffer.silence(.seconds(1), format: .recognition))
    }
    let said = "front center rear left side right front right"
    for utterance in [try decoder.decode(sound), try decoder.hear(sound, in: 700)] {
      let utterance = try #require(utterance)
      #expect(utterance.text == said)
      for (index, start) in starts.enumerated() where utterance.words.count == 8 {
        #expect(utterance.words[index * 2].start >= start - 0.05)
        #expect(utterance.words[index * 2 + 1].end < start + 3)
      }
    }
  }

  @Test func `pieces cover the audio and end where it is quiet`() {
    let cut = UtteranceCut(earliest: 16_000, latest: 48_000)
    var samples = [Int16](repeating: 1000, count: 100_000)
    for index in 30_000..<34_000 { samples[index] = 0 }
    let pieces = cut.pieces(of: samples)
    #expect(pieces.first?.lowerBound == 0 && pieces.last?.upperBound == 100_000)
    #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect((30_000...34_000).contains(pieces[0].upperBound))
    #expect(pieces.allSatisfy { $0.count <= 48_000 })
    #expect(cut.pieces(of: []) == [0..<0])
  }

  // MARK: - Order of calls

  @Test func `calls in a wrong order are errors and do no harm`() throws {
    let decoder = try decoder(.grammar(Self.places))
    let block = PCMBuffer.silence(.milliseconds(200), format: .recognition)
    #expect(refusal { _ = try decoder.process(block) } != nil)
    #expect(refusal { _ = try decoder.finishUtterance() } != nil)
    decoder.discardUtterance()

    try decoder.startUtterance()
    #expect(refusal { try decoder.startUtterance() } != nil)
    #expect(refusal { _ = try decoder.decode(block) } != nil)
    _ = try decoder.process(block)
    _ = try decoder.finishUtterance()
    #expect(refusal { _ = try decoder.process(block) } != nil)
    #expect(refusal { _ = try decoder.finishUtterance() } != nil)

    try decoder.startUtterance()
    for _ in 0..<20 { _ = try decoder.process(block) }
    decoder.discardUtterance()
    #expect(refusal { _ = try decoder.process(block) } != nil)
    try decoder.startUtterance()
    _ = try decoder.finishUtterance()
  }

  @Test func `audio of another rate is refused and the utterance continues`() throws {
    let decoder = try decoder(.grammar(Self.places))
    let other = PCMBuffer.silence(.seconds(1), format: AudioFormat(sampleRate: 44_100))
    #expect(refusal { _ = try decoder.decode(other) }?.contains("44100") == true)
    try decoder.startUtterance()
    #expect(refusal { _ = try decoder.process(other) }?.contains("44100") == true)
    _ = try decoder.process(PCMBuffer.silence(.seconds(1), format: .recognition))
    _ = try decoder.finishUtterance()
  }

  @Test func `a decoder may be released during an utterance`() throws {
    let decoder = try decoder(.grammar(Self.places))
    try decoder.startUtterance()
    _ = try decoder.process(PCMBuffer.silence(.seconds(3), format: .recognition))
  }

  // MARK: - What to listen for

  @Test func `words that the dictionary lacks are named with their position`() {
    let reason = refusal {
      _ = try decoder(
        .grammar("#JSGF V1.0;\ngrammar g;\npublic <a> = hello xyzzy\n | quuxly | hello;"))
    }
    #expect(reason?.contains("line 3, column 20") == true)
    #expect(reason?.contains("“xyzzy”, “quuxly”") == true)
  }

  @Test(arguments: [
    "", "nonsense", "#JSGF V1.0;", "#JSGF V1.0; grammar g; public <a> = <b>;",
    "#JSGF V1.0; grammar g; public <a> = <a> hello | hello;",
    "#JSGF V1.0; grammar g; public <a> = <VOID>;",
    "#JSGF V1.0; grammar g; public <a> = \"read(2)\";",
    "#JSGF V1.0; grammar g; public <a> = \"<s>\";", "#JSGF V1.0; grammar g; public <a> = héllo;",
  ])
  func `a broken grammar is an error and not a crash`(grammar: String) {
    #expect(refusal { _ = try decoder(.grammar(grammar)) }?.isEmpty == false)
  }

  @Test func `a grammar file that is missing, not text or broken is named`() throws {
    let folder = FileManager.default.temporaryDirectory
    let missing = folder.appendingPathComponent("\(UUID().uuidString).gram")
    #expect(
      refusal { _ = try decoder(.grammarFile(missing)) }?.contains(missing.lastPathComponent)
        == true)
    #expect(
      refusal { _ = try decoder(.grammarFile(folder)) }?.contains(folder.lastPathComponent) == true)
    let file = folder.appendingPathComponent("\(UUID().uuidString).gram")
    defer { try? FileManager.default.removeItem(at: file) }
    for data in [Data(), Data([0xFF, 0xFE, 0xC0]), Data("#JSGF V1.0; grammar g;".utf8)] {
      try data.write(to: file)
      #expect(
        refusal { _ = try decoder(.grammarFile(file)) }?.contains(file.lastPathComponent) == true)
    }
    try Data(Self.places.utf8).write(to: file)
    #expect(refusal { _ = try decoder(.grammarFile(file)) } == nil)
  }

  @Test(arguments: [
    [], [""], ["  \n "], ["hello xyzzy"], ["hello /1/"], ["hello\n/1e-40/ xyzzy"],
    ["<s>"], ["read(2)"],
  ])
  func `a key phrase that could never be found is refused`(phrases: [String]) {
    let list = phrases.map { KeyPhrase($0) }
    #expect(refusal { _ = try decoder(.keyPhrases(list)) }?.isEmpty == false)
  }

  @Test(arguments: [0, -1, 2, Double.nan, .infinity, 1e-300])
  func `an invalid threshold is refused`(threshold: Double) {
    let list = [KeyPhrase("hello", threshold: threshold)]
    #expect(refusal { _ = try decoder(.keyPhrases(list)) }?.contains("threshold") == true)
  }

  @Test func `extra words are recognised`() throws {
    let grammar = PocketSphinxSearch.grammar(
      "#JSGF V1.0; grammar g; public <a> = frontcenter | rearleft;")
    let decoder = try decoder(
      grammar,
      extraWords: ["frontcenter": "F R AH N T  S EH N T ER", "rearleft": "R IH R L EH F T"])
    guard Recordings.hasAlsa else { return }
    #expect(try decoder.decode(try Recordings.alsa("Front_Center"))?.text == "frontcenter")
    #expect(try decoder.decode(try Recordings.alsa("Rear_Left"))?.text == "rearleft")
  }

  @Test func `an extra word that is known gets a further pronunciation`() throws {
    let grammar = PocketSphinxSearch.grammar(
      "#JSGF V1.0; grammar g; public <a> = hello | goodbye;")
    let decoder = try decoder(
      grammar, extraWords: ["hello": "F R AH N T S EH N T ER", "goodbye": "R IH R L EH F T"])
    guard Recordings.hasAlsa else { return }
    #expect(try decoder.decode(try Recordings.alsa("Front_Center"))?.text == "hello")
  }

  @Test(arguments: [false, true])
  func `many words are added to dictation`(later: Bool) throws {
    // The names of 1,000 unlikely words, and one that sounds like what is said.
    var words = ["rearcenter": "R IH R S EH N T ER"]
    for number in 0..<1_000 {
      words["zz\(String(number, radix: 26))"] = "ZH OY ZH UH NG OY ZH"
    }
    let decoder = try decoder(.dictation, extraWords: later ? [:] : words)
    if later {
      for (word, phones) in words {
        try decoder.add(word, pronunciations: [phones.split(separator: " ").map(String.init)])
      }
    }
    guard Recordings.hasAlsa else { return }
    for name in ["Rear_Center", "Front_Center", "Rear_Left", "Side_Right", "Rear_Center"] {
      let text = try #require(try decoder.decode(try Recordings.alsa(name))?.text)
      #expect(!text.contains("zz"), "\(name): \(text)")
      if name == "Front_Center" { #expect(text.contains("center"), "\(text)") }
    }
  }

  @Test func `extra words do not affect dictation`() throws {
    let decoder = try decoder(.dictation, extraWords: ["speechkit": "S P IY CH K IH T"])
    guard Recordings.hasAlsa else { return }
    #expect(try decoder.decode(try Recordings.alsa("Rear_Center"))?.text.contains("center") == true)
  }

  @Test(arguments: [
    ["": "HH AH"], ["hello": ""], ["hello": "  "], ["hello": "HH XX"], ["two words": "T UW"],
    ["a(2)": "AH"], ["<s>": "AH"], ["a": "SIL"], ["a": "+NSN+"],
    ["a": String(repeating: "AH ", count: 500)],
  ])
  func `an extra word that would crash the library is refused`(words: [String: String]) {
    #expect(refusal { _ = try decoder(.dictation, extraWords: words) }?.isEmpty == false)
  }
}
