import { assert, describe, it } from "@effect/vitest"
import { makePlayout } from "@trunkline/audio"
import { FastCheck } from "effect"

const ramp = (length: number, from: number) => Float32Array.from({ length }, (_, at) => from + at)

/** Samples and marks in one list, which is easy to see through. */
const naive = () => {
  let queue: Array<number | { readonly mark: number }> = []
  let position = 0
  return {
    enqueue: (samples: Float32Array, mark?: number) => {
      queue = [...queue, ...samples, ...(mark === undefined ? [] : [{ mark }])]
    },
    next: (length: number) => {
      const frame = Array<number>(length).fill(0)
      const marks: Array<number> = []
      let filled = 0
      while (queue[0] !== undefined && (filled < length || typeof queue[0] === "object")) {
        const entry = queue.shift()
        if (typeof entry === "object") marks.push(entry.mark)
        else {
          frame[filled] = entry ?? 0
          filled += 1
        }
      }
      position += filled
      return { frame, marks }
    },
    clear: () => {
      const start = position
      queue = []
      position = 0
      return start
    },
    position: () => position,
    remaining: () => queue.filter((entry) => typeof entry === "number").length
  }
}

const action = FastCheck.oneof(
  FastCheck.record({
    kind: FastCheck.constant("enqueue" as const),
    length: FastCheck.nat(50),
    mark: FastCheck.option(FastCheck.nat(3), { nil: undefined })
  }),
  FastCheck.record({ kind: FastCheck.constant("next" as const), length: FastCheck.nat(30) }),
  FastCheck.record({ kind: FastCheck.constant("next" as const), length: FastCheck.nat(30) }),
  FastCheck.record({ kind: FastCheck.constant("clear" as const) })
)

describe("a playout queue", () => {
  it("plays sound in order, then silence, and reports a mark with the frame that completes its sound", () => {
    const playout = makePlayout({ rate: 1_000 })
    playout.enqueue(ramp(3, 1), 7)
    playout.enqueue(ramp(2, 10))
    playout.enqueue(new Float32Array(), 8)
    assert.strictEqual(playout.remainingMillis, 5)
    const frame = new Float32Array(2)
    assert.deepStrictEqual([playout.next(frame), [...frame]], [[], [1, 2]])
    assert.deepStrictEqual([playout.next(frame), [...frame]], [[7], [3, 10]])
    assert.deepStrictEqual([playout.next(frame), [...frame]], [[8], [11, 0]])
    assert.deepStrictEqual([playout.next(frame), [...frame]], [[], [0, 0]])
    assert.strictEqual(playout.position, 5)
  })

  it("drops at a clear what has not left, and says how much has", () => {
    const playout = makePlayout({ rate: 1_000 })
    playout.enqueue(ramp(5, 1), 7)
    const frame = new Float32Array(4)
    playout.next(frame)
    assert.strictEqual(playout.clear(), 4)
    assert.deepStrictEqual([playout.next(frame), [...frame]], [[], [0, 0, 0, 0]])
    assert.strictEqual(playout.clear(), 0)
    playout.enqueue(ramp(1, 9), 8)
    assert.deepStrictEqual([playout.next(frame), [...frame]], [[8], [9, 0, 0, 0]])
    assert.strictEqual(playout.clear(), 1)
  })

  it.prop(
    "does what a list of samples and marks would do",
    [FastCheck.array(action, { maxLength: 400, size: "max" })],
    (
      [actions]
    ) => {
      const [playout, model] = [makePlayout({ rate: 1_000 }), naive()]
      for (const [index, action] of actions.entries()) {
        if (action.kind === "enqueue") {
          const samples = ramp(action.length, 1 + index)
          playout.enqueue(samples, action.mark)
          model.enqueue(samples, action.mark)
        } else if (action.kind === "clear") assert.strictEqual(playout.clear(), model.clear())
        else {
          const frame = new Float32Array(action.length).fill(9)
          const marks = playout.next(frame)
          assert.deepStrictEqual({ frame: [...frame], marks: [...marks] }, model.next(action.length))
        }
        assert.strictEqual(playout.position, model.position())
        assert.strictEqual(playout.remainingMillis, model.remaining())
      }
    }
  )
})
