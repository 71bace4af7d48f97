import Foundation

exit(await BenchmarkProgram(arguments: Array(CommandLine.arguments.dropFirst())).run())
