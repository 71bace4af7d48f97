/// A responder that passes turns on to another.
package protocol RelayingResponder: Responder {
  /// The responder that receives the turns.
  var target: any Responder { get }
}

extension Responder {
  /// The name under which calls of the responder are reported: its type, or the type of its target.
  package var handlerName: String {
    (self as? any RelayingResponder)?.target.handlerName ?? "\(type(of: self))"
  }
}
