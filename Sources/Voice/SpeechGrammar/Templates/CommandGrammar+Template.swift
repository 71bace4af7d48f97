import Foundation

/// Grammars as files of templates.
///
/// ```
/// # Lights and alarms.                        From “#” on a line is a comment.
/// grammar: home
/// language: en
///
/// intent switch_light:                        # An intent, and its sentences, one in each line.
///   [<polite>] turn {state} [the] {room} (light | lights)
///   /3/ lights {state}                        # Three times as likely as others.
///
/// intent wake_me: wake me at {time}           # Or after the colon.
/// intent dial: dial {digit: number 0..9}*3..8 # Three to eight times; also *, + and *4.
///
/// rule polite: please | would you kindly      # For use in sentences as <polite>.
///
/// slot state: on | off                        # For use in sentences as {state}.
///
/// slot room:                                  # How a value is said, and its code.
///   kitchen
///   living room -> living_room
///   bath [room] -> bathroom
///
/// slot level: number 0 to 100                 # Or time, date, duration, ordinal 1 to 31.
/// ```
///
/// A slot is named as its values are, or by a name of its own: `{from: room}`. `number`, `ordinal`,
/// `time`, `date` and `duration` need no section.
extension CommandGrammar {
  /// Parses templates, and checks the grammar.
  ///
  /// - Parameters:
  ///   - template: the text of the file.
  ///   - file: its name, for messages.
  ///   - languages: the languages that the file may name; the first one is the default.
  /// - Throws: `CommandGrammarError` with all errors and their positions.
  public init(
    template: String, file: String? = nil, languages: [GrammarLanguage] = [.english]
  ) throws(CommandGrammarError) {
    self = try TemplateReader.grammar(template, file: file, languages: languages)
  }

  /// Reads a file: JSGF if its name ends in `.jsgf` or `.gram`, otherwise templates.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - folders: folders of JSGF grammars that it may import, besides its own.
  ///   - languages: the languages that templates may name; the first one is the default.
  /// - Throws: `CommandGrammarError` with all errors and their positions.
  public init(
    contentsOf url: URL, importingFrom folders: [URL] = [],
    languages: [GrammarLanguage] = [.english]
  ) throws(CommandGrammarError) {
    let isJSGF = ["jsgf", "gram"].contains(url.pathExtension.lowercased())
    let name = url.lastPathComponent
    let text: String
    do throws(JSGFError) {
      if isJSGF {
        self.init(try JSGFGrammar(contentsOf: url, importingFrom: folders))
        return
      }
      text = try JSGFSource.text(of: url)
    } catch {
      var diagnostic = error
      diagnostic.file = error.file ?? name
      throw CommandGrammarError([diagnostic])
    }
    try self.init(template: text, file: name, languages: languages)
  }
}
