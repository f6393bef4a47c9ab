import { assert, describe, it } from "@effect/vitest"
import { EventHeap } from "@trunkline/kernel"
import { FastCheck } from "effect"

const drain = <A>(heap: EventHeap<A>) => {
  const values: Array<A> = []
  for (let event = heap.pop(); event !== undefined; event = heap.pop()) values.push(event.value)
  return values
}

describe("EventHeap", () => {
  it("is empty at first", () => {
    const heap = EventHeap.make<string>()
    assert.strictEqual(heap.size, 0)
    assert.isUndefined(heap.peek())
    assert.isUndefined(heap.pop())
  })

  it("removes an event once, and not after it was taken", () => {
    const heap = EventHeap.make<string>()
    const removeA = heap.add(1, "a")
    const removeB = heap.add(2, "b")
    assert.strictEqual(heap.peek()?.value, "a")
    assert.isTrue(removeA())
    assert.isFalse(removeA())
    assert.strictEqual(heap.pop()?.value, "b")
    assert.isFalse(removeB())
    assert.strictEqual(heap.size, 0)
  })

  it.prop("gives what was not removed by time and then by adding", [
    FastCheck.array(
      FastCheck.record({ time: FastCheck.nat(20), removed: FastCheck.boolean(), order: FastCheck.nat() }),
      {
        maxLength: 200
      }
    )
  ], ([events]) => {
    const heap = EventHeap.make<number>()
    const removals = events.map(({ time }, index) => ({ index, remove: heap.add(time, index) }))
    removals
      .filter(({ index }) => events[index]?.removed)
      .sort((a, b) => (events[a.index]?.order ?? 0) - (events[b.index]?.order ?? 0))
      .forEach(({ remove }) => assert.isTrue(remove()))
    const expected = events
      .map((event, index) => ({ ...event, index }))
      .filter(({ removed }) => !removed)
      .sort((a, b) => a.time - b.time || a.index - b.index)
      .map(({ index }) => index)
    assert.strictEqual(heap.size, expected.length)
    assert.deepStrictEqual(drain(heap), expected)
  })
})
