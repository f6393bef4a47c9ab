import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { AgentOptions, PlainModel } from "trunkline"
import { evaluateTasks, type EvaluationOptions, type TaskEnvironment } from "trunkline/testing"
import { afterAll, assert, describe, it } from "vitest"

const file = fileURLToPath(new URL("tasks/library.tasks.json", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "trunkline-tasks-"))
afterAll(() => rmSync(folder, { recursive: true }))

const library = (prompt: string): AgentOptions => ({
  app_id: "library",
  first_message: "The library, good day.",
  prompt,
  tools: [
    { name: "find_loan", description: "Finds a loan", run: () => "due on 30 November" },
    { name: "renew", description: "Renews a loan", run: () => "renewed" }
  ]
})

const use = (name: string, input: object) => ({
  toolRequests: [{ id: name, name, arguments: JSON.stringify(input) }]
})

/** A model of the agent that finds and renews; with the careless prompt, it renews for as long as the caller likes. */
const answer: PlainModel["generate"] = async ({ messages }) => {
  const isCareless = String(messages[0]?.content).includes("careless")
  const words = messages.findLast(({ role }) => role === "user")?.content ?? ""
  const card = String(words).includes("L-8") ? "L-8" : "L-7"
  const tools = messages.filter(({ role }) => role === "tool").length
  if (tools === 0) return use("find_loan", { card })
  if (tools === 1 && (isCareless || card === "L-7")) return use("renew", { card, weeks: isCareless ? 4 : 2 })
  return card === "L-8" ? "Two weeks are the most." : "It is yours until 14 December."
}

const model: PlainModel = { generate: answer }

/** Prompts of callers. */
const prompts: Array<string> = []

/** A model that plays the callers, each of whom asks once. */
const caller: PlainModel = {
  generate: async ({ messages }) => {
    const prompt = String(messages[0]?.content)
    prompts.push(prompt)
    if (messages.length > 2) return "Thanks, bye. [hangs up]"
    return `May I keep my book? My card is ${prompt.includes("L-8") ? "L-8" : "L-7"}.`
  }
}

/** Loans by card, in weeks. */
const environment = (): TaskEnvironment => {
  const weeks: Record<string, number> = { "L-7": 0, "L-8": 0 }
  return {
    tools: {
      find_loan: ({ card }) => ({ card, weeks: weeks[String(card)] }),
      renew: ({ card, weeks: more }) => {
        weeks[String(card)] = Number(more)
        return "renewed"
      }
    },
    state: () => weeks
  }
}

const agents = { "1": library("Be careless."), "2": library("Be exact.") }
const options: EvaluationOptions = { agents, model, caller: { model: caller } }

/** Error of a rejection. */
const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(() => assert.fail("nothing is thrown"), (error: unknown) => String(error))

/** Error of a file with a change of its text. */
const faultOf = (change: (text: string) => string): Promise<string> => {
  const path = join(folder, "tasks.json")
  writeFileSync(path, change(readFileSync(file, "utf8")))
  return errorOf(evaluateTasks(path, options))
}

