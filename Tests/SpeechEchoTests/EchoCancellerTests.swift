import SpeechAudio
import SpeechEcho
import Testing

@Suite struct EchoCancellerTests {
}
