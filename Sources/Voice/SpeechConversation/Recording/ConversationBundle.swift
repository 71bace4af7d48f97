import Foundation
import SpeechAudio
import SpeechText

/// A recorded conversation in a folder: the audio of both sides, the events, the replies and the
/// settings.
///
/// ```swift
/// let bundle = try ConversationBundle(contentsOf: folder)
/// print(bundle.events.count, bundle.heard.duration)
/// ```
/// The folder holds `settings.json`, `events.jsonl` and `replies.jsonl` (an object per line; see
/// `VoiceLoopEvent` and `RecordedReply`), `heard.wav` and `played.wav`, both of which begin with
/// the loop.
public struct ConversationBundle: Sendable, Equatable {
  /// The settings of the conversation.
  public var settings: ConversationSettings
  /// The events in order.
  public var events: [VoiceLoopEvent]
  /// The replies of the responder, in order.
  public var replies: [RecordedReply]
  /// The audio from the microphone.
  public var heard: PCMBuffer
  /// The audio that was heard from the loudspeaker.
  public var played: PCMBuffer

  private enum File: String {
    case settings = "settings.json"
    case events = "events.jsonl"
    case replies = "replies.jsonl"
    case heard = "heard.wav"
    case played = "played.wav"
  }

  /// Creates a conversation from its parts.
  public init(
    settings: ConversationSettings, events: [VoiceLoopEvent], replies: [RecordedReply],
    heard: PCMBuffer, played: PCMBuffer
  ) {
    self.settings = settings
    self.events = events
    self.replies = replies
    self.heard = heard
    self.played = played
  }

  /// Reads a conversation from a folder.
  ///
  /// - Throws: `ConversationBundleError`, or `AudioError` for the audio files.
  public init(contentsOf folder: URL) throws {
    func data(_ file: File) throws -> Data {
      do {
        return try Data(contentsOf: folder.appending(path: file.rawValue))
      } catch {
        throw ConversationBundleError.missing(
          file: file.rawValue, folder: folder.path(percentEncoded: false))
      }
    }
    settings = try Self.value(in: try data(.settings), of: File.settings.rawValue)
    guard settings.version == 1 else {
      throw ConversationBundleError.malformed(
        file: File.settings.rawValue, line: 1,
        reason: "it is of version \(settings.version), and 1 is known")
    }
    events = try Self.lines(in: try data(.events), of: File.events.rawValue)
    replies = try Self.lines(in: try data(.replies), of: File.replies.rawValue)
    heard = try AudioFile.read(folder.appending(path: File.heard.rawValue))
    played = try AudioFile.read(folder.appending(path: File.played.rawValue))
  }

  /// Writes the conversation to a folder, which is created if necessary. No file is ever half
  /// written.
  ///
  /// - Throws: `AudioError.writeFailed`.
  public func write(to folder: URL) throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw AudioError.writeFailed(
        path: folder.path(percentEncoded: false), reason: error.localizedDescription)
    }
    func write(_ text: String, _ file: File) throws {
      try WholeFile.write(Data(text.utf8), to: folder.appending(path: file.rawValue))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    let settings = String(decoding: try encoder.encode(settings), as: UTF8.self)
    try write(settings + "\n", .settings)
    try write(JSONLines.text(of: events), .events)
    try write(JSONLines.text(of: replies), .replies)
    try AudioFile.write(heard, to: folder.appending(path: File.heard.rawValue))
    try AudioFile.write(played, to: folder.appending(path: File.played.rawValue))
  }

  /// Decodes the values of a file of JSON lines.
  static func lines<Value: Decodable>(in data: Data, of file: String) throws -> [Value] {
    try JSONLine.lines(in: data).map {
      try value(in: Data($0.bytes), of: file, line: $0.number)
    }
  }

  private static func value<Value: Decodable>(
    in data: Data, of file: String, line: Int? = nil
  ) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: data)
    } catch {
      let reason = (error as? DecodingError)?.reason ?? "it is not JSON"
      throw ConversationBundleError.malformed(
        file: file, line: line ?? 1, reason: line.flatMap { _ in fault(in: Array(data)) } ?? reason)
    }
  }

  /// Describes the position and kind of a syntax error; `nil` if there is none.
  private static func fault(in line: [UInt8]) -> String? {
    do throws(JSONLine.ParseError) {
      _ = try JSONLine.members(of: line)
      return nil
    } catch {
      return "column \(JSONLine.column(at: error.offset, in: line)): \(error.message)"
    }
  }
}

/// An error in a recorded conversation.
public enum ConversationBundleError: Error, Sendable, Equatable, LocalizedError {
  /// A file is missing or cannot be read.
  case missing(file: String, folder: String)
  /// The content of a file is not valid.
  case malformed(file: String, line: Int, reason: String)

  /// A description of what happened and what to do.
  public var errorDescription: String? {
    switch self {
    case .missing(let file, let folder):
      "“\(folder)” has no readable file “\(file)”. "
        + "Choose a folder that `speechkit loop --record` has written."
    case .malformed(let file, let line, let reason):
      "\(file), line \(line) cannot be used: \(reason). Record the conversation again."
    }
  }
}

extension DecodingError {
  fileprivate var reason: String {
    switch self {
    case .dataCorrupted(let context): context.debugDescription
    case .keyNotFound(let key, _): "“\(key.stringValue)” is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "“\(context.codingPath.map(\.stringValue).joined(separator: "."))” is of the wrong kind"
    @unknown default: "it is not JSON"
    }
  }
}