describe("an evaluation over a file of tasks", () => {
  it("scores each version by the uses of tools and by words, and tells what it leaves out", async () => {
    const { skipped, table, versions } = await evaluateTasks(file, options)
    assert.deepStrictEqual(
      versions.map(({ passPowers, tasks, version }) => [version, passPowers, tasks.map(({ passed }) => passed)]),
      [["1", [0.5], [0, 1]], ["2", [1], [1, 1]]]
    )
    const [run] = versions[0]?.tasks[0]?.runs ?? []
    assert.deepStrictEqual(run?.checks.map(({ expected, isMet }) => [expected, isMet]), [
      [`uses find_loan({"card":"L-7"})`, true],
      [`uses renew({"card":"L-7","weeks":2})`, false],
      [`says "14 December"`, true]
    ])
    assert.deepStrictEqual(skipped, [{ id: "reset", reason: "the caller has to use tools of their own" }])
    assert.match(table, /^version +tasks +pass\^1 .*\n1 +2 +50\.0 % .*\n2 +2 +100\.0 % /)
    assert.include(table, "Not judged: NL_ASSERTION")
    assert.include(table, "Left out, 1 tasks (reset): the caller has to use tools of their own.")
  })

  it("plays the caller by the scenario of the task", async () => {
    prompts.length = 0
    await evaluateTasks(file, options)
    const prompt = prompts.find((text) => text.includes("L-7")) ?? ""
    for (const part of ["keep it for longer", "for the new day", "do not know: the day", "in a hurry"]) {
      assert.include(prompt, part)
    }
  })

  it("compares the state of an environment where there is one", async () => {
    const { versions } = await evaluateTasks(file, { ...options, environment })
    assert.deepStrictEqual(versions.map(({ tasks }) => tasks.map(({ passed }) => passed)), [[0, 1], [1, 1]])
    assert.deepStrictEqual(
      versions.map(({ tasks }) => tasks[0]?.runs[0]?.checks.map(({ basis, isMet }) => `${basis} ${isMet}`)),
      [["DB false", "COMMUNICATE true"], ["DB true", "COMMUNICATE true"]]
    )
  })

  it("asks an environment for its assertions, and leaves out a task whose assertion it does not have", async () => {
    const task = (id: string, func_name: string, assert_value: boolean) => ({
      id,
      user_scenario: { instructions: "Your card is L-7. Ask for two more weeks." },
      evaluation_criteria: {
        env_assertions: [{ env_type: "assistant", func_name, arguments: { card: "L-7" }, assert_value }],
        reward_basis: ["ENV_ASSERTION"]
      }
    })
    const tasks = [task("kept", "is_kept", true), task("lost", "is_kept", false), task("other", "is_other", true)]
    const given = { ...options, agents: { "2": agents["2"] } }
    const withAssertions = () => ({
      ...environment(),
      assertions: { is_kept: ({ card }: { card?: unknown }) => card === "L-7" }
    })
    const { skipped, versions } = await evaluateTasks(tasks, { ...given, environment: withAssertions })
    assert.deepStrictEqual(versions[0]?.tasks.map(({ id, passed }) => [id, passed]), [["kept", 1], ["lost", 0]])
    assert.deepStrictEqual(skipped, [{ id: "other", reason: "the environment has no assertion is_other" }])
    const without = await evaluateTasks(tasks, given)
    assert.deepStrictEqual([...new Set(without.skipped.map(({ reason }) => reason))], [
      "its assertions need an environment"
    ])
  })

  it("asks a judge for rules in words", async () => {
    const asked: Array<string> = []
    const judge: EvaluationOptions["judge"] = {
      ask: async (_, rubric) => {
        asked.push(rubric)
        return { passes: false, reason: "", inFavour: 0, votes: 1 }
      }
    }
    const { table, versions } = await evaluateTasks(file, { ...options, judge })
    assert.deepStrictEqual([...new Set(asked)], ["The agent says that two weeks are the most"])
    assert.deepStrictEqual(versions.map(({ passPowers }) => passPowers), [[0], [0.5]])
    assert.notInclude(table, "Not judged")
  })

  it("runs each task with several seeds, and tells the chance that all runs pass", async () => {
    const moody: PlainModel = {
      generate: async (request, told) =>
        (request.sampling?.seed ?? 0) % 2 === 0 ? "I do not know." : answer(request, told)
    }
    const only = { "2": library("Be exact.") }
    const { versions } = await evaluateTasks(file, { ...options, agents: only, model: moody, runs: 4 })
    assert.deepStrictEqual(versions[0]?.tasks.map(({ passed, runs }) => [passed, runs.length]), [[2, 4], [2, 4]])
    assert.deepStrictEqual(versions[0]?.passPowers.map((share) => Math.round(share * 1_000)), [500, 167, 0, 0])
  })

  it("counts a model that fails as a run that fails, and tells why", async () => {
    const broken: PlainModel = { generate: () => Promise.reject(new Error("no credit")) }
    const { table, versions } = await evaluateTasks(file, { ...options, caller: { model: broken } })
    assert.deepStrictEqual(versions.map(({ passPowers }) => passPowers), [[0], [0]])
    assert.match(table, /First failure: .*no credit/)
  })
})

describe("a file of tasks that is wrong", () => {
  it("is read where only the caller has an unknown field, which the result tells", async () => {
    const path = join(folder, "unknown.json")
    writeFileSync(path, readFileSync(file, "utf8").replace("\"persona\"", "\"person\""))
    const { ignored, table } = await evaluateTasks(path, options)
    assert.deepStrictEqual(ignored, ["0.user_scenario.person"])
    assert.include(table, "Ignored, since the form has no such field: 0.user_scenario.person.")
  })

  it("is refused with the place of the fault", async () => {
    assert.match(await faultOf((text) => text.slice(1)), /tasks\.json: it is no JSON/)
    assert.match(await faultOf(() => "[]"), /it has no task/)
    assert.match(
      await faultOf((text) => text.replace(`"id": "refuse"`, `"id": "renew"`)),
      /1\.id: "renew" is the id of/
    )
    assert.match(
      await faultOf((text) => text.replace("\"compare_args\"", "\"compare\"")),
      /1\.evaluation_criteria\.actions\.0\.compare: is unexp/
    )
    assert.match(
      await faultOf((text) => text.replace("\"name\": \"renew\"", "\"name\": 7")),
      /0\.evaluation_criteria\.actions\.1\.name: Expected/
    )
    assert.match(
      await faultOf((text) => text.replace("\"reason_for_call\"", "\"reason\"")),
      /0\.user_scenario\.instructions\.reason/
    )
    assert.match(
      await faultOf((text) => text.replace("\"ACTION\"", "\"ACTIONS\"")),
      /1\.evaluation_criteria\.reward_basis\.0/
    )
    assert.match(await errorOf(evaluateTasks(join(folder, "none.json"), options)), /none\.json/)
  })

  it("is refused where a task expects a tool that the agent does not have", async () => {
    assert.match(
      await faultOf((text) => text.replace("\"name\": \"renew\"", "\"name\": \"extend\"")),
      /agents\.1: task renew expects the tool extend, which the agent does not have; it has find_loan, renew/
    )
    assert.match(await errorOf(evaluateTasks(file, { ...options, agents: {} })), /agents: there is none/)
    assert.match(await errorOf(evaluateTasks(file, { ...options, runs: 0 })), /runs: 0 is no number of runs/)
  })
})
