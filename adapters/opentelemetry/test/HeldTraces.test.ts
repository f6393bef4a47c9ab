import { Effect, Exit } from "effect"
import { assert, describe, it } from "vitest"
import { makeHeldTraces } from "../src/HeldTraces.js"

const bytes = 10

/** A place for four spans, and the names of those that were exported. */
const place = () => {
  const exported: Array<string> = []
  let dropped = 0
  const held = makeHeldTraces({
    maxBytes: 4 * bytes,
    release: ({ span: { name } }) => void exported.push(name),
    dropped: (count) => void (dropped += count)
  })
  const add = (trace: ReturnType<typeof held.begin>, name: string, isRoot = false) => {
    const span = Effect.runSync(Effect.makeSpan(name))
    held.add(trace, { span, endTime: 1n, exit: Exit.void, bytes }, isRoot)
  }
  return { add, exported, held, dropped: () => dropped }
}

describe("spans that wait for the end of their root", () => {
  it("are exported with it, in their order, if the trace was chosen or has failed", () => {
    const { add, exported, held } = place()
    const [chosen, other, failing] = [held.begin(true), held.begin(false), held.begin(false)]
    add(chosen, "one")
    add(other, "two")
    add(failing, "three")
    failing.hasFailed = true
    assert.deepStrictEqual(exported, [])
    add(chosen, "root of one", true)
    add(other, "root of two", true)
    add(failing, "root of three", true)
    assert.deepStrictEqual(exported, ["one", "root of one", "three", "root of three"])
  })

  it("follow the choice when they end after their root", () => {
    const { add, exported, held } = place()
    const [chosen, other] = [held.begin(true), held.begin(false)]
    add(chosen, "root", true)
    add(other, "other root", true)
    add(chosen, "late")
    add(other, "other late")
    assert.deepStrictEqual(exported, ["root", "late"])
    other.hasFailed = true
    add(other, "late failure")
    assert.deepStrictEqual(exported, ["root", "late", "late failure"])
  })

  it("are dropped and counted beyond their room, those of the oldest trace first", () => {
    const { add, dropped, exported, held } = place()
    const [oldest, newer] = [held.begin(true), held.begin(true)]
    add(oldest, "a")
    add(oldest, "b")
    add(newer, "c")
    add(newer, "d")
    assert.strictEqual(dropped(), 0)
    add(newer, "e")
    assert.strictEqual(dropped(), 2)
    add(oldest, "root of the oldest", true)
    add(newer, "root of the newer", true)
    assert.deepStrictEqual(exported, ["root of the oldest", "c", "d", "e", "root of the newer"])
  })

  it("are decided on at the end of the process", () => {
    const { add, exported, held } = place()
    add(held.begin(true), "open")
    add(held.begin(false), "not chosen")
    held.flush()
    assert.deepStrictEqual(exported, ["open"])
  })
})
