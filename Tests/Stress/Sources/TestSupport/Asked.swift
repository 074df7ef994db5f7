package import Plug

/// The place of the failed request, as the text of its error shows it.
package func place(_ error: InjectorError?) -> String {
  error?.facts.requestedAt?.description ?? "nowhere"
}
