// Kills the real server in the middle of campaigns over a real carrier, at moments that a seed decides:
// `npm run torture -- --kills 1000 --seed 7 --modes key,lookup,none,naive`. The exit code says whether the promise held.
import { parseArgs } from "node:util"
import { bundled } from "../../../../tools/run.mjs"
import { type Mode, modes } from "./Modes.js"
import { tableOf } from "./Table.js"
import { runTrial, type TrialOutcome } from "./Trial.js"

const usage = `npm run torture -- [--kills 1000] [--seed 1] [--modes ${modes.join(",")}]`

const refuse = (why: string): never => {
  console.error(`${why}\n${usage}`)
  return process.exit(1)
}

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        kills: { type: "string", default: "1000" },
        seed: { type: "string", default: "1" },
        modes: { type: "string", default: modes.join(",") },
        help: { type: "boolean", default: false }
      }
    }).values
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const values = readArguments()
if (values.help) {
  console.log(usage)
  process.exit(0)
}

const isMode = (text: string): text is Mode => modes.some((mode) => mode === text)

const chosen = values.modes.split(",").map((name) =>
  isMode(name) ? name : refuse(`There is no mode ${name}; there are ${modes.join(", ")}`)
)

const numberIn = (text: string): number =>
  /^\d{1,9}$/.test(text) ? Number(text) : refuse("--kills and --seed take whole numbers")

const kills = numberIn(values.kills)
const seed = numberIn(values.seed)

/** The kills of a mode: all are shared out evenly. */
const shareOf = (index: number) =>
  Math.floor((kills * (index + 1)) / chosen.length) - Math.floor((kills * index) / chosen.length)

/** Violations of the guarantees; the control violates them unless it has dialled a contact twice. */
const broken = ({ mode, problems, twice }: TrialOutcome): ReadonlyArray<string> =>
  mode !== "naive" ? problems : twice > 0 ? [] : ["the control dialled nobody twice, so that this run proves nothing"]

const began = performance.now()
const elapsed = () => `${((performance.now() - began) / 1000).toFixed(0)} s`

const entry = await bundled("examples/server/src/main.ts")
console.log(`The server is bundled (${elapsed()}); ${kills} kills, seed ${seed}`)
/** One process starts while another works: so many trials kill at a time. */
const atOnce = 2

const waiting = chosen.map((mode, index) => ({ mode, kills: shareOf(index), seed: seed + index }))
const running = new Map<Mode, Promise<TrialOutcome>>()

const work = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { kills, mode } = next
    const onKill = (done: number, dialled: number) => {
      if (done % 10 !== 0 && done !== kills) return
      console.log(`${mode}: ${done} of ${kills} kills, ${dialled} attempts dialled, ${elapsed()}`)
    }
    const { outcome } = await runTrial({ ...next, entry, onKill })
    running.set(mode, outcome)
    void outcome.then(() => console.log(`${mode}: everything is over, ${elapsed()}`))
  }
}

await Promise.all(Array.from({ length: atOnce }, work))
const outcomes = (await Promise.all(chosen.map((mode) => running.get(mode)))).filter((one) => one !== undefined)
console.log(`\n${tableOf(outcomes)}\n`)
for (const outcome of outcomes) {
  for (const problem of broken(outcome)) console.log(`${outcome.mode}: ${problem}`)
}
const held = outcomes.every((outcome) => broken(outcome).length === 0)
console.log(held ? `The promise held (${elapsed()})` : `The promise is broken (${elapsed()})`)
process.exitCode = held ? 0 : 1
