// Listens in a program whose main thread runs a GLib main loop, as in every GTK program.
//
//   swift run GLibLoop
//
// Flite speaks a line into a microphone in memory, while a GLib timer ticks on the same thread.
import CGLib
import SpeechKit

guard let loop = g_main_loop_new(nil, 0) else { fatalError("GLib has no memory for a loop") }
let queue = MainQueueSource()
let listener = Listener(loop)

let tick: GSourceFunc = { _ in
  MainActor.assumeIsolated { listener.ticks += 1 }
  return 1  // keep the timer
}
g_timeout_add(100, tick, nil)
let timeout: GSourceFunc = { _ in
  MainActor.assumeIsolated { listener.stop() }
  return 0
}
g_timeout_add_seconds(30, timeout, nil)

// No `await` at the top level: the main thread runs the loop until the loop ends.
Task { await listener.run() }
g_main_loop_run(loop)
exit(listener.report())
