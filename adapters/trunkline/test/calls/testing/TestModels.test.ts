import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PlainModel } from "trunkline"
import {
  cachedModel,
  CallError,
  expectGolden,
  makeJudge,
  passShare,
  playedBy,
  testAgent,
  TooFewPass
} from "trunkline/testing"
import { afterAll, assert, describe, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "trunkline-tested-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A model that counts what it is asked. */
const counted = (answer: (words: string, seed: number) => string) => {
  let asked = 0
  const model: PlainModel = {
    generate: async ({ messages, sampling }) => {
      asked += 1
      return answer(String(messages.at(-1)?.content), sampling?.seed ?? 0)
    }
  }
  return { model, asked: () => asked }
}

const agent = { app_id: "desk", first_message: "Hello, how can I help?" }

/** Error of a rejection. */
const errorOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  return assert.fail("nothing is thrown")
}

describe("a model of tests", () => {
  it("is asked once for the same, also by a process that starts later", async () => {
    const { asked, model } = counted((words) => `You said: ${words}`)
    const call = () =>
      testAgent(agent, { model: cachedModel(model, join(folder, "answers")) }).call((caller) =>
        caller.says("Good day.")
      )
    const [first, second] = [await call(), await call()]
    assert.deepStrictEqual(first, second)
    assert.strictEqual(asked(), 1)
    assert.strictEqual(readdirSync(join(folder, "answers")).length, 1)
  })

  it("plays a caller with a goal, who hangs up at the end", async () => {
    const { model } = counted((words) =>
      words.includes("Tuesday") ? "Then Tuesday. Bye. [hangs up]" : "When are you open?"
    )
    const desk = testAgent(agent, { model: counted(() => "On Tuesday.").model })
    const { turns } = await desk.call(playedBy({ model, goal: "Find out the opening hours", language: "English" }))
    assert.deepStrictEqual(
      turns.flatMap(({ role, ...turn }) => role === "caller" && "text" in turn ? [turn.text] : []),
      [
        "When are you open?",
        "Then Tuesday. Bye."
      ]
    )
  })

  it("passes in a share of the runs, whose seeds its calls have", async () => {
    const desk = testAgent(agent, { model: counted((_, seed) => seed % 2 === 0 ? "Yes." : "No.").model })
    const seeds: Array<number> = []
    const test = async () => {
      const { seed, turns } = await desk.call((caller) => caller.says("Well?"))
      seeds.push(seed)
      assert.include(JSON.stringify(turns), "Yes.")
    }
    assert.strictEqual((await passShare(4, test, { least: 0.5 })).share, 0.5)
    assert.deepStrictEqual(seeds, [1, 2, 3, 4])
    const error = await errorOf(passShare(4, test))
    assert.instanceOf(error, TooFewPass)
    assert.match(error.message, /^2 of 4 runs passed, and 100 % should\. Seeds that failed: 1, 3\n\nWith seed 1:/)
  })
})

describe("a golden call", () => {
  it("is written at first, and shows the difference line by line afterwards", async () => {
    const file = join(folder, "golden", "day.txt")
    const callOf = (answer: string) =>
      testAgent(agent, { model: counted(() => answer).model }).call((caller) => caller.says("Good day."))
    await expectGolden(await callOf("Good day to you."), file, { update: true })
    assert.match(
      readFileSync(file, "utf8"),
      /^agent: Hello, how can I help\?\ncaller: Good day\.\nagent: Good day to you\.\n/
    )
    await expectGolden(await callOf("Good day to you."), file)
    const error = await errorOf(expectGolden(await callOf("Good night."), file))
    assert.instanceOf(error, CallError)
    assert.include(error.message, "\n  caller: Good day.\n- agent: Good day to you.\n+ agent: Good night.\n")
  })
})

describe("a judge", () => {
  const verdict = (passes: boolean) => JSON.stringify({ reason: "Turn 2.", verdict: passes ? "pass" : "fail" })

  it("judges by votes, each of which is kept", async () => {
    const { asked, model } = counted((_, seed) => verdict(seed !== 2))
    const judge = makeJudge({ model, votes: 3, folder: join(folder, "verdicts") })
    const call = await testAgent(agent, { model: counted(() => "Fine.").model }).call((caller) =>
      caller.says("Good day.")
    )
    assert.deepStrictEqual(await judge.ask(call, "The agent is polite"), {
      passes: true,
      reason: "Turn 2.",
      inFavour: 2,
      votes: 3
    })
    await judge.expect({ ...call, seed: 99, seconds: 1 }, "The agent is polite")
    assert.strictEqual(asked(), 3)
    const error = await errorOf(
      makeJudge({ model: counted(() => verdict(false)).model }).expect(call, "The agent sings")
    )
    assert.match(String(error), /^CallError: The judge \(0 of 1 in favour\): The agent sings\nTurn 2\.\n\nThe call of/)
    const useless = makeJudge({ model: counted(() => "Hm.").model }).ask(call, "The agent sings")
    assert.match(String(await errorOf(useless)), /The judge gave no verdict\. Its answer was: Hm\./)
  })

  it("tells how far it agrees with the labelled transcripts", async () => {
    const { asked, model } = counted(() => verdict(true))
    const { agreed, falseFails, falsePasses, line, of } = await makeJudge({ model }).agreement()
    assert.deepStrictEqual([agreed, of, falsePasses, falseFails, asked()], [100, 200, 100, 0, 200])
    assert.match(
      line,
      /^The judge agrees with 100 of 200 labelled transcripts, 50\.0 % \(95 % interval 43\.1 % to 56\.9 %\)/
    )
  })
})

describe("options of tests", () => {
  const messageOf = async (run: () => unknown): Promise<string> => String(await errorOf(Promise.resolve().then(run)))

  it("tell what is wrong with them", async () => {
    const tool = { name: "book", description: "Books" }
    const withTool = { ...agent, tools: [{ ...tool, run: () => "done" }] }
    const overHttp = { ...agent, tools: [{ ...tool, http: { method: "GET" as const, url: "https://example.com" } }] }
    const cases: ReadonlyArray<readonly [() => unknown, RegExp]> = [
      [() => testAgent(withTool, { tools: { bok: "done" } }), /tools\.bok: the agent has no such tool; it has book/],
      [() => testAgent(overHttp), /tools\.book: is a request over HTTP: give a function or a result for it/],
      [() => testAgent(agent, { version: 3 }), /testAgent: version: desk has no version 3; it has 1/],
      [() => testAgent({ ...agent, prompt: "" }), /testAgent: desk: prompt: /],
      [() => testAgent(agent, { at: "soon" }).call(() => undefined), /at: "soon" is no moment: write it as 2026-/],
      [() => testAgent(agent, { phoneNumber: "12" }).call(() => undefined), /phoneNumber: "12" is no number/]
    ]
    for (const [run, expected] of cases) assert.match(await messageOf(run), expected)
  })
})
