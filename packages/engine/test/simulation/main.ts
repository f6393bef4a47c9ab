import { Console, Effect } from "effect"
import { parseArgs } from "node:util"
import { checkedSeed, complaint } from "./Seeds.js"
import { Tally } from "./Tally.js"

const usage = "npm run simulate -- [--seeds 1000] [--from 1] | --seed 7 [--history]"

/** How often it is said how far it is. */
const EVERY = 1_000

const refuse = (why: string): never => {
  process.stderr.write(`${why}\n${usage}\n`)
  return process.exit(1)
}

const number = (text: string | undefined, otherwise: number): number => {
  const value = text === undefined ? otherwise : Number(text)
  return Number.isSafeInteger(value) && value > 0 ? value : refuse(`Not a positive whole number: ${text}`)
}

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        seed: { type: "string" },
        seeds: { type: "string" },
        from: { type: "string" },
        history: { type: "boolean", default: false },
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

const first = number(values.seed ?? values.from, 1)
const count = values.seed === undefined ? number(values.seeds, 1_000) : 1

const all = Effect.gen(function*() {
  const tally = new Tally()
  let failed = 0
  for (let seed = first; seed < first + count; seed++) {
    const done = yield* checkedSeed(seed)
    tally.add(done)
    if (values.history) yield* Console.log(done.run.text)
    const why = complaint(done)
    if (why !== null) {
      failed += 1
      yield* Console.log(why)
    }
    if ((seed - first + 1) % EVERY === 0) yield* Console.log(`${seed - first + 1} of ${count} seeds, ${failed} failed`)
  }
  yield* Console.log(tally.text)
  yield* Console.log(failed === 0 ? "No rule was broken." : `${failed} of ${count} seeds broke rules.`)
  return failed
})

Effect.runPromise(all).then((failed) => process.exit(failed === 0 ? 0 : 1))
