import Foundation

/// A shell script that tests put in the place of a program.
public enum ShellScript {
  /// Writes an executable script, and replaces an existing file.
  ///
  /// Another program writes the file. If this one did, a program that another test starts in the
  /// meantime could inherit the open file for a moment, and the system refuses to execute a file
  /// that is open for writing (“Text file busy”).
  public static func write(_ script: String, to file: URL) throws {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = [
      "-c", "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"", "sh", file.path,
      script,
    ]
    try shell.run()
    shell.waitUntilExit()
    guard shell.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
