import Foundation

/// Strings in the form of `argv`: copies that are freed with the list.
struct CStringList: ~Copyable {
  private let storage: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

  init(_ strings: [String]) {
    storage = .allocate(capacity: strings.count + 1)
    storage.initialize(repeating: nil)
    for (index, string) in strings.enumerated() { storage[index] = strdup(string) }
  }

  deinit {
    for string in storage { free(string) }
    storage.deallocate()
  }

  var count: Int { storage.count - 1 }

  var pointer: UnsafePointer<UnsafeMutablePointer<CChar>?>? { UnsafePointer(storage.baseAddress) }

  /// The strings for functions that do not change them.
  var constantPointer: UnsafePointer<UnsafePointer<CChar>?>? {
    UnsafeRawPointer(storage.baseAddress)?.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
  }
}
