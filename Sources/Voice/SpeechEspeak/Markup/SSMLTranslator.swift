import Foundation
import SpeechCore

/// Translates SSML into the subset that the library supports, and omits the rest.
///
/// Voices, sentences, paragraphs and breaks become boundaries, which are handled here. Prosody,
/// emphasis and spelling are passed to the library as regenerated tags. Everything else is spoken
/// as text.
struct SSMLTranslator {
  /// The maximum total of all breaks of a document.
  static let longestSilence = 300_000
  /// The maximum length of a break.
  static let longestBreak = 10_000
  /// The maximum depth of nested elements that the library has to remember; its own limit is 20.
  static let deepest = 12

  private let voices: EspeakVoices
  private var script = SSMLScript()
  private var current: EspeakVoices.Selection
  private var stack: [Element] = []
  private var silence = 0
  private var tagDepth = 0

  /// The state that the end of an element restores.
  private struct Element {
    var endsTag = false
    var endsSentence = false
    var endsParagraph = false
    var voiceBefore: EspeakVoices.Selection?
    /// True if its text is omitted.
    var isSilent = false
    /// The text that is spoken instead.
    var alias: String?
    var sayAs: (kind: String, format: String, language: String)?
    var collected: [Unicode.Scalar] = []
    var start = 0
  }

  private init(_ voices: EspeakVoices, _ voice: EspeakVoices.Selection) {
    self.voices = voices
    self.current = voice
  }

  /// Returns the script of a document that begins with a voice.
  static func script(
    of text: String, voice: EspeakVoices.Selection, voices: EspeakVoices
  ) throws(SpeechSynthesisProviderError) -> SSMLScript {
    let parts = try SSMLReader.parts(of: text)
    var translator = SSMLTranslator(voices, voice)
    for part in parts {
      switch part {
      case .open(let name, let attributes, let place):
        try translator.open(name.lowercased(), attributes, place)
      case .close(_, let place): translator.close(at: place)
      case .text(let scalars, let start): translator.text(scalars, start)
      case .character(let scalar, let place): translator.character(scalar, place)
      }
    }
    return translator.script
  }

  private mutating func text(_ scalars: [Unicode.Scalar], _ start: Int) {
    guard let top = stack.last else { return script.items.append(.text(scalars, start: start)) }
    if top.sayAs != nil {
      stack[stack.count - 1].collected += scalars
    } else if !top.isSilent {
      script.items.append(.text(scalars, start: start))
    }
  }

  private mutating func character(_ scalar: Unicode.Scalar, _ place: Range<Int>) {
    if stack.last?.sayAs != nil {
      stack[stack.count - 1].collected.append(scalar)
    } else if stack.last?.isSilent != true {
      script.items.append(.replacement([scalar], place: place))
    }
  }

  private mutating func open(
    _ name: String, _ attributes: [String: String], _ place: Range<Int>
  ) throws(SpeechSynthesisProviderError) {
    var element = Element()
    element.start = place.upperBound
    element.isSilent = stack.last?.isSilent ?? false
    if element.isSilent || stack.last?.sayAs != nil {
      if stack.last?.sayAs != nil { element.isSilent = true }
      stack.append(element)
      return
    }
    switch name {
    case "speak", "lang":
      try change(&element, attributes, isSpoken: false)
    case "voice":
      try change(&element, attributes, isSpoken: true)
    case "s", "p", "li", "dd", "dt", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "div":
      element.endsSentence = true
      element.endsParagraph = name == "p" || name.hasPrefix("h")
      script.addBoundary(.end)
      try change(&element, attributes, isSpoken: false)
    case "br", "hr", "img": script.addBoundary(.end)
    case "break": pause(attributes)
    case "mark":
      script.addAnchor(.mark(attributes["name"] ?? "", place: place.lowerBound))
    case "prosody", "emphasis":
      if let tag = SSMLTags.tag(name, attributes) { try addTag(tag, name, &element, place) }
    case "say-as": try sayAs(attributes, &element, place)
    case "sub":
      element.alias = attributes["alias"]
      element.isSilent = element.alias != nil
    case "script", "style", "desc", "meta", "metadata", "lexicon", "title":
      element.isSilent = true
    default: break
    }
    stack.append(element)
  }

