import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads a page as XML, which is stricter than any browser.
package final class PageReader: NSObject, XMLParserDelegate {
  package private(set) var elements: Set<String> = []
  package private(set) var ids: Set<String> = []
  package private(set) var links: [String] = []
  package private(set) var text = ""
  package private(set) var regions = 0
  package private(set) var namedRegions = 0
  package private(set) var problem: String?

  package init(_ page: String) throws {
    super.init()
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = self
    if !parser.parse() {
      problem = "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "")"
    }
  }

  package func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements.insert(name)
    if let id = attributes["id"] { ids.insert(id) }
    if name == "a", let link = attributes["href"] { links.append(link) }
    if attributes["tabindex"] == "0" { regions += 1 }
    if attributes["role"] == "region", attributes["aria-label"]?.isEmpty == false {
      namedRegions += 1
    }
  }

  package func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
