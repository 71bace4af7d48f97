#if Cloud
import Foundation
import SpeechActions
import SpeechCommand
import SpeechDesktop
import SpeechText
import SpokenActions

struct ActionInputOptions: OptionGroup {
  @Argument("ACTION", help: "The action, by its id or name; the default action unless given.")
  var action: String?
  @Argument("TEXT", help: "The text; “-” is standard input.") var text: String?
  @Flag("--selection", help: "Use the text that is selected on the desktop.") var usesSelection
  @Option("--file", "-f", as: .text("FILE", .input), help: "A file with the text.")
  var file: String?
  @Option(
    "--to", as: .language(choices: LanguageName.common.compactMap(\.code)),
    help: "The target language: es, Spanish, …")
  var target: LanguageName?
  @Option("--from", as: .language(), help: "The language of the text.") var origin: LanguageName?
  @Option("--variable", as: .pair, help: "A value for a variable. May be repeated.")
  var variables: [NamedValue]
  @Option("--app", as: .text("NAME"), help: "The program that the text comes from.")
  var app: String?
  @Option("--locale", as: .text("LOCALE"), help: "The locale, like de_DE; the user's unless given.")
  var locale: String?

  /// The origin of the text.
  enum Source: Sendable, Equatable {
    case given(TextSource)
    case selection
  }

  private var sources: [Source] {
    [
      text.map(Self.source), usesSelection ? .selection : nil,
      file.map { .given(TextSource(path: $0)) },
    ].compactMap(\.self)
  }

  private static func source(_ text: String) -> Source {
    .given(text == "-" ? .standardInput : .text(text))
  }

  func validate() throws {
    guard sources.count < 2 else {
      throw UsageError("Give one of TEXT, --file and --selection.")
    }
    guard action != nil || !sources.isEmpty || isatty(STDIN_FILENO) == 0 else {
      throw Self.missingText
    }
  }

  private static let missingText = UsageError(
    "There is no text: give TEXT, --file FILE, --selection, or -")

  /// Returns the action, and the origin of its text. A single argument without another text is the
  /// action if it names one, and otherwise the text of the default action.
  ///
  /// - Throws: `ActionError.notFound` for a name that resembles an action's.
  func chosen(in library: ActionLibrary) throws -> (action: TextAction, source: Source) {
    if let source = sources.first { return (try library.action(action), source) }
    if action == "-" { return (try library.action(nil), .given(.standardInput)) }
    let names = library.all.flatMap { [$0.id, $0.name] }
    if let action, NearestName.of(action, among: names) == nil {
      return (try library.action(nil), .given(.text(action)))
    }
    guard isatty(STDIN_FILENO) == 0 else { throw Self.missingText }
    return (try library.action(action), .given(.standardInput))
  }

  /// Returns the input of an action.
  func input(
    from source: Source, for action: TextAction, desktop: DesktopText
  ) async throws -> ActionInput {
    let text =
      switch source {
      case .given(let source): try await TextInput().read(source)
      case .selection: try await desktop.selection()
      }
    guard !text.allSatisfy(\.isWhitespace) else {
      throw CommandFailure(.badData, "The text is empty. Give some text.")
    }
    let variables = variables.reduce(into: [:]) { $0[$1.name] = $1.value }
    var input = ActionInput(
      text, sourceLanguage: origin?.name, targetLanguage: target?.name, app: app,
      variables: variables)
    if let locale { input.locale = locale }
    // The clipboard is read only if the template uses it.
    let asksForClipboard = [action.prompt, action.system].contains { source in
      (try? PromptTemplate(source).variables.contains("clipboard")) == true
    }
    if asksForClipboard, variables["clipboard"] == nil {
      do {
        input.clipboard = try await desktop.clipboard()
      } catch DesktopError.nothingSelected {
        input.clipboard = nil
      }
    }
    return input
  }
}

extension ActionLibrary {
  /// Returns the action with a name, or the default action.
  func action(_ name: String?) throws -> TextAction {
    if let name { return try action(name) }
    guard let action = defaultAction else {
      throw ActionError.notFound(
        "There is no active action. Restore one: speechkit actions archive NAME --restore")
    }
    return action
  }
}

extension ValueFormat where Value == LanguageName {
  /// A language, by its code or name.
  static func language(choices: [String] = []) -> Self {
    Self("LANG", choices.isEmpty ? .nothing : .choices(choices)) {
      text, option in
      let language = LanguageName(text)
      guard !language.name.isEmpty else { throw UsageError("\(option) takes a language.") }
      return language
    }
  }
}
#endif
