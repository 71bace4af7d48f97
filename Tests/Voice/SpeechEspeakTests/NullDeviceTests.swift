#if Espeak
import CEspeakNullDevice
import SpeechCore
import SpeechEspeak
import Testing

struct NullDeviceTests {
  @Test func `the library is given no sound device`() async throws {
    _ = try await speak("one", voice: "en")
    // Zero would mean that libpcaudio's function was called instead, which connects to the sound
    // server.
    #expect(espeak_null_device_requests() > 0)
  }
}
#endif
