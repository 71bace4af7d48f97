import Foundation

/// The sanitizers that tests may run under; see `Scripts/sanitize`.
package enum Sanitizer {
  /// True under the thread sanitizer, which makes memory accesses slow.
  package static var watchesThreads: Bool { dlsym(nil, "__tsan_init") != nil }

  /// True under the address sanitizer.
  package static var watchesAddresses: Bool { dlsym(nil, "__asan_init") != nil }

  /// True under any sanitizer.
  package static var isOn: Bool { watchesThreads || watchesAddresses }
}
