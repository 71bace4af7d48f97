/// The description of a command, from which parsing, help and completion come.
struct CommandDeclaration: Sendable {
  /// The words after the name of the program; several for a command of a group.
  var name: String
  /// One sentence without a full stop.
  var summary: String
  /// The paragraphs of its help.
  var discussion: [String]
  var positionals: [PositionalDeclaration] = []
  var options: [OptionDeclaration] = []
  var examples: [Example] = []
  /// Exit codes beyond 0, 64, 70, 74 and those of signals, with their meaning for this command.
  var exits: [(status: ExitStatus, meaning: String)] = []
  /// The commands of a group.
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

  /// The last word of the name.
  var word: String { name.split(separator: " ").last.map(String.init) ?? name }

  /// Itself, or the commands of the group.
  var leaves: [CommandDeclaration] {
    subcommands.isEmpty ? [self] : subcommands.flatMap(\.leaves)
  }

  /// Its own options and those of all commands.
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

  /// True if it takes all the arguments that follow.
  var isRepeated: Bool { [.oneOrMore, .zeroOrMore].contains(count) }

  /// The form in the usage line.
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

  /// Takes its values from the arguments.
  init(_ arguments: ParsedArguments) throws

  /// Runs the command. Its task is cancelled by Ctrl-C; it then finishes what it began and returns.
  @MainActor func run(on terminal: Terminal) async throws
}

extension CommandDeclaration {
  /// - Parameter discussion: Paragraphs with blank lines between them.
  init(
    name: String, summary: String, discussion: String = "", examples: [Example] = [],
    exits: [(status: ExitStatus, meaning: String)] = []
  ) {
    let paragraphs = discussion.split(separator: "\n\n").map {
      String($0.replacing("\n", with: " "))
    }
    self.init(
      name: name, summary: summary, discussion: paragraphs, examples: examples, exits: exits)
  }
}

extension Command {
  /// The command with the values of that command line.
  ///
  /// - Throws: `UsageError`.
  static func parse(_ arguments: some Collection<String>) throws -> Self {
    try Self(ArgumentParser.parse(arguments, for: declaration))
  }
}
