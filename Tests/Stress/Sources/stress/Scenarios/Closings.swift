import Plug
import TestSupport

extension Scenario {
  /// Instances with `onClose`, made while their registration is removed or replaced, or their injector is closed.
  static let closings = Scenario("closings") { round, crew in
    var random = round.random
    let injector = Injector("closings", allowRewrite: true)
    let scope = injector.makeScope("scope")
    let made = Locked<[Product]>([])
    let tags: [Injector.Tag] = ["first", "second", "third"]
    let (delay, isReentrant, isAsynchronous) = (random.delay(), random.chance(40), random.chance(40))
    let register: @Sendable (Int, Bool, Injector) throws -> Void = { index, isScoped, injector in
      let source = Source("\(tags[index]) in \(injector)", in: injector, round)
      let make: @Sendable (Injector) throws -> Product = { injector in
        let needs = index > 0 ? [try? injector.get(Product.self, tag: tags[index - 1])].compactMap(\.self) : []
        let product = source.make(from: injector, needs: needs)
        made.withLock { $0.append(product) }
        pause(delay)
        return product
      }
      let injection = isScoped ? Injection<Product>.scoped(make) : .lazySingleton(make)
      let close: @Sendable (Product) -> Void = { product in
        product.close()
        if isReentrant { _ = try? injector.get(Product.self, tag: tags[0]) }
      }
      try injector.register(
        as: Product.self, tag: tags[index],
        injectable: isAsynchronous ? injection.onClose { product async in close(product) } : injection.onClose(close))
    }
    for index in tags.indices { try register(index, random.chance(50), injector) }
    let threads = random.number(in: 1...6)
    crew.run(
      (0..<threads).map { thread in
        var random = random.split()
        let plan = (0..<random.number(in: 1...5)).map { _ in
          Step(&random, isAlone: threads == 1, onlyGets: threads == 1 && isAsynchronous)
        }
        round.note("thread \(thread): \(plan.map(\.text).joined(separator: ", "))")
        return {
          for step in plan {
            pause(step.delay)
            let target = step.isScope ? scope : injector
            let begin = round.tick()
            let wasClosed = target.isClosed
            do throws(InjectorError) {
              switch step.kind {
              case .get:
                let product = try target.get(Product.self, tag: tags[step.index])
                round.expect(!wasClosed, "a get from the closed \(target) gave \(product)")
                round.expect(product.closedAt > begin, "a get gave \(product), which had been closed")
              case .unregister: try target.unregister(Product.self, tag: tags[step.index])
              case .replace:
                do {
                  try register(step.index, step.isScoped, target)
                } catch let error as InjectorError {
                  throw error
                } catch {
                  round.expect(false, "register threw: \(error)")
                }
              case .close: target.closeNow()
              case .closeAndWait: _ = wait { await target.close(timeout: nil).count }
              }
            } catch .closed, .notRegistered, .scopeRequired, .captiveDependency {
              continue
            } catch {
              round.expect(false, "\(step.text) threw: \(error)")
            }
          }
        }
      })
    let open = made.withLock { $0.filter { $0.timesClosed == 0 } }
    _ = wait { await scope.close(timeout: nil).count + injector.close(timeout: nil).count }
    let all = made.withLock { made in
      defer { made = [] }
      return made
    }
    // A task closes an instance that was made in a closed injector.
    for _ in 0..<5_000 where isAsynchronous && all.contains(where: { $0.timesClosed == 0 }) { sleepBriefly() }
    for product in all {
      round.expect(product.timesClosed == 1, "\(product) was closed \(product.timesClosed) times")
    }
    for level in [scope, injector] where threads == 1 && !isReentrant {
      let closed = open.filter { $0.maker == level.description }.sorted { $0.closedAt < $1.closedAt }.map(\.number)
      round.expect(closed == closed.sorted(by: >), "\(level) closed its instances in the order \(closed)")
    }
  }
}

/// One step of a thread.
private struct Step {
  enum Kind { case get, unregister, replace, close, closeAndWait }

  let kind: Kind
  let index: Int
  let isScope: Bool
  let isScoped: Bool
  let delay: Int

  /// - Parameter onlyGets: Whether a removed instance would still be open after the step.
  init(_ random: inout SplitMix64, isAlone: Bool, onlyGets: Bool) {
    let drawn = random.pick(
      Kind.get, .get, .get, .unregister, .replace, isAlone ? .get : .close, isAlone ? .get : .closeAndWait)
    kind = onlyGets ? .get : drawn
    index = random.number(in: 0...2)
    isScope = random.chance(60)
    isScoped = random.chance(50)
    delay = random.delay()
  }

  var text: String { "\(kind) \(index)\(isScope ? " in the scope" : "")" }
}
