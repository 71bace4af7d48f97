import Foundation

/// The sanitizers that these tests may run under: see `Scripts/sanitize`.
public enum Sanitizer {
  /// Whether each access to memory by several threads is watched, which makes all of it slow.
  public static var watchesThreads: Bool { dlsym(nil, "__tsan_init") != nil }

  /// Whether each access to memory is watched.
  public static var watchesAddresses: Bool { dlsym(nil, "__asan_init") != nil }

  /// Whether any of them is there.
  public static var isOn: Bool { watchesThreads || watchesAddresses }
}
