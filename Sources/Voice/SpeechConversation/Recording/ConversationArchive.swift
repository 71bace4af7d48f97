import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechFiles

/// The files of a conversation, written while it is held: a recording, a file with both sides, or
/// neither.
///
/// A recording can be read at any time, also after the program was killed: the events so far, the
/// replies so far, and the audio up to the last second. Its manifest is written when it is
/// complete. Nothing of the conversation but its replies is kept in memory.
package final class ConversationArchive: Sendable {
  /// A side of the conversation.
  enum Side: Int, Sendable {
    case user
    case loop
  }

  private struct Recording: Sendable {
    var folder: URL
    var heard: SoundTrackFile
    var played: SoundTrackFile
    var events: LineFile
    var replies: LineFile
  }

  /// The time by which the loudspeaker's audio is recorded late, and the beginning of a sentence
  /// may overlap the end of another.
  private static let delay = Duration.milliseconds(250)

  private struct Replies {
    var last: [NumberedReply] = []
    /// The times, since their questions, at which replies under way were last written.
    var times: [Int: Duration] = [:]
  }

  private let replies = Guarded(Replies())
  private let recording: Recording?
  private let bothSides: SoundTrackFile?

  /// Begins the files.
  ///
  /// - Parameters:
  ///   - folder: The folder of the recording, which must be new or empty.
  ///   - bothSides: The file with both sides of the conversation.
  /// - Throws: `ConversationBundleError.folderInUse`, `AudioError.writeFailed`.
  package init(
    _ settings: ConversationSettings, recordingIn folder: URL? = nil, bothSides: URL? = nil
  ) throws {
    recording = try folder.map { try Self.begin(settings, in: $0) }
    self.bothSides = bothSides.map {
      SoundTrackFile($0, .whole, format: .recognition, delay: Self.delay * 2)
    }
  }

  private static func begin(
    _ settings: ConversationSettings, in folder: URL
  ) throws -> Recording {
    let path = folder.path(percentEncoded: false)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw AudioError.writeFailed(path: path, reason: error.localizedDescription)
    }
    guard try FileManager.default.contentsOfDirectory(atPath: path).isEmpty else {
      throw ConversationBundleError.folderInUse(path)
    }
    // The first program that creates this file has the folder for itself.
    func url(_ file: ConversationBundle.File) -> URL { folder.appending(path: file.rawValue) }
    let events = try LineFile(url(.events), in: path)
    try WholeFile.write(Data(try settings.text.utf8), to: url(.settings))
    return Recording(
      folder: folder, heard: SoundTrackFile(url(.heard), .growing, delay: .zero),
      played: SoundTrackFile(url(.played), .growing, delay: delay), events: events,
      replies: try LineFile(url(.replies), in: path))
  }

  func add(_ audio: PCMBuffer, at start: Duration, from side: Side) {
    bothSides?.add(audio, at: start, source: side.rawValue)
    guard let recording else { return }
    switch side {
    case .user:
      recording.heard.add(audio, at: start)
      recording.played.advance(to: start + audio.duration)
    case .loop: recording.played.add(audio, at: start)
    }
  }

  func note(_ event: VoiceLoopEvent) { recording?.events.write(event.line) }

  /// Notes the state of a reply, which is written once a second, and at its beginning and its end.
  ///
  /// - Parameter time: The time since its question; `nil` at its beginning and its end.
  func note(_ reply: NumberedReply, at time: Duration?) {
    guard let recording else { return }
    replies.withLock { replies in
      if reply.number == replies.last.count {
        replies.last.append(reply)
      } else {
        replies.last[reply.number] = reply
      }
      if let time {
        guard time - (replies.times[reply.number] ?? .zero) >= .seconds(1) else { return }
      }
      replies.times[reply.number] = time
      if let line = try? JSONLines.line(of: reply) { recording.replies.write(line) }
    }
  }

  /// Completes the files.
  ///
  /// - Parameter isDurable: Waits until they are on the disk.
  /// - Throws: The first error since the beginning, as `AudioError.writeFailed`.
  package func finish(isDurable: Bool) throws {
    // The recording first, because it is all that is needed to get the other file again.
    if let recording {
      try recording.heard.finish(isDurable: isDurable)
      try recording.played.finish(isDurable: isDurable)
      try recording.events.check()
      try recording.replies.check()
      let path = recording.folder.path(percentEncoded: false)
      do throws(SystemFailure) {
        let replies = replies.withLock { $0.last.map(\.reply) }
        let text = Data(((try? JSONLines.text(of: replies)) ?? "").utf8)
        try text.replace(
          path + "/" + ConversationBundle.File.replies.rawValue, isDurable: isDurable)
        try FileSet.seal(
          ConversationBundle.File.allCases.map(\.rawValue), in: path, isDurable: isDurable)
      } catch {
        throw AudioError.writeFailed(path: path, reason: error.description)
      }
    }
    try bothSides?.finish(isDurable: isDurable)
  }

  /// Removes the files of a conversation that has not begun.
  package func discard() {
    guard let recording else { return }
    for file in ConversationBundle.File.allCases {
      unlink(recording.folder.appending(path: file.rawValue).path(percentEncoded: false))
    }
    rmdir(recording.folder.path(percentEncoded: false))
  }
}

/// A new file of lines, each of which is in the file when it was written.
private final class LineFile: Sendable {
  private let path: String
  private let number: Int32
  private let failure = Guarded<Int32>(0)

  init(_ url: URL, in folder: String) throws {
    path = url.path(percentEncoded: false)
    number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o666)
    guard number >= 0 else {
      if errno == EEXIST { throw ConversationBundleError.folderInUse(folder) }
      throw AudioError.writeFailed(path: path, reason: SystemFailure(code: errno).description)
    }
  }

  deinit { close(number) }

  func write(_ line: String) {
    failure.withLock { failure in
      guard failure == 0 else { return }
      var bytes = Array(line.utf8)
      bytes.append(UInt8(ascii: "\n"))
      failure = bytes.withUnsafeBytes { OwnedDescriptor.write($0, to: number) }
    }
  }

  /// - Throws: The first error of writing.
  func check() throws(AudioError) {
    let code = failure.withLock { $0 }
    guard code == 0 else {
      throw .writeFailed(path: path, reason: SystemFailure(code: code).description)
    }
  }
}
