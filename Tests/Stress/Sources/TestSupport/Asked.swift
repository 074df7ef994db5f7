package import Plug

/// Where the request stands that failed, as the text of its error says it.
package func place(_ error: InjectorError?) -> String {
  error?.facts.requestedAt?.description ?? "nowhere"
}
