import Foundation

/// The arguments that the program was started with.
enum GivenArguments {
  /// Them as text.
  ///
  /// The names of files are bytes, and one that is not UTF-8 would become another name on its way through
  /// text; it is refused, so that no other file is read or written in its place.
  ///
  /// - Throws: `UsageError`.
  static func read() throws(UsageError) -> [String] {
    var texts: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      guard let text = String(validatingCString: argument) else {
        throw UsageError(
          "“\(String(cString: argument))” is not UTF-8, so it names no file here. Rename the file, or give it "
            + "as standard input or output: “-” with < or >.")
      }
      texts.append(text)
    }
    return texts
  }

  /// Looks whether names in the folder that the program runs in can be told apart, for the same reason.
  ///
  /// - Throws: `UsageError`.
  static func checkFolder() throws(UsageError) {
    guard let folder = getcwd(nil, 0) else { return }
    defer { free(folder) }
    guard String(validatingCString: folder) != nil else {
      throw UsageError(
        "The folder “\(String(cString: folder))” is not UTF-8, so no file can be named in it. Rename the folder, or "
          + "use another.")
    }
  }
}
