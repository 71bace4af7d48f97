/// The configuration as the text of a file.
///
/// ```swift
/// let configuration = try ConfigurationText.configuration(in: text)
/// let shared = try ConfigurationText.text(of: configuration)
/// ```
public enum ConfigurationText {
  /// What a new file begins with.
  static let head = """
    # What SpeechKit does with texts, and whom it asks.
    #
    # [connector.NAME] is a service:  kind = "openai", "azure", "anthropic", "socket" or "on-device",
    #   url, model, credential (a name in the credential store, never a key), timeout = "20s", …
    # [action.NAME] is something to do with a text:  name, prompt with {{text}}, output, mode, connectors, …
    #
    # What is left out is as usual. Programs that change this file leave comments where they are.

    """

  /// What a file says.
  ///
  /// - Throws: `ActionError.configuration` with all its faults, each with line and column.
  public static func configuration(in text: String) throws(ActionError) -> ActionConfiguration {
    try ConfigurationDecoder.configuration(in: text)
  }

  /// A file that says all of that, to be given to others. It holds no keys, only their names.
  ///
  /// - Throws: `ActionError.configuration` when the configuration has faults.
  public static func text(of configuration: ActionConfiguration) throws(ActionError) -> String {
    var editor = TOMLEditor(TOMLDocument(head))
    write(ConfigurationTables(configuration), over: ConfigurationTables(), into: &editor)
    _ = try ConfigurationDecoder.configuration(in: editor.text)
    return editor.text
  }

  /// The file with what is different in the new configuration, and everything else as it is. Whoever writes
  /// it makes sure before that it can be read.
  ///
  /// - Parameters:
  ///   - text: a file of the current version without faults; empty for a new one.
  ///   - present: what it says, ready-made actions included.
  static func edited(
    _ text: String, from present: ConfigurationTables, to wanted: ConfigurationTables
  ) -> String {
    guard wanted != present || text.isEmpty else { return text }
    let document = TOMLDocument(text.isEmpty ? head : text)
    var editor = TOMLEditor(document)
    if document.tables[0].entry("version") == nil {
      editor.set("version", .int(ConfigurationDecoder.version), in: [])
    }
    var (present, wanted) = (present, wanted)
    // The ready-made actions stand in a file once one of them has been changed.
    let hasActions = document.tables.contains { $0.path.first == "action" }
    if !hasActions, wanted.actionTables == ConfigurationTables(ActionConfiguration()).actionTables {
      wanted.removeAll { $0.path.first == "action" }
    }
    // What only the program knows of is not in the file.
    present.removeAll { document.table($0.path) == nil }
    write(wanted, over: present, into: &editor)
    return editor.text
  }

  private static func write(
    _ wanted: ConfigurationTables, over present: ConfigurationTables, into editor: inout TOMLEditor
  ) {
    let (old, new) = (present.byPath, wanted.byPath)
    for path in editor.paths where !path.isEmpty && new[path] == nil { editor.remove(path) }
    let there = Set(editor.paths)
    var last: [String: [String]] = [:]
    for table in wanted.tables {
      if there.contains(table.path) {
        let old = old[table.path]
        guard old != table else {
          if table.isMain { last[table.path[0]] = table.path }
          continue
        }
        for key in old?.keys ?? [] where table[key] == nil { editor.remove(key, in: table.path) }
        for key in table.keys {
          guard let value = table[key], value != old?[key] else { continue }
          editor.set(key, value, in: table.path)
        }
      } else {
        let main = Array(table.path.prefix(2))
        editor.add(table, behind: table.isMain ? last[table.path[0]] : main)
      }
      if table.isMain { last[table.path[0]] = table.path }
    }
    for kind in ["connector", "action"] {
      editor.arrange(wanted.tables.filter { $0.isMain && $0.path[0] == kind }.map(\.path))
    }
  }
}

extension ConfigurationTables {
  fileprivate var actionTables: [TOMLTable] { tables.filter { $0.path.first == "action" } }
}
