// swift-format-ignore-file
// The text of the specification, as it is printed there: the use of the service in an app.
import AIServices
import Foundation
import LLMSocket

enum PrintedChat {
/// Replaces the service's printed address by that of a test.
@TaskLocal static var configuration: LLMConfiguration?

static func LLMService() -> LLMSocket.LLMService {
    configuration.map { LLMSocket.LLMService($0) } ?? LLMSocket.LLMService()
}

class ChatViewController: UIViewController {
    let llmService = LLMService()
    
    func sendMessage(_ prompt: String) {
        // Show loading indicator
        showLoading()
        
        // Generate response using default model
        llmService.generateText(prompt) { [weak self] result in
            DispatchQueue.main.async {
                self?.hideLoading()
                
                switch result {
                case .success(let content):
                    self?.displayMessage(content)
                    
                case .failure(let error):
                    self?.showError(error.localizedDescription)
                }
            }
        }
    }
    
    func sendMessageWithCustomModel(_ prompt: String) {
        llmService.generateText(prompt, model: "gpt-4") { result in
            // Handle result...
        }
    }
}
}

/// The parts of an app around it: on the main actor, as in UIKit.
@MainActor class UIViewController {
    let shown: AsyncStream<String>
    private let show: AsyncStream<String>.Continuation

    init() { (shown, show) = AsyncStream.makeStream() }

    func showLoading() { show.yield("loading") }
    func hideLoading() { show.yield("loaded") }
    func displayMessage(_ text: String) { show.yield("message \(text)") }
    func showError(_ text: String) { show.yield("error \(text)") }
}
