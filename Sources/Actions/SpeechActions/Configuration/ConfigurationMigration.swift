/// A step from one version of the file's form to the next.
///
/// Steps work on the text, so that comments survive them.
struct ConfigurationMigration: Sendable {
  /// The version that is written, and read as it is.
  static let currentVersion = 1

  /// The version that it starts from.
  let from: Int
  /// What is changed.
  let edit: @Sendable (inout DocumentEditor) -> Void

  /// The version of a file that names none, which a person has begun by hand. It is given one when it is
  /// written, and not before: what is wrong is told with its line in the person's file.
  static let unnamedVersion = 1

  /// The steps there are.
  static let standard: [ConfigurationMigration] = []

  /// The text in the form of the current version.
  ///
  /// - Throws: `ActionError.configuration` when it is of a later version, or none.
  static func migrated(
    _ text: String, to target: Int = currentVersion, by steps: [ConfigurationMigration] = standard
  ) throws(ActionError) -> String {
    var text = text
    while true {
      let document = ConfigurationDocument(text)
      // Faults of form are told by whoever reads it in the end.
      guard document.faults.isEmpty else { return text }
      let entry = document.tables[0].entry("version")
      var version = unnamedVersion
      if let entry {
        guard case .int(let number) = entry.value, number >= 0 else {
          throw .configuration([
            ConfigurationFault(
              line: entry.valuePlace.line, column: entry.valuePlace.column, path: "version",
              message: "The version has to be a whole number. This program writes \(target).")
          ])
        }
        guard number <= target else {
          throw .configuration([
            ConfigurationFault(
              line: entry.valuePlace.line, column: entry.valuePlace.column, path: "version",
              message:
                "The file is of version \(number), and this program knows up to \(target). Update "
                + "SpeechKit.")
          ])
        }
        version = number
      }
      guard version < target, let step = steps.first(where: { $0.from == version }) else {
        return text
      }
      var editor = DocumentEditor(document)
      step.edit(&editor)
      // A step that does not raise the version would go on for ever.
      editor.set("version", .int(version + 1), in: [])
      text = editor.text
    }
  }
}
