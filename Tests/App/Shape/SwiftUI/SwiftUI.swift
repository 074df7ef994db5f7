// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The signatures of SwiftUI that the guide uses, with little behind them: its code then compiles without SwiftUI, too.

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}

extension App {
  public static func main() { _ = Self().body }
}

@MainActor @preconcurrency
public protocol Scene {}

@resultBuilder
public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  let content: Content

  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }
}

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("A view without a body was asked for one.") }
}

extension View {
  public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View { self }
}

@MainActor @resultBuilder
public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    TupleView((repeat each content))
  }

  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
    .first(first)
  }

  public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
    .second(second)
  }
}

public struct TupleView<Content>: View {
  init(_ content: Content) {}

  public var body: Never { fatalError("A tuple has no body.") }
}

public enum ConditionalContent<First: View, Second: View>: View {
  case first(First)
  case second(Second)

  public var body: Never { fatalError("A condition has no body.") }
}

public struct Text: View {
  public init(_ content: some StringProtocol) {}

  public var body: Never { fatalError("A text has no body.") }
}

public struct ProgressView: View {
  public init() {}

  public var body: Never { fatalError("A progress view has no body.") }
}

public struct Button<Label: View>: View {
  let label: Label

  public var body: Never { fatalError("A button has no body.") }
}

extension Button where Label == Text {
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
    label = Text(title)
  }
}

public struct VStack<Content: View>: View {
  let content: Content

  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  public var body: Never { fatalError("A stack has no body.") }
}

/// Keeps its first value, as outside of a view that is shown.
@propertyWrapper
public struct State<Value> {
  private final class Storage {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private let storage: Storage

  public init(wrappedValue value: Value) { storage = Storage(value) }

  public init(initialValue value: Value) { storage = Storage(value) }

  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }
}
