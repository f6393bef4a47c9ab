import { assert, describe, it } from "@effect/vitest"
import { makeSileroQueue, type SileroAnswer, type SileroRequest } from "../src/SileroQueue.js"
import type { SileroInput, SileroSession } from "../src/SileroSession.js"

/** A model that adds the first sample of each window to the memory of its call, and tells the sum. */
const adder = (batches: Array<number>): SileroSession => ({
  run: async (_, inputs) => {
    batches.push(inputs.length)
    await Promise.resolve()
    return inputs.map(({ state, window }: SileroInput) => {
      state[0] = (state[0] ?? 0) + (window[0] ?? 0)
      return state[0]
    })
  }
})

const requestOf = (call: number, query: number, ...windows: ReadonlyArray<number>): SileroRequest => ({
  call,
  query,
  rate: 8_000,
  count: windows.length,
  windows: Float32Array.from(windows.flatMap((value) => [value, 0, 0]))
})

const until = async (isOver: () => boolean): Promise<void> => {
  while (!isOver()) await new Promise((resolve) => setImmediate(resolve))
}

describe("windows of many calls", () => {
  it("are heard together, those of a call one after the other with its memory", async () => {
    const [batches, answers]: [Array<number>, Array<SileroAnswer>] = [[], []]
    const queue = makeSileroQueue(
      adder(batches),
      (answer) => answers.push(answer),
      (error) => assert.fail(String(error))
    )
    queue.add(requestOf(1, 7, 1, 2))
    queue.add(requestOf(2, 1, 10))
    queue.add(requestOf(1, 8, 4))
    await until(() => answers.length === 3)
    assert.deepStrictEqual(answers, [
      { call: 2, query: 1, probabilities: [10] },
      { call: 1, query: 7, probabilities: [1, 3] },
      { call: 1, query: 8, probabilities: [7] }
    ])
    assert.deepStrictEqual(batches, [2, 1, 1])
  })

  it("are forgotten with their call, and its number begins anew", async () => {
    const [batches, answers]: [Array<number>, Array<SileroAnswer>] = [[], []]
    const queue = makeSileroQueue(
      adder(batches),
      (answer) => answers.push(answer),
      (error) => assert.fail(String(error))
    )
    queue.add(requestOf(1, 1, 5))
    await until(() => answers.length === 1)
    queue.forget(1)
    queue.add(requestOf(1, 2, 5))
    await until(() => answers.length === 2)
    assert.deepStrictEqual(answers.map(({ probabilities }) => probabilities), [[5], [5]])
  })

  it("tell of a model that fails", async () => {
    const errors: Array<unknown> = []
    const broken: SileroSession = { run: () => Promise.reject(new RangeError("broken")) }
    const queue = makeSileroQueue(broken, () => assert.fail(), (error) => errors.push(error))
    queue.add(requestOf(1, 1, 5))
    await until(() => errors.length > 0)
    assert.instanceOf(errors[0], RangeError)
  })

  it("are refused at other rates", async () => {
    const batches: Array<number> = []
    const queue = makeSileroQueue(adder(batches), () => assert.fail(), (error) => assert.fail(String(error)))
    queue.add({ ...requestOf(1, 1, 5), rate: 44_100 })
    await new Promise((resolve) => setImmediate(resolve))
    assert.isEmpty(batches)
  })
})
