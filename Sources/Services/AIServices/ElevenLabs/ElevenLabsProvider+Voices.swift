extension ElevenLabsProvider {
  fileprivate struct Page: Decodable {
    struct Voice: Decodable {
      struct Language: Decodable { var language: String? }

      var voiceID: String
      var name: String?
      var labels: [String: String?]?
      var description: String?
      var verifiedLanguages: [Language]?

      enum CodingKeys: String, CodingKey {
        case name, labels, description
        case voiceID = "voice_id"
        case verifiedLanguages = "verified_languages"
      }
    }

    var voices: [Voice]
    var hasMore: Bool?
    var nextPageToken: String?

    enum CodingKeys: String, CodingKey {
      case voices
      case hasMore = "has_more"
      case nextPageToken = "next_page_token"
    }
  }

  /// The maximum number of pages, with a hundred voices each.
  private static let pageLimit = 100

  /// Lists all voices of the account, page by page.
  public func voices() async throws -> [ServiceVoice] {
    var voices: [ServiceVoice] = []
    var token: String?
    for _ in 0..<Self.pageLimit {
      var query = [("page_size", "100")]
      if let token { query.append(("next_page_token", token)) }
      let page: Page = try await client.json(for: .get("v2/voices", query: query))
      voices += page.voices.map(ServiceVoice.init)
      guard page.hasMore == true, let next = page.nextPageToken, next != token else { break }
      token = next
    }
    return voices
  }
}

extension ServiceVoice {
  fileprivate init(_ voice: ElevenLabsProvider.Page.Voice) {
    let labels = (voice.labels ?? [:]).compactMapValues { $0 }
    let verified = (voice.verifiedLanguages ?? []).compactMap(\.language)
    self.init(
      id: voice.voiceID, name: voice.name ?? voice.voiceID,
      languages: verified.isEmpty ? labels["language"].map { [$0] } ?? [] : verified,
      gender: labels["gender"], summary: voice.description ?? labels["use_case"])
  }
}
