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
    write(configuration.tables, over: [], into: &editor)
    _ = try ConfigurationDecoder.configuration(in: editor.text)
    return editor.text
  }

  /// Returns a valid file, or an empty one, with the changes between two configurations, and
  /// everything else preserved. The caller checks that the result is valid.
  static func edited(
    _ text: String, from present: ActionConfiguration, to wanted: ActionConfiguration
  ) -> String {
    guard wanted != present || text.isEmpty else { return text }
    let document = TOMLDocument(text.isEmpty ? head : text)
    var editor = TOMLEditor(document)
    if document.tables[0].entry("version") == nil {
      editor.set("version", .int(ConfigurationDecoder.version), in: [])
    }
    // The built-in actions are written once one of them was changed.
    let hasActions = document.tables.contains { $0.path.first == "action" }
    let isBuiltIn = !hasActions && wanted.actions.all == ActionLibrary.builtIn.all
    write(
      wanted.tables.filter { !isBuiltIn || $0.path.first != "action" },
      // Built-in entries are not in the file.
      over: present.tables.filter { document.table($0.path) != nil }, into: &editor)
    return editor.text
  }

  private static func write(
    _ wanted: [TOMLTable], over present: [TOMLTable],
    into editor: inout TOMLEditor
  ) {
    let old = Dictionary(present.map { ($0.path, $0) }) { $1 }
    let new = Set(wanted.map(\.path))
    for path in editor.paths where !path.isEmpty && !new.contains(path) { editor.remove(path) }
    let there = Set(editor.paths)
    var last: [String: [String]] = [:]
    for table in wanted {
      if !there.contains(table.path) {
        let main = Array(table.path.prefix(2))
        editor.add(table, behind: table.isMain ? last[table.path[0]] : main)
      } else if old[table.path] != table {
        let old = old[table.path]
        for entry in old?.entries ?? [] where table[entry.key] == nil {
          editor.remove(entry.key, in: table.path)
        }
        for entry in table.entries where entry.value != old?[entry.key] {
          editor.set(entry.key, entry.value, in: table.path)
        }
      }
      if table.isMain { last[table.path[0]] = table.path }
    }
    for kind in ["connector", "action"] {
      editor.arrange(wanted.filter { $0.isMain && $0.path[0] == kind }.map(\.path))
    }
  }
}
