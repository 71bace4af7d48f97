import AIServices
import Foundation
import Testing

struct SendableValueTests {
  @Test func `values survive encoding and decoding`() throws {
    let value: SendableValue = [
      "text": "a", "whole": 1, "half": 0.5, "yes": true, "nothing": nil, "list": [1, "b"],
    ]
    let decoded = try JSONDecoder().decode(SendableValue.self, from: JSONEncoder().encode(value))
    #expect(decoded == value)
  }

  /// A level takes enough of the stack that a few hundred of them ended the process.
  @Test(arguments: [65, 200, 400, 510, 100_000])
  func `values nested too deep are an error and not a crash`(_ depth: Int) async {
    await #expect(processExitsWith: .success) { [depth] in
      let text =
        String(repeating: #"{"error":["#, count: depth) + "1"
        + String(repeating: "]}", count: depth)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(SendableValue.self, from: Data(text.utf8))
      }
    }
  }
}
