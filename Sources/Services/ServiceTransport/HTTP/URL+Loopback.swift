import Foundation

extension URL {
  /// True if the host is spelt as this machine's own; names are not resolved.
  package var isLoopback: Bool {
    guard let host = host()?.lowercased().trimmingCharacters(in: ["[", "]"]) else { return false }
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers.allSatisfy { $0 != nil } && numbers[0] == 127
  }
}
