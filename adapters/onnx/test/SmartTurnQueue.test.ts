import { assert, describe, it } from "@effect/vitest"
import { makeSmartTurnQueue, type SmartTurnAnswer } from "../src/SmartTurnQueue.js"

const turn = (call: number, query: number) => ({ call, query, rate: 8_000, sound: Float32Array.of(call) })

/** A model whose answers the test gives. */
const openQueue = () => {
  const answers: Array<SmartTurnAnswer> = []
  const failures: Array<unknown> = []
  const runs: Array<{ readonly give: (completion: number) => void; readonly fail: () => void }> = []
  const queue = makeSmartTurnQueue(
    { run: () => new Promise((give, fail) => void runs.push({ give, fail: () => fail(new Error("broken")) })) },
    (answer) => void answers.push(answer),
    (error) => void failures.push(error)
  )
  const settled = () => new Promise((resume) => setImmediate(resume))
  return { answers, failures, queue, runs, settled }
}

describe("pauses that wait for the model", () => {
  it("are judged one after the other, and of each call the latest only", async () => {
    const { answers, queue, runs, settled } = openQueue()
    for (const [call, query] of [[1, 1], [2, 1], [2, 2], [3, 1]] as const) queue.add(turn(call, query))
    queue.forget(3)
    runs[0]?.give(0.25)
    await settled()
    runs[1]?.give(0.75)
    await settled()
    assert.deepStrictEqual(answers, [
      { call: 1, query: 1, probabilities: [0.25] },
      { call: 2, query: 2, probabilities: [0.75] }
    ])
    assert.lengthOf(runs, 2)
  })

  it("are told of a model that fails", async () => {
    const { answers, failures, queue, runs, settled } = openQueue()
    queue.add(turn(1, 1))
    runs[0]?.fail()
    await settled()
    assert.lengthOf(failures, 1)
    assert.deepStrictEqual(answers, [])
  })
})
