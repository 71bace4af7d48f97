import Foundation

/// The sanitizers that these tests may run under: see `Scripts/sanitize`.
package enum Sanitizer {
  /// Whether each access to memory by several threads is watched, which makes all of it slow.
  package static var watchesThreads: Bool { dlsym(nil, "__tsan_init") != nil }

  /// Whether each access to memory is watched.
  package static var watchesAddresses: Bool { dlsym(nil, "__asan_init") != nil }

  /// Whether any of them is there.
  package static var isOn: Bool { watchesThreads || watchesAddresses }
}
