import Foundation
import SpeechFiles

/// The user's own pronunciations, which are stored in a file.
///
/// Each line contains a word and its phones in the format of CMUdict; comments begin with `;;;`:
/// ```
/// ;;; Pronunciations of SpeechKit, in the format of CMUdict.
/// siobhan  SH AH V AO N
/// siobhan(2)  SH IH V AO N
/// ```
/// A change replaces the file atomically, under a lock that all programs share (`flock` on the file
/// with the suffix `.lock`), so that no program reads half a file and no change is lost. The
/// comments before the first word are kept, others are not.
///
/// ```swift
/// let mine = try UserPronunciations(locale: Locale(identifier: "en_US"))
/// try mine.set("siobhan", to: [["SH", "AH", "V", "AO", "N"]])
/// ```
public struct UserPronunciations: Sendable, Hashable {
  /// The file, which need not exist.
  public let url: URL

  /// Uses the pronunciations in that file. It is created by the first change.
  public init(file url: URL) { self.url = url }

  /// Uses the file of the user's account for that language: `speechkit/pronunciations/en.dict` in
  /// `$XDG_DATA_HOME`, by default `~/.local/share`.
  ///
  /// - Throws: `PronunciationFileError` for a user without a home folder.
  public init(
    locale: Locale, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    let language = locale.identifier.lowercased().prefix { $0.isASCII && $0.isLetter }
    guard let home = BaseFolder.data.path(environment), !language.isEmpty else {
      throw PronunciationFileError(
        .unwritable, path: "pronunciations",
        reason: "there is no place for them. Set HOME or XDG_DATA_HOME, and name a language.")
    }
    url = URL(filePath: home).appending(path: "speechkit/pronunciations/\(language).dict")
  }

  /// All words with their pronunciations; empty if there is no file.
  ///
  /// - Throws: `PronunciationFileError` with the line that is wrong.
  public func all() throws -> [String: [[String]]] { try read().pronunciations }

  /// The user's pronunciations of the word.
  ///
  /// - Throws: `PronunciationFileError` with the line that is wrong.
  public func pronunciations(of word: String) throws -> [[String]] { try all()[word] ?? [] }

  /// Sets the pronunciations of a word, replacing earlier ones.
  ///
  /// - Parameters:
  ///   - pronunciations: the phones of each, the likeliest first.
  ///   - phones: the phones of the model, to check them.
  /// - Throws: `PronunciationFileError` for an invalid word or phone, or if the file cannot be
  ///   written.
  public func set(
    _ word: String, to pronunciations: [[String]], among phones: Set<String>? = nil
  ) throws {
    guard !pronunciations.isEmpty else { throw wrong("“\(word)” needs phones.") }
    let entries = pronunciations.map { PronunciationText.Entry(word: word, phones: $0) }
    for entry in entries {
      if let reason = entry.reasonForRefusal { throw wrong(reason) }
      guard let phones else { continue }
      let unknown = entry.phones.filter { !phones.contains($0) }
      guard unknown.isEmpty else {
        throw wrong(
          "this model does not know the phones \(unknown.joined(separator: ", ")). It knows "
            + "\(phones.sorted().joined(separator: " ")).")
      }
    }
    try change { text in
      text.entries.removeAll { $0.word == word }
      text.entries += entries
      return true
    }
  }

  /// Removes the pronunciations of the word.
  ///
  /// - Returns: true if there were any.
  /// - Throws: `PronunciationFileError` if the file cannot be read or written.
  @discardableResult
  public func remove(_ word: String) throws -> Bool {
    guard FileManager.default.fileExists(atPath: url.path) else { return false }
    return try change { text in
      let count = text.entries.count
      text.entries.removeAll { $0.word == word }
      return text.entries.count < count
    }
  }

  private func wrong(
    _ reason: String, _ kind: PronunciationFileError.Kind = .content
  ) -> PronunciationFileError {
    PronunciationFileError(kind, path: url.path, reason: reason)
  }

  private func read() throws(PronunciationFileError) -> PronunciationText {
    let data: Data
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      data = try file.read(upToCount: PronunciationText.mostBytes + 1) ?? Data()
    } catch let error as CocoaError
      where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile
    {
      return PronunciationText()
    } catch {
      throw wrong("it cannot be read: \(error.localizedDescription)", .unreadable)
    }
    return try PronunciationText(data, path: url.path)
  }

  private func lock() throws(PronunciationFileError) -> FileLock {
    do throws(SystemFailure) {
      return try FileLock.waiting(for: url.path + ".lock")
    } catch {
      throw wrong("it cannot be locked: \(error).", .unwritable)
    }
  }

  /// - Parameter body: changes the text, and returns true if it did.
  @discardableResult
  private func change(_ body: (inout PronunciationText) -> Bool) throws -> Bool {
    do {
      let folder = url.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let lock = try lock()
      defer { withExtendedLifetime(lock) {} }
      var text = try read()
      guard body(&text) else { return false }
      try Data(text.text.utf8).replace(url.resolvingSymlinksInPath().path)
      return true
    } catch let error as PronunciationFileError {
      throw error
    } catch let failure as SystemFailure {
      throw wrong("it cannot be written: \(failure).", .unwritable)
    } catch {
      throw wrong("it cannot be written: \(error.localizedDescription)", .unwritable)
    }
  }
}
