import CGLib
import Foundation

/// A source that lets a GLib main loop run Swift's main queue, and so everything on `@MainActor`.
///
/// It is active during its lifetime, with the loop of the default context on the main thread.
struct MainQueueSource: ~Copyable {
  private let id: guint

  init() {
    let run: GUnixFDSourceFunc = { descriptor, _, _ in
      // The eventfd stays readable until its counter is taken.
      var count: UInt64 = 0
      _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
      _dispatch_main_queue_callback_4CF(nil)
      return 1  // keep watching
    }
    id = g_unix_fd_add(_dispatch_get_main_queue_handle_4CF(), G_IO_IN, run, nil)
  }

  deinit { g_source_remove(id) }
}
