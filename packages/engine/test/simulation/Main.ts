// Simulates seeds on every core: `npm run simulate -- --seeds 1000`. Exits with 1 when a seed breaks a rule,
// or when a thousand seeds or more do not cover a fault point or a kind of outcome.
import { Console, Effect } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { describeFailure, runSeed } from "./RunSeed.js"
import { Tally, type TallyJson } from "./Tally.js"

const usage = "npm run simulate -- [--seeds 1000] [--from 1] [--cover] | --seed 7 [--history]"

/** Seeds after which every required event must be covered. */
const coverageSeeds = 1_000

/** Seeds between two progress lines. */
const progressInterval = 250

const exitWithUsage = (reason: string): never => {
  process.stderr.write(`${reason}\n${usage}\n`)
  return process.exit(2)
}

const numberOf = (text: string): number => {
  const value = Number(text)
  return Number.isSafeInteger(value) && value > 0 ? value : exitWithUsage(`Expected a positive integer, got: ${text}`)
}

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        seed: { type: "string" },
        seeds: { type: "string", default: "1000" },
        from: { type: "string", default: "1" },
        history: { type: "boolean", default: false },
        cover: { type: "boolean", default: false },
        help: { type: "boolean", default: false }
      }
    }).values
  } catch (error) {
    return exitWithUsage(error instanceof Error ? error.message : String(error))
  }
}

const values = readArguments()
if (values.help) {
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

interface SeedResults {
  readonly failed: number
  readonly tally: TallyJson
  /** Seeds that were the first to cover a required event. */
  readonly cover: ReadonlyArray<number>
}

/** Simulates seeds in this process. */
const simulateSeeds = (seeds: ReadonlyArray<number>): Effect.Effect<SeedResults> =>
  Effect.gen(function*() {
    const tally = new Tally()
    const cover: Array<number> = []
    let failed = 0
    for (const [index, seed] of seeds.entries()) {
      const done = yield* runSeed(seed)
      if (tally.add(done.run)) cover.push(seed)
      if (values.history) yield* Console.log(done.run.text)
      const failure = describeFailure(done)
      if (failure !== null) {
        failed += 1
        yield* Console.log(failure)
      }
      if ((index + 1) % progressInterval === 0) {
        yield* Console.log(`${index + 1} of ${seeds.length} seeds, ${failed} failed`)
      }
    }
    return { failed, tally: tally.json, cover }
  })

/** Simulates the seeds that a parent process sends, and returns the results to it. */
const simulateForParent = () =>
  process.once(
    "message",
    (seeds: ReadonlyArray<number>) =>
      void Effect.runPromise(simulateSeeds(seeds)).then((played) => process.send?.(played, () => process.exit(0)))
  )

/** Simulates seeds in a child process. */
const simulateInChild = async (seeds: ReadonlyArray<number>): Promise<SeedResults> => {
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2))
  child.send(seeds)
  const [played] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`A child process exited with ${code}`)))
  ])
  return played
}

const simulateAll = async () => {
  const first = numberOf(values.seed ?? values.from)
  const count = values.seed === undefined ? numberOf(values.seeds) : 1
  const seeds = Array.from({ length: count }, (_, index) => first + index)
  const parts = values.cover ? 1 : Math.min(availableParallelism(), count)
  const played = await Promise.all(
    Array.from({ length: parts }, (_, part) => simulateInChild(seeds.filter((_, index) => index % parts === part)))
  )
  const tally = new Tally()
  for (const part of played) tally.merge(part.tally)
  const failed = played.reduce((sum, part) => sum + part.failed, 0)
  const missing = count >= coverageSeeds || values.cover ? tally.missing : []
  const lines = [
    tally.text,
    ...(values.cover
      ? [`Seeds that cover every required event: ${played.flatMap(({ cover }) => cover).join(", ")}`]
      : []),
    ...missing.map((name) => `No seed covers: ${name}`),
    failed === 0 ? "No rule was broken." : `${failed} of ${count} seeds broke rules.`
  ]
  process.stdout.write(`${lines.join("\n")}\n`)
  process.exitCode = failed + missing.length === 0 ? 0 : 1
}

if (process.send === undefined) await simulateAll()
else simulateForParent()
