/// The JSON of a voice is that of earlier packages and of ElevenLabs (`voice_id`, `language`,
/// `locality`), with `languages`, `variants` and `provider` in addition.
extension Voice: Codable {
  private enum CodingKeys: String, CodingKey {
    case id = "voice_id"
    case providerId = "provider"
    case name, description, language, locality, gender, quality, languages, variants
  }

  /// Decodes a voice. Only the identifier and the name are required.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String? {
      try values.decodeIfPresent(String.self, forKey: key)
    }
    let language = [try text(.language), try text(.locality)].compactMap(\.self)
    self.init(
      id: try values.decode(String.self, forKey: .id),
      name: try values.decode(String.self, forKey: .name),
      languages: try values.decodeIfPresent([String].self, forKey: .languages)
        ?? (language.isEmpty ? [] : [language.joined(separator: "-")]),
      gender: try text(.gender).flatMap { Gender(rawValue: $0.lowercased()) } ?? .unspecified,
      variants: try values.decodeIfPresent([String].self, forKey: .variants) ?? [],
      description: try text(.description), providerId: try text(.providerId) ?? "",
      quality: try text(.quality))
  }

  /// Encodes the voice.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(name, forKey: .name)
    try values.encodeIfPresent(description, forKey: .description)
    if !providerId.isEmpty { try values.encode(providerId, forKey: .providerId) }
    if let primary = language.split(whereSeparator: { $0 == "-" || $0 == "_" }).first {
      try values.encode(String(primary), forKey: .language)
    }
    try values.encodeIfPresent(locality, forKey: .locality)
    if gender != .unspecified { try values.encode(gender, forKey: .gender) }
    try values.encodeIfPresent(quality, forKey: .quality)
    try values.encode(languages, forKey: .languages)
    if !variants.isEmpty { try values.encode(variants, forKey: .variants) }
  }
}
