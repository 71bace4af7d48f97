import Foundation

/// A folder of recordings with their transcripts.
struct Corpus {
  /// A line of the manifest.
  struct Entry: Sendable {
    /// The path within the folder.
    var file: String
    var url: URL
    var transcript: String
    var task: String
  }

  let folder: URL
  let entries: [Entry]

  /// Reads a corpus, whose `manifest.tsv` has the columns file, transcript and task.
  init(_ folder: URL) throws {
    self.folder = folder
    let text = try String(
      contentsOf: folder.appendingPathComponent("manifest.tsv"), encoding: .utf8)
    let lines = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let head = lines.first, let file = head.firstIndex(of: "file"),
      let transcript = head.firstIndex(of: "transcript"), let task = head.firstIndex(of: "task")
    else {
      throw UsageError("\(folder.path)/manifest.tsv needs the columns file, transcript and task")
    }
    entries = lines.dropFirst().compactMap { fields in
      guard fields.count == head.count, !fields[transcript].isEmpty else { return nil }
      return Entry(
        file: fields[file], url: folder.appendingPathComponent(fields[file]),
        transcript: fields[transcript], task: fields[task])
    }
  }

  func entries(of task: String) -> [Entry] { entries.filter { $0.task == task } }

  /// The closed grammars, each with its recordings, which are recognised by their names.
  func grammars() -> [(grammar: URL, entries: [Entry])] {
    let names = [
      "coffee": ["coffee_"], "cards": ["cards_"], "digits": ["fsdd_", "one_two_three"],
      "numbers": ["numbers"], "goforward": ["goforward"],
    ]
    return names.sorted { $0.key < $1.key }.compactMap { name, beginnings in
      let grammar = folder.appendingPathComponent("grammars/\(name).gram")
      let fitting = entries.filter { entry in
        ["commands", "digits"].contains(entry.task)
          && beginnings.contains { entry.url.lastPathComponent.hasPrefix($0) }
      }
      let isThere = FileManager.default.isReadableFile(atPath: grammar.path)
      return isThere && !fitting.isEmpty ? (grammar, fitting) : nil
    }
  }
}
