import SpeechCommand

/// The program `speechkit`.
@main
struct CommandLineProgram {
  @MainActor
  static func main() async { await CommandLineTool.run(CommandList.all) }
}
