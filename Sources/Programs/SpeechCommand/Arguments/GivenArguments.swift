import Foundation

package enum GivenArguments {
  /// Reads the arguments as text.
  ///
  /// The names of files are bytes, and one that is not UTF-8 would become another name as text. It
  /// is refused, so that no other file is read or written in its place.
  package static func read() throws(UsageError) -> [String] {
    var texts: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      guard let text = String(validatingCString: argument) else {
        throw UsageError(
          "“\(String(cString: argument))” is not UTF-8 and cannot name a file. Rename the file, or "
            + "use it as standard input or output: “-” with < or >.")
      }
      texts.append(text)
    }
    return texts
  }

  /// Checks that the name of the working folder is UTF-8, for the same reason.
  package static func checkFolder() throws(UsageError) {
    guard let folder = getcwd(nil, 0) else { return }
    defer { free(folder) }
    guard String(validatingCString: folder) != nil else {
      throw UsageError(
        "The folder “\(String(cString: folder))” is not UTF-8, so no file in it can be named. "
          + "Rename the folder, or use another.")
    }
  }
}
