import Foundation
import SpeechCore
import Testing

@MainActor
struct MockSpeechRecognitionProviderTests {
  private let mock = MockSpeechRecognitionProvider()

  @Test(arguments: [SpeechAuthorizationStatus.denied, .restricted])
  func `it does not listen without permission`(status: SpeechAuthorizationStatus) async throws {
    mock.authorizationStatusToReturn = status
    await #expect(throws: SpeechRecognitionError.notAuthorized) {
      try await mock.startListening(locale: .current)
    }
    _ = await mock.requestAuthorization()
    await #expect(throws: SpeechRecognitionError.notAuthorized) {
      try await mock.startListening(locale: .current)
    }
    #expect(!mock.isListening)
    #expect(mock.startListeningCallCount == 2)
    mock.authorizationStatus = .authorized
    try await mock.startListening(locale: .current)
    #expect(mock.isListening)
  }
}
