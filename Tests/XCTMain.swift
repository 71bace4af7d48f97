import Foundation
import Testing

/// The entry point of the test program.
///
/// The package manager would otherwise generate one, and search the compiler's index for tests of
/// XCTest, of which there are none: writing that index takes a third of the time of a build. With
/// this file, `--disable-index-store` works for tests as well.
@main
struct TestProgram {
  static func main() async {
    // `swift test` runs the program once for each library. XCTest has no tests here.
    guard CommandLine.arguments.contains("--testing-library") else {
      // `swift test --filter` reads a list of them first.
      if CommandLine.arguments.contains("--dump-tests-json") {
        print(#"{"name":"All tests","tests":[]}"#)
      }
      exit(EXIT_SUCCESS)
    }
    // Swift Testing starts every test at once unless told otherwise, and a thousand tests at once
    // run out of time and of descriptors. The option has to be there from the start of the program.
    let width = "--experimental-maximum-parallelization-width"
    if !CommandLine.arguments.contains(width) { restart(with: [width, "4"]) }
    await Testing.__swiftPMEntryPoint() as Never
  }

  /// Replaces the program by itself with further arguments, under a short name, because ALSA's
  /// plug-in for JACK warns of long ones. Returns if that is not possible.
  private static func restart(with arguments: [String]) {
    let all = ["tests"] + CommandLine.arguments.dropFirst() + arguments
    var pointers = all.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &pointers)
  }
}
