// Listens inside a program whose main thread belongs to a GLib main loop, as in every GTK program.
//
//   swift run GLibLoop
//
// A line that Flite speaks goes into a microphone in memory, while a GLib timer ticks on the same thread.
import CGLib
import SpeechKit

guard let loop = g_main_loop_new(nil, 0) else { fatalError("GLib has no memory for a loop") }
let queue = MainQueueSource()
let listener = Listener(loop)

let tick: GSourceFunc = { _ in
  MainActor.assumeIsolated { listener.ticks += 1 }
  return 1  // go on ticking
}
g_timeout_add(100, tick, nil)
let giveUp: GSourceFunc = { _ in
  MainActor.assumeIsolated { listener.giveUp() }
  return 0
}
g_timeout_add_seconds(30, giveUp, nil)

// No `await` at the top level: the main thread is the loop's from here to its end.
Task { await listener.run() }
g_main_loop_run(loop)
exit(listener.report())
