import CEspeakNG
import SpeechCore
import SpeechText

/// The installed voices, copied from the library, and the search for them by name.
struct EspeakVoices: Sendable {
  struct Entry: Sendable {
    var name: String
    var identifier: String
    /// Language tags with their priorities; the lowest number has precedence.
    var languages: [(tag: String, priority: UInt8)]
    var gender: UInt8

    /// The name of the voice's file, which is its id for callers.
    var fileName: String { String(identifier.split(separator: "/").last ?? "") }
  }

  /// A voice that can be set, with its writing system.
  struct Selection: Sendable, Hashable {
    var name: String
    var writing: WritingSystem
    /// The main part of the language tag: `en`, `de`.
    var language: String
  }

  let entries: [Entry]
  let variants: [String]

  /// Voices that are not offered, with the reason.
  ///
  /// eSpeak NG lowercases Cherokee letters to some that it takes for Korean: it speaks none of
  /// them, and uses freed memory.
  private static let withheld = ["chr": "eSpeak NG cannot read Cherokee letters"]

  init(entries: [Entry], variants: [String]) {
    self.entries = entries.filter { Self.withheld[$0.fileName] == nil }
    self.variants = variants
  }

  static func notAvailable(_ id: String) -> SpeechSynthesisProviderError {
    let base = normalized(id).split { $0 == "-" || $0 == "+" || $0 == "/" }
    guard let reason = base.compactMap({ withheld[String($0)] }).first else {
      return .voiceNotAvailable(id)
    }
    return .voiceNotAvailable("\(id) (\(reason))")
  }

  /// Returns the voices for a language as values for callers.
  func voices(for languageCode: String) -> [Voice] {
    let wanted = Self.normalized(languageCode)
    return entries.filter { entry in
      wanted.isEmpty || entry.languages.contains { Self.matches($0.tag.lowercased(), wanted) }
    }.map { entry in
      Voice(
        id: entry.fileName, name: entry.name.replacing("_", with: " "),
        languages: entry.languages.map(\.tag),
        gender: [1: Voice.Gender.male, 2: .female][entry.gender] ?? .unspecified,
        variants: variants, quality: entry.identifier.hasPrefix("mb/") ? "enhanced" : "default")
    }
  }

  /// Finds a voice by id, name or language, with or without a variant.
  func selection(for id: String) -> Selection? {
    let parts = id.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    guard let base = parts.first, id.utf8.count <= 100, let entry = entry(for: String(base)) else {
      return nil
    }
    let tag = entry.languages.first?.tag ?? entry.fileName
    var selection = Selection(
      name: entry.identifier, writing: WritingSystem.of(language: entry.fileName),
      language: String(Self.normalized(tag).split(separator: "-").first ?? ""))
    if parts.count == 2 {
      let wanted = parts[1].lowercased()
      guard let variant = variants.first(where: { $0.lowercased() == wanted }) else { return nil }
      selection.name += "+" + variant
    }
    return selection
  }

  /// Selects the voice for a request: the request's voice, else the configuration's, else its
  /// language's, else English.
  func selection(
    for request: VoiceEngineRequest, _ configuration: EspeakConfiguration
  ) throws(SpeechSynthesisProviderError) -> Selection {
    let wishes = [request.voiceId, configuration.voice ?? "", request.languageCode]
    let wish = wishes.first { !$0.isEmpty } ?? "en"
    guard let selection = selection(for: wish) else { throw Self.notAvailable(wish) }
    return selection
  }

  private func entry(for id: String) -> Entry? {
    let wanted = Self.normalized(id)
    guard !wanted.isEmpty else { return nil }
    let named =
      entries.first {
        Self.normalized($0.fileName) == wanted || $0.identifier.lowercased() == id.lowercased()
      }
      ?? entries.first {
        Self.normalized($0.name) == wanted || $0.name.lowercased() == id.lowercased()
      }
    if let named { return named }
    var tag = wanted
    while !tag.isEmpty {
      if let entry = bestEntry(tag: tag) { return entry }
      // Only a region or a script is dropped; a longer name that begins like a language is not a
      // language.
      guard let dash = tag.lastIndex(of: "-"), (2...4).contains(tag[dash...].dropFirst().count)
      else { return nil }
      tag = String(tag[..<dash])
      if let entry = entries.first(where: { Self.normalized($0.fileName) == tag }) { return entry }
    }
    return nil
  }

  private func bestEntry(tag: String) -> Entry? {
    var best: (entry: Entry, priority: UInt8)?
    for entry in entries {
      for language in entry.languages where language.tag.lowercased() == tag {
        if language.priority < best?.priority ?? .max { best = (entry, language.priority) }
      }
    }
    return best?.entry
  }

  /// Lower case, with hyphens for `_` and spaces as in language tags.
  private static func normalized(_ name: String) -> String {
    String(name.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
  }

  /// True if one tag equals or extends the other.
  private static func matches(_ one: String, _ other: String) -> Bool {
    one == other || one.hasPrefix(other + "-") || other.hasPrefix(one + "-")
  }
}

extension EspeakVoices.Entry {
  /// Copies a voice that the library owns.
  init(_ voice: espeak_VOICE) {
    name = voice.name.map { String(cString: $0) } ?? ""
    identifier = voice.identifier.map { String(cString: $0) } ?? ""
    gender = voice.gender
    languages = []
    // Each entry is a byte of priority and a zero-terminated tag; a zero byte ends the list.
    guard var cursor = voice.languages else { return }
    while cursor.pointee != 0 {
      let priority = UInt8(bitPattern: cursor.pointee)
      let tag = String(cString: cursor + 1)
      languages.append((tag, priority))
      cursor += tag.utf8.count + 2
    }
    languages.sort { $0.priority < $1.priority }
  }
}
