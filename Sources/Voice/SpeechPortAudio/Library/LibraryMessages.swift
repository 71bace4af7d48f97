import CMessageFilter

/// The text that audio libraries print to standard error.
enum LibraryMessages {
  /// The beginnings of messages that no function of the libraries turns off: PortAudio's report of
  /// a failed call, which its own thread prints when a device is lost, and the warning of ALSA's
  /// plug-in for JACK about programs with long names.
  ///
  /// C strings for the life of the process, because the filter keeps the pointers.
  private static let prefixes: [StaticString] = ["Expression '", "snd_pcm_jack_open: WARNING"]

  private static let filter: Void = {
    for prefix in prefixes {
      prefix.utf8Start.withMemoryRebound(to: CChar.self, capacity: prefix.utf8CodeUnitCount) {
        _ = message_filter_drop($0)
      }
    }
  }()

  /// Removes these messages from the process's standard error, once.
  static func hide() { filter }
}
