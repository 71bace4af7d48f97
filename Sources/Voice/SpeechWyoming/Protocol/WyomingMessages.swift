/// The data of the events that a client of engines sends and receives, with the names of the
/// protocol.
package enum WyomingMessage {
  /// `audio-start` and `audio-chunk`: the format of samples.
  package struct Audio: Codable, Sendable, Equatable {
    package var rate: Int
    /// The bytes of a sample.
    package var width: Int
    package var channels: Int

    package init(rate: Int, width: Int, channels: Int) {
      self.rate = rate
      self.width = width
      self.channels = channels
    }
  }

  /// `audio-chunk` as it is sent: the format, and the position of its first sample.
  package struct Chunk: Encodable, Sendable {
    package var rate: Int
    package var width: Int
    package var channels: Int
    /// In milliseconds.
    package var timestamp: Int
  }

  /// `detect`: the beginning of the search for wake words.
  package struct Detect: Codable, Sendable {
    /// The names of models.
    package var names: [String]
  }

  /// `detection`: a wake word that was heard.
  package struct Detection: Codable, Sendable {
    package var name: String?
    /// The `timestamp` of the chunk with its end.
    package var timestamp: Int?
  }

  /// `transcribe`: the beginning of an utterance.
  package struct Transcribe: Codable, Sendable {
    /// The name of a model.
    package var name: String?
    package var language: String?
  }

  /// `transcript` and `transcript-chunk`: a text.
  package struct Text: Codable, Sendable {
    package var text: String
  }

  /// `synthesize`: a text and its voice.
  package struct Synthesize: Codable, Sendable {
    package struct Voice: Codable, Sendable {
      package var name: String?
      package var speaker: String?
    }

    package var text: String
    package var voice: Voice?
  }

  /// `error`.
  package struct Failure: Codable, Sendable {
    package var text: String?
    package var code: String?
  }
}
