import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Equal, Tracer } from "effect"
import { spanContext } from "../../src/fast/SpanContext.js"

class One extends Context.Tag("test/One")<One, number>() {}
class Two extends Context.Tag("test/Two")<Two, number>() {}

const spanOf = (spanId: string) => Tracer.externalSpan({ spanId, traceId: "trace" })
const services = Context.make(One, 1).pipe(Context.add(Two, 2))
const entriesOf = ({ unsafeMap }: Context.Context<never>) => [...unsafeMap].toSorted(([a], [b]) => a.localeCompare(b))

describe("the context of a span", () => {
  const [outer, inner] = [spanOf("outer"), spanOf("inner")]
  const plain = services.pipe(Context.add(Tracer.ParentSpan, outer), Context.add(Tracer.ParentSpan, inner))
  const spanned = spanContext(spanContext(services, outer), inner)

  it("has the services and the innermost span, as one that is copied", () => {
    assert.strictEqual(Context.get(spanned, One), 1)
    assert.strictEqual(spanned.unsafeMap.get(Tracer.ParentSpan.key), inner)
    assert.isTrue(spanned.unsafeMap.has(Two.key))
    assert.isFalse(spanned.unsafeMap.has("test/Three"))
    assert.strictEqual(spanned.unsafeMap.size, plain.unsafeMap.size)
    assert.deepStrictEqual(entriesOf(spanned), entriesOf(plain))
    assert.sameMembers([...spanned.unsafeMap.keys()], [...plain.unsafeMap.keys()])
    assert.sameMembers([...spanned.unsafeMap.values()], [...plain.unsafeMap.values()])
    const keys: Array<string> = []
    spanned.unsafeMap.forEach((_, key) => keys.push(key))
    assert.sameMembers(keys, [...plain.unsafeMap.keys()])
  })

  it("can be added to, merged and picked from", () => {
    const three = Context.add(spanned, One, 3)
    assert.strictEqual(Context.get(three, One), 3)
    assert.strictEqual(three.unsafeMap.get(Tracer.ParentSpan.key), inner)
    assert.strictEqual(Context.get(Context.merge(Context.make(One, 4), spanned), One), 1)
    assert.deepStrictEqual(entriesOf(Context.pick(Two)(spanned)), entriesOf(Context.make(Two, 2)))
    const rest = Context.pick(One, Two)(spanned)
    assert.isFalse(rest.unsafeMap.has(Tracer.ParentSpan.key))
  })

  it("equals only itself", () => {
    assert.isTrue(Equal.equals(spanned, spanned))
    assert.isFalse(Equal.equals(spanned, spanContext(services, inner)))
    assert.isFalse(Equal.equals(spanned, plain))
    assert.isFalse(Equal.equals(plain, spanned))
  })

  it.effect("replaces a span of its base, and comes over a fork and a join", () =>
    Effect.gen(function*() {
      const replaced = spanContext(Context.add(services, Tracer.ParentSpan, outer), inner)
      assert.deepStrictEqual(entriesOf(replaced), entriesOf(plain))
      const work = Effect.all([One, Effect.currentParentSpan])
      const forked = Effect.flatMap(Effect.fork(Effect.provideService(work, One, 5)), (fiber) =>
        Effect.all([fiber, work]))
      assert.deepStrictEqual(yield* Effect.provide(forked, replaced), [[5, inner], [1, inner]])
    }))
})
