import Foundation
import SpeechActions
import SpeechDesktop
import SpeechKit
import SpokenActions

/// The options that say what an action is run on, of those commands that run or preview one.
struct ActionInputOptions: Sendable {
  static let positionals = [
    PositionalDeclaration(
      name: "ACTION", count: .optional,
      help: "The action, by its id or name; the default unless given.", hint: .nothing),
    PositionalDeclaration(
      name: "TEXT", count: .optional, help: "The text; “-” is standard input.", hint: .nothing),
  ]
  static let selection = Flag("selection", help: "The text is what is selected on the desktop.")
  static let file = ValueOption<String>(
    "file", short: "f", value: "FILE", help: "The text is in a file.", hint: .input)
  static let to = ValueOption<LanguageName>(
    "to", value: "LANG", help: "The language to answer in: es, Spanish, …",
    hint: .choices(LanguageName.common.compactMap(\.code))
  ) { text throws(UsageError) in try language(text, "to") }
  static let from = ValueOption<LanguageName>(
    "from", value: "LANG", help: "The language that the text is in."
  ) { text throws(UsageError) in try language(text, "from") }
  static let variable = ValueOption<NamedValue>(
    pair: "variable", help: "A value for a variable; may be given several times.")
  static let app = ValueOption<String>(
    "app", value: "NAME", help: "The program that the text comes from.")
  static let locale = ValueOption<String>(
    "locale", value: "LOCALE", help: "Whose ways to follow, like de_DE; yours unless given.")

  static let declarations = [
    selection.declaration, file.declaration, to.declaration, from.declaration,
    variable.declaration, app.declaration, locale.declaration,
  ]

  /// Where the text is.
  enum Source: Sendable, Equatable {
    case text(String)
    case file(String)
    case standardInput
    case selection
  }

  /// The action that was named; `nil` for the default.
  let action: String?
  let source: Source
  let target: LanguageName?
  private let origin: LanguageName?
  private let variables: [String: String]
  private let app: String?
  private let locale: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    action = arguments.positionals.first
    let text = arguments.positionals.dropFirst().first
    let named = [
      text.map { $0 == "-" ? Source.standardInput : .text($0) },
      arguments[Self.selection] ? .selection : nil,
      arguments[Self.file].map { $0 == "-" ? .standardInput : .file($0) },
    ].compactMap(\.self)
    guard named.count < 2 else {
      throw UsageError("Give one of TEXT, --file and --selection.")
    }
    guard let source = named.first ?? (isatty(STDIN_FILENO) == 1 ? nil : .standardInput) else {
      throw UsageError("There is no text: give TEXT, --file FILE, --selection, or -")
    }
    self.source = source
    target = arguments[Self.to]
    origin = arguments[Self.from]
    variables = arguments.all(Self.variable).reduce(into: [:]) { $0[$1.name] = $1.value }
    app = arguments[Self.app]
    locale = arguments[Self.locale]
  }

  private static func language(_ text: String, _ option: String) throws(UsageError) -> LanguageName
  {
    let language = LanguageName(text)
    guard !language.name.isEmpty else { throw UsageError("--\(option) takes a language.") }
    return language
  }

  /// What that action is run on.
  ///
  /// - Throws: `CommandFailure`; `DesktopError`.
  func input(for action: TextAction, desktop: DesktopText) async throws -> ActionInput {
    let text =
      switch source {
      case .text(let text): text
      case .file(let path): try await TextInput().read(path: path)
      case .standardInput: try await TextInput().readStandardInput()
      case .selection: try await desktop.selection()
      }
    guard !text.allSatisfy(\.isWhitespace) else {
      throw CommandFailure(.badData, "The text is empty.")
    }
    var input = ActionInput(
      text, sourceLanguage: origin?.name, targetLanguage: target?.name, app: app,
      variables: variables)
    if let locale { input.locale = locale }
    // Nobody's clipboard is looked at without need.
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
  /// The action of that name, or the default.
  ///
  /// - Throws: `ActionError`.
  func action(_ name: String?) throws -> TextAction {
    if let name { return try action(name) }
    guard let action = defaultAction else {
      throw ActionError.notFound("There is no active action. Take one out of the archive.")
    }
    return action
  }
}
