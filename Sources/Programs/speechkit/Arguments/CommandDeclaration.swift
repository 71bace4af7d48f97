/// All there is to say about a command; parsing, help and completion come from it.
struct CommandDeclaration: Sendable {
  /// What is typed after the program's name; of several words for a command of a group.
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
  /// The commands of a group, which has nothing else.
  var subcommands: [CommandDeclaration] = []

  struct Example: Sendable {
    var line: String
    var meaning: String

    init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  static let help = Flag("help", short: "h", help: "Show this help.")

  /// The word that is typed for it in its group, or among all commands.
  var word: String { name.split(separator: " ").last.map(String.init) ?? name }

  /// Itself, or the commands of the group.
  var leaves: [CommandDeclaration] {
    subcommands.isEmpty ? [self] : subcommands.flatMap(\.leaves)
  }

  /// Its own options and those that all commands have.
  var allOptions: [OptionDeclaration] { options + [Self.help.declaration] }
}

/// An argument without a name.
struct PositionalDeclaration: Sendable {
  enum Count: Sendable {
    case optional
    case required
    case oneOrMore
    case zeroOrMore
  }

  var name: String
  var count: Count
  var help: String
  var hint: ValueHint = .input

  /// Whether it stands for an argument and all that follow.
  var isRepeated: Bool { [.oneOrMore, .zeroOrMore].contains(count) }

  /// How the usage line shows it.
  var usage: String {
    switch count {
    case .optional: "[\(name)]"
    case .required: name
    case .oneOrMore: "\(name)…"
    case .zeroOrMore: "[\(name)…]"
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

extension Command {
  /// The command with the values of that command line.
  ///
  /// - Throws: `UsageError`.
  static func parse(_ arguments: some Collection<String>) throws -> Self {
    try Self(ArgumentParser.parse(arguments, for: declaration))
  }
}
