import CMessageFilter

/// The text that audio libraries print to standard error.
enum LibraryMessages {
  /// The beginning of PortAudio's report of a failed call, which its own thread prints when a
  /// device is lost. PortAudio offers no function that turns it off.
  ///
  /// A C string for the life of the process, because the filter keeps the pointer.
  private static let reportPrefix: StaticString = "Expression '"

  /// Removes PortAudio's reports from the process's standard error.
  static func hide() {
    reportPrefix.utf8Start.withMemoryRebound(
      to: CChar.self, capacity: reportPrefix.utf8CodeUnitCount
    ) {
      _ = message_filter_drop($0)
    }
  }
}
