import Foundation

/// An event of OpenAI's Realtime interface, as far as live transcription needs it.
struct OpenAILiveEvent: Decodable {
  /// The details of an event `error`.
  struct Failure: Decodable {
    var type: String?
    var code: String?

    init(from decoder: any Decoder) throws {
      // A server may send a text instead of an object.
      guard let members = try? decoder.container(keyedBy: CodingKeys.self) else { return }
      type = try? members.decode(String.self, forKey: .type)
      code = try? members.decode(String.self, forKey: .code)
    }

    enum CodingKeys: CodingKey { case type, code }

    /// True if the session is over and another one can continue.
    var isExpiry: Bool { code == "session_expired" }

    /// The HTTP status for such an error.
    var status: Int {
      switch (code, type) {
      case ("invalid_api_key", _), (_, "authentication_error"): 401
      case ("rate_limit_exceeded", _), ("slow_down", _), (_, "rate_limit_error"): 429
      case (_, "invalid_request_error"): 400
      case (_, "server_error"): 500
      default: 200
      }
    }
  }

  var type: String
  var itemID: String?
  var delta: String?
  var transcript: String?
  var usage: OpenAITranscriptionUsage?
  var error: Failure?

  enum CodingKeys: String, CodingKey {
    case type, delta, transcript, usage, error
    case itemID = "item_id"
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    type = try members.decode(String.self, forKey: .type)
    // Other events may have members of these names with other contents.
    itemID = try? members.decode(String.self, forKey: .itemID)
    delta = try? members.decode(String.self, forKey: .delta)
    transcript = try? members.decode(String.self, forKey: .transcript)
    usage = try? members.decode(OpenAITranscriptionUsage.self, forKey: .usage)
    error = try? members.decode(Failure.self, forKey: .error)
  }
}

extension OpenAILiveEvent {
  /// The session of a client that transcribes, as the event `session.update` carries it.
  struct Update: Encodable {
    struct Session: Encodable {
      struct Audio: Encodable { var input: Input }

      struct Input: Encodable {
        struct Format: Encodable {
          let type = "audio/pcm"
          let rate = 24_000
        }

        struct Transcription: Encodable {
          var model: String
          var language: String?
          var prompt: String?
        }

        let format = Format()
        var transcription: Transcription

        enum CodingKeys: String, CodingKey {
          case format, transcription
          case turnDetection = "turn_detection"
        }

        func encode(to encoder: any Encoder) throws {
          var members = encoder.container(keyedBy: CodingKeys.self)
          try members.encode(format, forKey: .format)
          try members.encode(transcription, forKey: .transcription)
          // Left out, the server would decide where an utterance ends.
          try members.encodeNil(forKey: .turnDetection)
        }
      }

      let type = "transcription"
      var audio: Audio
    }

    let type = "session.update"
    var session: Session
  }

  /// The event that adds audio to the utterance.
  static func append(_ audio: Data) -> String {
    #"{"type":"input_audio_buffer.append","audio":""# + audio.base64EncodedString() + #""}"#
  }

  /// The event that ends the utterance.
  static let commit = #"{"type":"input_audio_buffer.commit"}"#
}
