/// Converts configurations to text and back.
///
/// ```swift
/// let configuration = try ConfigurationText.configuration(in: text)
/// let shared = try ConfigurationText.text(of: configuration)
/// ```
public enum ConfigurationText {
  /// The comment at the beginning of a new file.
  static let head = """
    # Actions and connectors of SpeechKit.
    #
    # [connector.NAME] is a service: kind = "openai", "azure", "anthropic", "socket" or
    #   "on-device", url, model, credential (a name in the credential store, never a key),
    #   timeout = "20s", …
    # [action.NAME] is a task on a text: name, prompt with {{text}}, output, mode, connectors, …
    #
    # Omitted settings have their default values. Programs that change this file keep comments.

    """

  /// Reads a configuration from text.
  ///
  /// - Throws: `ActionError.configuration` with all errors and their positions.
  public static func configuration(in text: String) throws(ActionError) -> ActionConfiguration {
    try ConfigurationDecoder.configuration(in: text)
  }

  /// Returns a configuration as text, to be shared with others. It contains the names of keys, but
  /// no keys.
  ///
  /// - Throws: `ActionError.configuration` if the configuration is not valid.
  public static func text(of configuration: ActionConfiguration) throws(ActionError) -> String {
    var editor = TOMLEditor(TOMLDocument(head))
    write(ConfigurationTables(configuration), over: ConfigurationTables(), into: &editor)
    _ = try ConfigurationDecoder.configuration(in: editor.text)
    return editor.text
  }

  /// Returns the text with the changes between two configurations, and everything else preserved.
  /// The caller checks that the result is valid.
  ///
  /// - Parameters:
  ///   - text: A valid file of the current version; empty for a new one.
  ///   - present: The configuration in the text, including built-in actions.
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
    // The built-in actions are written once one of them was changed.
    let hasActions = document.tables.contains { $0.path.first == "action" }
    if !hasActions, wanted.actionTables == ConfigurationTables(ActionConfiguration()).actionTables {
      wanted.removeAll { $0.path.first == "action" }
    }
    // Built-in entries are not in the file.
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
