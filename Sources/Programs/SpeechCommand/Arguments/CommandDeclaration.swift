/// The description of a command, from which parsing, help and completion come.
package struct CommandDeclaration: Sendable {
  /// The words after the name of the program; several for a command of a group.
  package var name: String
  /// One sentence without a full stop.
  package var summary: String
  /// The text of the help, with blank lines between paragraphs.
  package var discussion: String
  package var positionals: [PositionalDeclaration] = []
  package var options: [OptionDeclaration] = []
  /// Command lines with their meanings.
  package var examples: KeyValuePairs<String, String>
  /// Exit codes beyond 0, 64, 70, 74 and those of signals, with their meaning for this command.
  package var exits: [ExitStatus: String]
  /// The commands of a group.
  package var subcommands: [CommandDeclaration] = []
  /// The last word of the command of a group that runs if none is named; `nil` if one has to be.
  package var defaultCommand: String?

  package init(
    name: String, summary: String, discussion: String = "",
    examples: KeyValuePairs<String, String> = [:], exits: [ExitStatus: String] = [:]
  ) {
    (self.name, self.summary, self.discussion) = (name, summary, discussion)
    (self.examples, self.exits) = (examples, exits)
  }

  package static let help = OptionDeclaration(["--help", "-h"], help: "Show this help.")

  /// The last word of the name.
  package var word: String { name.split(separator: " ").last.map(String.init) ?? name }

  /// Itself, or the commands of the group.
  package var leaves: [CommandDeclaration] {
    subcommands.isEmpty ? [self] : subcommands.flatMap(\.leaves)
  }

  /// The paragraphs of the discussion, without line breaks.
  package var paragraphs: [String] {
    discussion.split(separator: "\n\n").map { String($0.replacing("\n", with: " ")) }
  }

  /// Its own options and those of all commands.
  package var allOptions: [OptionDeclaration] { options + [Self.help] }
}

/// An argument without a name.
package struct PositionalDeclaration: Sendable {
  package enum Count: Sendable {
    case optional
    case required
    case oneOrMore
    case zeroOrMore
  }

  package var name: String
  package var count: Count
  package var help: String
  package var hint: ValueHint = .input

  /// True if it takes all the arguments that follow.
  package var isRepeated: Bool { [.oneOrMore, .zeroOrMore].contains(count) }

  /// The form in the usage line.
  package var usage: String {
    switch count {
    case .optional: "[\(name)]"
    case .required: name
    case .oneOrMore: "\(name)…"
    case .zeroOrMore: "[\(name)…]"
    }
  }
}
