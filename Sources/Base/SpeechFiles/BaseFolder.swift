import Foundation

/// Where programs of a user keep what is theirs, by the rules of the freedesktop.org base directories.
package enum BaseFolder: Sendable {
  /// What the user made.
  case data
  /// What the user set.
  case configuration
  /// What a program remembers and can do without.
  case state

  private var variable: String {
    switch self {
    case .data: "XDG_DATA_HOME"
    case .configuration: "XDG_CONFIG_HOME"
    case .state: "XDG_STATE_HOME"
    }
  }

  private var usual: String {
    switch self {
    case .data: ".local/share"
    case .configuration: ".config"
    case .state: ".local/state"
    }
  }
  /// What its variable says, or else the usual place in the user's home; `nil` for a user without a home. An
  /// empty or relative value counts as none.
  package func path(
    _ environment: [String: String], homeOfAccount: () -> String? = Self.homeOfAccount
  ) -> String? {
    if let path = environment[variable], path.hasPrefix("/") { return path }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? homeOfAccount()
    return home.map { ($0 as NSString).appendingPathComponent(usual) }
  }

  /// The home that the system's list of users names, for services that are started without `HOME`.
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
