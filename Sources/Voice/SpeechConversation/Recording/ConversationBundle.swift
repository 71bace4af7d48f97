import Foundation
import SpeechAudio
import SpeechText

/// A conversation in a folder: what was heard and played, what happened, what the responder said, and with
/// which settings.
///
/// ```swift
/// let bundle = try ConversationBundle(contentsOf: folder)
/// print(bundle.events.count, bundle.heard.duration)
/// ```
/// The folder holds `settings.json`, `events.jsonl` and `replies.jsonl` (an object per line; see
/// `VoiceLoopEvent` and `RecordedReply`), `heard.wav` and `played.wav`, which both begin with the loop.
public struct ConversationBundle: Sendable, Equatable {
  /// With what it was held.
  public var settings: ConversationSettings
  /// What happened.
  public var events: [VoiceLoopEvent]
  /// What the responder said.
  public var replies: [RecordedReply]
  /// What came in at the microphone.
  public var heard: PCMBuffer
  /// What was heard from the loudspeaker.
  public var played: PCMBuffer

  private enum File: String {
    case settings = "settings.json"
    case events = "events.jsonl"
    case replies = "replies.jsonl"
    case heard = "heard.wav"
    case played = "played.wav"
  }

  /// A conversation of these parts.
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

  /// Reads a folder.
  ///
  /// - Throws: `ConversationBundleError`; `AudioError` for its sounds.
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

  /// Writes the folder, and makes it if there is none. Each file is whole or not there.
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

  /// The values in lines of JSON.
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

  /// Where the line is not JSON, and how.
  private static func fault(in line: [UInt8]) -> String? {
    do throws(JSONLine.Fault) {
      _ = try JSONLine.members(of: line)
      return nil
    } catch {
      return "column \(JSONLine.column(at: error.offset, in: line)): \(error.message)"
    }
  }
}

/// Why a recorded conversation cannot be used.
public enum ConversationBundleError: Error, Sendable, Equatable, LocalizedError {
  /// A file is not there or must not be read.
  case missing(file: String, folder: String)
  /// A file is not what it should be.
  case malformed(file: String, line: Int, reason: String)

  /// What happened and what to do.
  public var errorDescription: String? {
    switch self {
    case .missing(let file, let folder):
      "“\(folder)” has no file “\(file)” that can be read. Give a folder that `speechkit loop --record` "
        + "has written."
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
