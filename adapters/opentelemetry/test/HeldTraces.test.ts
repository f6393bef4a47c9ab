import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { type HeldSpan, makeHeldTraces } from "../src/HeldTraces.js"

const bytes = 10

/** A place for four spans, and the names of those that were exported. */
const place = () => {
  const exported: Array<string> = []
  let dropped = 0
  const held = makeHeldTraces<HeldSpan>({
    maxBytes: 4 * bytes,
    release: ({ name }) => void exported.push(name),
    dropped: (count) => void (dropped += count)
  })
  const add = (trace: ReturnType<typeof held.begin>, name: string, isRoot = false) => {
    const span = Effect.runSync(Effect.makeSpan(name))
    held.add(trace, Object.assign(span, { bytes }), isRoot)
  }
  return { add, exported, held, dropped: () => dropped }
}

describe("the spans of a trace", () => {
  it("are exported at once if it was chosen", () => {
    const { add, exported, held } = place()
    const chosen = held.begin(true)
    add(chosen, "one")
    assert.deepStrictEqual(exported, ["one"])
    add(chosen, "root", true)
    add(chosen, "late")
    assert.deepStrictEqual(exported, ["one", "root", "late"])
  })

  it("wait if it was not chosen, and are exported from its first failure on", () => {
    const { add, exported, held } = place()
    const [fine, failing] = [held.begin(false), held.begin(false)]
    add(fine, "one")
    add(failing, "two")
    add(fine, "root of one", true)
    assert.deepStrictEqual(exported, [])
    failing.hasFailed = true
    add(failing, "three")
    assert.deepStrictEqual(exported, ["two", "three"])
    add(failing, "root of two", true)
    assert.deepStrictEqual(exported, ["two", "three", "root of two"])
  })

  it("are forgotten with its root if nothing has failed, but for a failure after it", () => {
    const { add, exported, held } = place()
    const fine = held.begin(false)
    add(fine, "one")
    add(fine, "root", true)
    add(fine, "late")
    fine.hasFailed = true
    add(fine, "late failure")
    assert.deepStrictEqual(exported, ["late failure"])
  })

  it("are dropped and counted beyond their room, those of the oldest trace first", () => {
    const { add, dropped, exported, held } = place()
    const [oldest, newer] = [held.begin(false), held.begin(false)]
    add(oldest, "a")
    add(oldest, "b")
    add(newer, "c")
    add(newer, "d")
    assert.strictEqual(dropped(), 0)
    add(newer, "e")
    assert.strictEqual(dropped(), 2)
    oldest.hasFailed = true
    newer.hasFailed = true
    add(oldest, "f")
    add(newer, "g")
    assert.deepStrictEqual(exported, ["f", "c", "d", "e", "g"])
  })
})
