// The names that programs written for Apple's platforms use, so that they move over unchanged. Each
// means the platform's own recogniser or voice; on Linux those are PocketSphinx and eSpeak NG
// (Flite if the package is built without eSpeak NG).

/// The platform's own recogniser.
public typealias SFSpeechRecognizerProvider = PocketSphinxRecognitionProvider

/// The platform's own recogniser.
public typealias SpeechAnalyzerProvider = PocketSphinxRecognitionProvider

#if Espeak
/// The platform's own voice.
public typealias AppleSpeechSynthesisProvider = EspeakSynthesisProvider

/// The configuration of the platform's own voice.
public typealias AppleSpeechSynthesisConfiguration = EspeakConfiguration
#else
/// The platform's own voice.
public typealias AppleSpeechSynthesisProvider = FliteSynthesisProvider

/// The configuration of the platform's own voice.
public typealias AppleSpeechSynthesisConfiguration = FliteConfiguration
#endif
