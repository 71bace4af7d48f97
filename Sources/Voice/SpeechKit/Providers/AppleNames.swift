// The names that programs written for Apple's platforms use, so that they move over unchanged. Each
// means the platform's own recogniser or voice; on Linux those are PocketSphinx and eSpeak NG.

/// The platform's own recogniser.
public typealias SFSpeechRecognizerProvider = PocketSphinxRecognitionProvider

/// The platform's own recogniser.
public typealias SpeechAnalyzerProvider = PocketSphinxRecognitionProvider

/// The platform's own voice.
public typealias AppleSpeechSynthesisProvider = EspeakSynthesisProvider

/// How the platform's own voice speaks.
public typealias AppleSpeechSynthesisConfiguration = EspeakConfiguration
