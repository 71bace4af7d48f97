import Foundation

/// The folders for a user's files, by the XDG Base Directory Specification of freedesktop.org.
package enum BaseFolder: Sendable {
  /// Files that the user created.
  case data
  /// The user's settings.
  case configuration
  /// State that a program can do without.
  case state
  /// Files that can be created again.
  case cache

  /// The environment variable with the path, and the default path in the user's home.
  private var names: (variable: String, path: String) {
    switch self {
    case .data: ("XDG_DATA_HOME", ".local/share")
    case .configuration: ("XDG_CONFIG_HOME", ".config")
    case .state: ("XDG_STATE_HOME", ".local/state")
    case .cache: ("XDG_CACHE_HOME", ".cache")
    }
  }

  /// The path in the folder's environment variable, or the default one in the user's home; `nil`
  /// for a user without a home.
  ///
  /// An empty or relative value counts as unset.
  package func path(
    _ environment: [String: String], homeOfAccount: () -> String? = Self.homeOfAccount
  ) -> String? {
    if let path = environment[names.variable], path.hasPrefix("/") { return path }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? homeOfAccount()
    return home.map { ($0 as NSString).appendingPathComponent(names.path) }
  }

  /// The home in the system's user database, for services that are started without `HOME`.
  package static func homeOfAccount() -> String? {
    var record = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var memory = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(geteuid(), &record, &memory, memory.count, &found) == 0, found != nil,
      let home = record.pw_dir.map({ String(cString: $0) }), home.hasPrefix("/")
    else { return nil }
    return home
  }
}
