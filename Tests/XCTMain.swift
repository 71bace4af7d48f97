import Foundation
import Testing

/// The entry point of the test program.
///
/// The package manager would otherwise generate one, and search the compiler's index for tests of
/// XCTest, of which there are none: writing that index takes a third of the time of a build. With this
/// file, `--disable-index-store` works for tests as well.
@main
struct TestProgram {
  static func main() async {
    // `swift test` runs the program once for each library. XCTest has no tests here.
    guard CommandLine.arguments.contains("--testing-library") else { exit(EXIT_SUCCESS) }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
