import Foundation

/// Where programs of a user keep their data, by the rules of the freedesktop.org base directories.
package enum DataHome {
  /// `$XDG_DATA_HOME`, or else `~/.local/share`; `nil` for a user without a home. An empty or relative value
  /// counts as none.
  package static func path(
    _ environment: [String: String], homeOfAccount: () -> String? = homeOfAccount
  ) -> String? {
    if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") { return path }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? homeOfAccount()
    return home.map { ($0 as NSString).appendingPathComponent(".local/share") }
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