  private mutating func close(at place: Range<Int>) {
    guard let element = stack.popLast() else { return }
    if let sayAs = element.sayAs {
      let said = SpokenForm.of(
        element.collected, as: sayAs.kind, format: sayAs.format, language: sayAs.language)
      if said == element.collected {
        script.items.append(.text(said, start: element.start))
      } else {
        script.items.append(
          .replacement(said, place: element.start..<max(element.start, place.lowerBound)))
      }
    }
    if let alias = element.alias {
      let replaced = element.start..<max(element.start, place.lowerBound)
      script.items.append(.replacement(Array(alias.unicodeScalars), place: replaced))
    }
    if element.endsTag {
      tagDepth -= 1
      script.addAnchor(.close)
    }
    if element.endsSentence {
      if element.endsParagraph {
        let end = place.lowerBound..<place.lowerBound
        script.items.append(.replacement(["\n", "\n"], place: end))
      }
      script.addBoundary(.end)
    }
    if let before = element.voiceBefore { use(before) }
  }

  private mutating func addTag(
    _ tag: String, _ name: String, _ element: inout Element, _ place: Range<Int>
  ) throws(SpeechSynthesisProviderError) {
    guard tagDepth < Self.deepest else {
      throw .unknown(
        "SSML character \(place.lowerBound + 1): elements of prosody, emphasis "
          + "and say-as are nested deeper than \(Self.deepest).")
    }
    tagDepth += 1
    element.endsTag = true
    script.addAnchor(.open(tag: tag, name: name))
  }

  private mutating func sayAs(
    _ attributes: [String: String], _ element: inout Element, _ place: Range<Int>
  ) throws(SpeechSynthesisProviderError) {
    let kind = attributes["interpret-as"]?.lowercased() ?? ""
    switch kind {
    case "characters", "spell-out", "verbatim", "tts:char":
      try addTag("<say-as interpret-as=\"characters\">", "say-as", &element, place)
    case "digits", "tts:digits":
      try addTag("<say-as interpret-as=\"tts:digits\">", "say-as", &element, place)
    case "cardinal", "number", "ordinal", "date", "time", "telephone":
      element.sayAs = (kind, attributes["format"]?.lowercased() ?? "", current.language)
    default: break
    }
  }

  private mutating func pause(_ attributes: [String: String]) {
    let strengths = [
      "none": 0, "x-weak": 100, "weak": 200, "medium": 400, "strong": 700, "x-strong": 1200,
    ]
    var milliseconds = strengths[attributes["strength"] ?? "medium"] ?? 400
    if let time = attributes["time"] { milliseconds = SSMLTags.milliseconds(time) ?? milliseconds }
    milliseconds = min(max(milliseconds, 0), Self.longestBreak, Self.longestSilence - silence)
    guard milliseconds > 0 else { return }
    silence += milliseconds
    script.addBoundary(.pause(milliseconds: milliseconds))
  }

  /// Changes the voice according to `xml:lang` and, for a voice element, its name, gender and
  /// variant.
  private mutating func change(
    _ element: inout Element, _ attributes: [String: String], isSpoken: Bool
  ) throws(SpeechSynthesisProviderError) {
    var selection: EspeakVoices.Selection?
    if let language = attributes["xml:lang"], !language.isEmpty {
      // Text in a language without a voice is spoken in the current one.
      selection = voices.selection(for: language)
      if selection?.language == current.language, !isSpoken { selection = nil }
    }
    if isSpoken {
      if let name = attributes["name"], !name.isEmpty {
        guard let named = voices.selection(for: name) else { throw EspeakVoices.notAvailable(name) }
        selection = named
      } else if let gender = attributes["gender"]?.lowercased(),
        gender == "female" || gender == "male"
      {
        let number = min(max(Int(attributes["variant"] ?? "") ?? 3, 1), 5)
        let base = (selection ?? current).name.split(separator: "+").first.map(String.init) ?? ""
        selection =
          voices.selection(for: base + "+" + (gender == "female" ? "f" : "m") + String(number))
          ?? selection
      }
    }
    guard let selection, selection != current else { return }
    element.voiceBefore = current
    use(selection)
  }

  private mutating func use(_ voice: EspeakVoices.Selection) {
    current = voice
    script.addBoundary(.voice(voice))
    script.items.append(.writing(voice.writing))
  }
}
