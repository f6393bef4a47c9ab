// Plays seeds of the simulation on every core: `npm run simulate -- --seeds 1000`. Exits with 1 when a seed breaks a rule,
// or when a thousand seeds or more leave a fault point or a kind of outcome out.
import { Console, Effect } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { checkedSeed, complaint } from "./Seeds.js"
import { Tally, type TallyJson } from "./Tally.js"

const usage = "npm run simulate -- [--seeds 1000] [--from 1] [--cover] | --seed 7 [--history]"

/** Seeds after which every required event must have been met. */
const ENOUGH = 1_000

/** Seeds between two lines of progress. */
const EVERY = 250

const refuse = (why: string): never => {
  process.stderr.write(`${why}\n${usage}\n`)
  return process.exit(2)
}

const numberOf = (text: string): number => {
  const value = Number(text)
  return Number.isSafeInteger(value) && value > 0 ? value : refuse(`Not a positive whole number: ${text}`)
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
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const values = readArguments()
if (values.help) {
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

interface Played {
  readonly failed: number
  readonly tally: TallyJson
  /** Seeds that met something required before any other did. */
  readonly cover: ReadonlyArray<number>
}

/** Plays some seeds in this process. */
const play = (seeds: ReadonlyArray<number>): Effect.Effect<Played> =>
  Effect.gen(function*() {
    const tally = new Tally()
    const cover: Array<number> = []
    let failed = 0
    for (const [index, seed] of seeds.entries()) {
      const done = yield* checkedSeed(seed)
      if (tally.add(done.run)) cover.push(seed)
      if (values.history) yield* Console.log(done.run.text)
      const why = complaint(done)
      if (why !== null) {
        failed += 1
        yield* Console.log(why)
      }
      if ((index + 1) % EVERY === 0) yield* Console.log(`${index + 1} of ${seeds.length} seeds, ${failed} failed`)
    }
    return { failed, tally: tally.json, cover }
  })

/** Plays the seeds of a parent process and sends it what came of them. */
const playForParent = () =>
  process.once(
    "message",
    (seeds: ReadonlyArray<number>) =>
      void Effect.runPromise(play(seeds)).then((played) => process.send?.(played, () => process.exit(0)))
  )

/** Plays some seeds in a process of their own. */
const playInChild = async (seeds: ReadonlyArray<number>): Promise<Played> => {
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2))
  child.send(seeds)
  const [played] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`A process that plays seeds ended with ${code}`)))
  ])
  return played
}

const playAll = async () => {
  const first = numberOf(values.seed ?? values.from)
  const count = values.seed === undefined ? numberOf(values.seeds) : 1
  const seeds = Array.from({ length: count }, (_, index) => first + index)
  const parts = values.cover ? 1 : Math.min(availableParallelism(), count)
  const played = await Promise.all(
    Array.from({ length: parts }, (_, part) => playInChild(seeds.filter((_, index) => index % parts === part)))
  )
  const tally = new Tally()
  for (const part of played) tally.merge(part.tally)
  const failed = played.reduce((sum, part) => sum + part.failed, 0)
  const missing = count >= ENOUGH || values.cover ? tally.missing : []
  const lines = [
    tally.text,
    ...(values.cover ? [`Seeds that meet it all: ${played.flatMap(({ cover }) => cover).join(", ")}`] : []),
    ...missing.map((name) => `No seed met: ${name}`),
    failed === 0 ? "No rule was broken." : `${failed} of ${count} seeds broke rules.`
  ]
  process.stdout.write(`${lines.join("\n")}\n`)
  process.exitCode = failed + missing.length === 0 ? 0 : 1
}

if (process.send === undefined) await playAll()
else playForParent()
