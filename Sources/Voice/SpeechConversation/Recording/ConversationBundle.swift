import Foundation
import SpeechAudio
import SpeechFiles
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
/// the loop. `manifest.json` has the length and a checksum of each; it is missing in a recording
/// whose program was killed, of which everything up to the last second can be read.
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

  /// The time from which on the conversation is not known, because its program was stopped or
  /// killed; `nil` for a conversation that ended.
  package var end: Duration? {
    guard let last = events.last else { return .zero }
    return last.kind == .ended ? nil : min(last.time, heard.duration)
  }

  enum File: String, CaseIterable {
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
  /// A recording whose program was killed is read as far as it goes.
  ///
  /// - Throws: `ConversationBundleError`, or `AudioError` for the audio files.
  public init(contentsOf folder: URL) throws {
    let path = folder.path(percentEncoded: false)
    func misfit(_ mismatch: FileSet.Mismatch) -> ConversationBundleError {
      .mixed(file: mismatch.file, folder: path)
    }
    let manifest: FileSet?
    do throws(FileSet.Mismatch) {
      manifest = try FileSet.manifest(of: path)
    } catch {
      throw misfit(error)
    }
    func data(_ file: File) throws -> Data {
      do {
        return try Data(contentsOf: folder.appending(path: file.rawValue))
      } catch {
        throw ConversationBundleError.missing(file: file.rawValue, folder: path)
      }
    }
    func sound(_ file: File) throws -> PCMBuffer {
      let url = folder.appending(path: file.rawValue)
      // Without a manifest, the file may not have begun.
      if manifest == nil, (try? data(file)).map(\.isEmpty) ?? true {
        return PCMBuffer(format: .recognition)
      }
      return try AudioFile.read(url)
    }
    settings = try Self.value(in: try data(.settings), of: File.settings.rawValue)
    guard settings.version == 1 else {
      throw ConversationBundleError.malformed(
        file: File.settings.rawValue, line: 1,
        reason: "it is of version \(settings.version), and 1 is known")
    }
    if manifest == nil {
      events = try Self.lines(in: try data(.events).wholeLines, of: File.events.rawValue)
      let written = try data(.replies).wholeLines
      let numbered: [NumberedReply]? = try? Self.lines(in: written, of: File.replies.rawValue)
      replies =
        try numbered.map(NumberedReply.last)
        ?? Self.lines(in: written, of: File.replies.rawValue)
    } else {
      events = try Self.lines(in: try data(.events), of: File.events.rawValue)
      replies = try Self.lines(in: try data(.replies), of: File.replies.rawValue)
    }
    heard = try sound(.heard)
    played = try sound(.played)
    do throws(FileSet.Mismatch) {
      try manifest?.check(in: path)
    } catch {
      throw misfit(error)
    }
  }

  /// Writes the conversation to a folder, which is created if necessary. A recording there is
  /// replaced as a whole, even if the program is killed.
  ///
  /// - Throws: `AudioError.writeFailed`.
  public func write(to folder: URL) throws {
    let path = folder.path(percentEncoded: false)
    do {
      var replacement = try FileSetReplacement(path)
      let draft = URL(filePath: replacement.draft)
      func write(_ text: String, _ file: File) throws {
        try Data(text.utf8).replace(draft.appending(path: file.rawValue).path, isDurable: false)
      }
      try write(settings.text, .settings)
      try write(JSONLines.text(of: events), .events)
      try write(JSONLines.text(of: replies), .replies)
      try AudioFile.write(heard, to: draft.appending(path: File.heard.rawValue))
      try AudioFile.write(played, to: draft.appending(path: File.played.rawValue))
      try replacement.commit()
    } catch let error as SystemFailure {
      throw AudioError.writeFailed(path: path, reason: error.description)
    }
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
  /// A file does not belong to the others of the folder, or was changed.
  case mixed(file: String, folder: String)
  /// The folder for a new recording contains files.
  case folderInUse(String)

  /// A description of what happened and what to do.
  public var errorDescription: String? {
    switch self {
    case .missing(let file, let folder):
      "“\(folder)” has no readable file “\(file)”. "
        + "Choose a folder that `speechkit loop --record` has written."
    case .malformed(let file, let line, let reason):
      "\(file), line \(line) cannot be used: \(reason). Record the conversation again."
    case .mixed(let file, let folder):
      "“\(file)” in “\(folder)” is not the one that was recorded with the other files. Restore it, "
        + "or remove “\(FileSet.manifest)” to use the files as they are."
    case .folderInUse(let folder):
      "“\(folder)” contains files. Choose another folder for the recording, or empty this one."
    }
  }
}

extension Data {
  /// The data without an incomplete last line.
  fileprivate var wholeLines: Data {
    lastIndex(of: UInt8(ascii: "\n")).map { self[...$0] } ?? Data()
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
