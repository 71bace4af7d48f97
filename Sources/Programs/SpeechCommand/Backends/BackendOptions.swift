import SpeechCore

extension ValueFormat where Value == BackendName {
  /// The name of a recogniser in the catalogue.
  package static func recogniser(in catalog: SpeechCatalog) -> Self {
    Self("NAME", .choices(catalog.recogniserNames)) { text, _ throws(UsageError) in
      try BackendName(recogniser: text, in: catalog)
    }
  }

  /// The name of a voice in the catalogue.
  package static func voice(in catalog: SpeechCatalog) -> Self {
    Self("VOICE") { text, _ throws(UsageError) in try BackendName(voice: text, in: catalog) }
  }
}

extension BackendName {
  /// Parses the name of a voice.
  package init(voice text: String, in catalog: SpeechCatalog) throws(UsageError) {
    self = try catalog.lookUp { catalog throws(SpeechCatalogError) in
      try catalog.voiceName(text)
    }
  }

  /// Parses the name of a recogniser; the first one of the catalogue for an empty text.
  package init(recogniser text: String, in catalog: SpeechCatalog) throws(UsageError) {
    self = try catalog.lookUp { catalog throws(SpeechCatalogError) in
      try catalog.recogniserName(text)
    }
  }
}
