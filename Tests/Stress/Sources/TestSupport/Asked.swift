package import Plug

/// The location of the failed request, as the message of its error shows it.
package func place(_ error: InjectorError?) -> String {
  error?.facts.requestedAt?.description ?? "nowhere"
}
