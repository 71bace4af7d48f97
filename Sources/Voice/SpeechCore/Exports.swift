// `Broadcast` is what a provider of one's own needs beside the protocols of this module.
@_exported import SpeechConcurrency
