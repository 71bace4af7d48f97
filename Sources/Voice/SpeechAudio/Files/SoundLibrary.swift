import CSndFile
import Foundation

/// The only user of libsndfile's functions to open files.
enum SoundLibrary {
  /// libsndfile keeps the reason of a failed opening in one place for the whole process, and
  /// prepares its MP3 decoder on first use.
  private static let opening = NSLock()

  /// Opens audio whose bytes go through callbacks with that address.
  ///
  /// - Throws: `AudioError` of that kind, with the library's message.
  static func open(
    _ mode: Int, _ callbacks: SF_VIRTUAL_IO, _ address: UnsafeMutableRawPointer,
    _ description: inout SF_INFO, orThrow failure: (_ reason: String) -> AudioError
  ) throws(AudioError) -> OpaquePointer {
    opening.lock()
    defer { opening.unlock() }
    var callbacks = callbacks
    guard let handle = sf_open_virtual(&callbacks, Int32(mode), &description, address) else {
      throw failure(words(sf_strerror(nil)))
    }
    return handle
  }

  /// The message of libsndfile, without a period at its end.
  static func words(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "no reason given" }
    return String(String(cString: message).trimmingPrefix("Error : "))
      .trimmingCharacters(in: CharacterSet(charactersIn: " .\n"))
  }
}
