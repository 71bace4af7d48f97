import CGLib
import Foundation
import SpeechKit

/// Recognises a line on the main actor, and counts the results and timer events while the loop
/// runs.
@MainActor
final class Listener {
  /// The number of events of GLib's timer.
  var ticks = 0
  private var results: [SpeechRecognitionResult] = []
  private let loop: OpaquePointer

  init(_ loop: OpaquePointer) {
    self.loop = loop
  }

  /// Listens to one spoken line, then ends the loop.
  func run() async {
    do {
      let engine = try await makeEngine()
      try await engine.startListening(locale: Locale(identifier: "en-US"))
      for await result in engine.results {
        print("tick \(ticks): \(result.text)\(result.isFinal ? "." : "…")")
        if g_main_loop_is_running(loop) != 0 { results.append(result) }
      }
    } catch {
      print(error.localizedDescription)
    }
    g_main_loop_quit(loop)
  }

  /// Ends the loop after a timeout.
  func stop() { g_main_loop_quit(loop) }

  /// Prints the outcome and returns the exit status.
  func report() -> Int32 {
    guard ticks > 0, results.contains(where: \.isFinal) else {
      print("The main actor got no results while GLib's loop was running.")
      return 1
    }
    print("\(results.count) results came to the main actor while GLib ticked \(ticks) times.")
    return 0
  }

  private func makeEngine() async throws -> SpeechRecognitionEngine {
    let voice = FliteEngine()
    let line = try await voice.render(
      voice.makeRequest(text: "Turn the kitchen lights on."), configuration: .default)
    let lights = """
      #JSGF V1.0; grammar lights;
      public <order> = turn the ( kitchen | hall ) lights ( on | off );
      """
    return SpeechRecognitionEngine(
      provider: PocketSphinxRecognitionProvider(
        configuration: PocketSphinxConfiguration(search: .grammar(lights)),
        input: ScriptedMicrophone(
          playing: try line.resampled(to: .recognition), clock: RealClock())))
  }
}
