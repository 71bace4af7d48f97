/// All there is to say about a command; parsing, help and completion come from it.
struct CommandDeclaration: Sendable {
  var name: String
  /// One line, without a full stop.
  var summary: String
  /// What it does, a paragraph each.
  var discussion: [String]
  var positionals: [PositionalDeclaration] = []
  var options: [OptionDeclaration] = []
  var examples: [Example] = []
  /// What it may end with beyond 0, 64, 70, 74 and the signals, and what that means here.
  var exits: [(status: ExitStatus, meaning: String)] = []

  struct Example: Sendable {
    var line: String
    var meaning: String

    init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  static let help = Flag("help", short: "h", help: "Show this help.")

  /// Its own options and those that all commands have.
  var allOptions: [OptionDeclaration] { options + [Self.help.declaration] }
}

/// An argument without a name.
struct PositionalDeclaration: Sendable {
  enum Count: Sendable {
    case optional
    case required
    case oneOrMore
  }

  var name: String
  var count: Count
  var help: String
  var hint: CompletionHint = .files

  /// How the usage line shows it.
  var usage: String {
    switch count {
    case .optional: "[\(name)]"
    case .required: name
    case .oneOrMore: "\(name)…"
    }
  }
}

/// Something that `speechkit` can do.
protocol Command: Sendable {
  static var declaration: CommandDeclaration { get }

  /// Takes what it needs out of the arguments.
  init(_ arguments: ParsedArguments) throws

  /// Does it. Cancelled when somebody presses Ctrl-C: it then ends what it has begun and returns.
  @MainActor func run(on terminal: Terminal) async throws
}
