import { assert, describe, it } from "@effect/vitest"
import { EventQueue, PriorityQueue, type QueueEntry } from "@trunkline/kernel"
import { FastCheck } from "effect"

const drain = <A>(heap: EventQueue<A>) => {
  const values: Array<A> = []
  for (let event = heap.pop(); event !== undefined; event = heap.pop()) values.push(event.value)
  return values
}

describe("EventHeap", () => {
  it("starts empty", () => {
    const heap = EventQueue.make<string>()
    assert.strictEqual(heap.size, 0)
    assert.isUndefined(heap.peek())
    assert.isUndefined(heap.pop())
  })

  it("removes an event once, and not after it was taken out", () => {
    const heap = EventQueue.make<string>()
    const removeA = heap.add(1, "a")
    const removeB = heap.add(2, "b")
    assert.strictEqual(heap.peek()?.value, "a")
    assert.isTrue(removeA())
    assert.isFalse(removeA())
    assert.strictEqual(heap.pop()?.value, "b")
    assert.isFalse(removeB())
    assert.strictEqual(heap.size, 0)
  })

  it.prop("returns remaining events by time and then in order of adding", [
    FastCheck.array(
      FastCheck.record({ time: FastCheck.nat(20), removed: FastCheck.boolean(), order: FastCheck.nat() }),
      {
        maxLength: 200
      }
    )
  ], ([events]) => {
    const heap = EventQueue.make<number>()
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

interface Entry extends QueueEntry {
  due: number
}

describe("PriorityQueue", () => {
  it("takes an entry back in a new place after it was removed", () => {
    const queue = new PriorityQueue<Entry>((a, b) => a.due < b.due)
    const [a, b, c]: [Entry, Entry, Entry] = [{ due: 0, index: -1 }, { due: 1, index: -1 }, { due: 2, index: -1 }]
    for (const entry of [c, a, b]) queue.add(entry)
    assert.sameMembers([...queue], [a, b, c])
    assert.isTrue(queue.remove(a))
    assert.isFalse(queue.remove(a))
    assert.strictEqual(a.index, -1)
    a.due = 5
    queue.add(a)
    assert.deepStrictEqual([queue.pop(), queue.pop(), queue.pop(), queue.pop()], [b, c, a, undefined])
  })
})
