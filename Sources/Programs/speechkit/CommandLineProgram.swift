import SpeechCommand

@main
struct CommandLineProgram {
  @MainActor
  static func main() async { await CommandLineTool.run(CommandList.all) }
}
