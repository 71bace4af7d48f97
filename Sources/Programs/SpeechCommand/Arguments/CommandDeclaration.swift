/// The description of a command, from which parsing, help and completion come.
struct CommandDeclaration: Sendable {
  /// The words after the name of the program; several for a command of a group.
  var name: String
  /// One sentence without a full stop.
  var summary: String
  /// The text of the help, with blank lines between paragraphs.
  var discussion = ""
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

  static let help = OptionDeclaration(["--help", "-h"], help: "Show this help.")

  /// The last word of the name.
  var word: String { name.split(separator: " ").last.map(String.init) ?? name }

  /// Itself, or the commands of the group.
  var leaves: [CommandDeclaration] {
    subcommands.isEmpty ? [self] : subcommands.flatMap(\.leaves)
  }

  /// The paragraphs of the discussion, without line breaks.
  var paragraphs: [String] {
    discussion.split(separator: "\n\n").map { String($0.replacing("\n", with: " ")) }
  }

  /// Its own options and those of all commands.
  var allOptions: [OptionDeclaration] { options + [Self.help] }
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
