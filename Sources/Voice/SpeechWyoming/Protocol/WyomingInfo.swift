/// The description of an engine: its programs with their models and voices.
///
/// It is read leniently: entries without a name are skipped, and whatever else is missing has its
/// default.
package struct WyomingInfo: Decodable, Sendable, Equatable {
  /// A recogniser, a synthesiser or a detector of wake words.
  package struct Program: Decodable, Sendable, Equatable {
    package var name: String
    package var isInstalled = true
    /// The models of a recogniser or of a detector, or the voices of a synthesiser.
    package var models: [Model] = []
    /// True if a recogniser may answer before the end of the audio, when it takes a pause for it.
    package var detectsEnd = false

    private enum Keys: String, CodingKey {
      case name, installed, models, voices, requires_external_vad
    }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      name = try values.decode(String.self, forKey: .name)
      isInstalled = (try? values.decode(Bool.self, forKey: .installed)) ?? true
      let lists = [Keys.models, .voices].lazy.compactMap {
        try? values.decode(Lenient<Model>.self, forKey: $0)
      }
      models = lists.first?.elements ?? []
      detectsEnd = (try? values.decode(Bool.self, forKey: .requires_external_vad)) == false
    }
  }

  /// A model or a voice.
  package struct Model: Decodable, Sendable, Equatable {
    package var name: String
    package var description: String?
    /// The words that a wake word's model listens for.
    package var phrase: String?
    package var isInstalled = true
    /// The languages as the engine spells them: as tags of BCP 47, or like `en_US`.
    package var languages: [String] = []

    private enum Keys: String, CodingKey { case name, description, phrase, installed, languages }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      name = try values.decode(String.self, forKey: .name)
      description = try? values.decode(String.self, forKey: .description)
      phrase = try? values.decode(String.self, forKey: .phrase)
      isInstalled = (try? values.decode(Bool.self, forKey: .installed)) ?? true
      languages = (try? values.decode(Lenient<String>.self, forKey: .languages))?.elements ?? []
    }
  }

  private let asr, tts, wake: [Program]

  private enum Keys: String, CodingKey { case asr, tts, wake }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    func programs(_ key: Keys) -> [Program] {
      ((try? values.decode(Lenient<Program>.self, forKey: key))?.elements ?? [])
        .filter(\.isInstalled)
    }
    asr = programs(.asr)
    tts = programs(.tts)
    wake = programs(.wake)
  }

  /// The recogniser. Engines have one at an address; clients do not look at others.
  package var recogniser: Program? { asr.first }
  /// The synthesiser.
  package var synthesiser: Program? { tts.first }
  /// The detector of wake words.
  package var detector: Program? { wake.first }
}

/// The elements of a list that can be decoded.
private struct Lenient<Element: Decodable>: Decodable {
  private struct Attempt: Decodable {
    var element: Element?

    init(from decoder: any Decoder) throws { element = try? Element(from: decoder) }
  }

  let elements: [Element]

  init(from decoder: any Decoder) throws {
    elements = try decoder.singleValueContainer().decode([Attempt].self).compactMap(\.element)
  }
}

extension Sequence<String> {
  /// The tag among these for a language, exact or else of the same language in another region.
  package func tag(for language: String) -> String? {
    func parts(_ tag: String) -> [Substring] {
      tag.lowercased().split { $0 == "-" || $0 == "_" }
    }
    let wanted = parts(language)
    return first { parts($0) == wanted } ?? first { parts($0) == Array(wanted.prefix(1)) }
      ?? first { parts($0).first == wanted.first }
  }
}
