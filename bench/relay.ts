import { Effect } from "effect"
import {
  describeGaps,
  type Gap,
  type KilledCalls,
  killOften,
  percentile,
  restart,
  standby,
  type Succession
} from "../adapters/trunkline/test/lines/RelayKills.js"
import { type RelayWorld, relayWorld } from "../adapters/trunkline/test/lines/RelayWorld.js"
import { bundled } from "../tools/run.mjs"
import { withDatabase } from "./database.js"
import { report } from "./report.js"

/** Size of the measurement. */
export interface RelayOptions {
  /** Ends of processes for each figure; 20 by default. */
  readonly kills?: number
}

/** Goal of the gap, 95th percentile. */
const goal = "p95 2,000 ms"

const shownGap = (gaps: ReadonlyArray<Gap>, name: keyof Gap): string => {
  const values = gaps.map((gap) => gap[name])
  return `p50 ${percentile(values, 0.5)} ms, p95 ${percentile(values, 0.95)} ms`
}

/** Ends processes on a database, or on SQLite without one, and fails where a call was lost or repeated. */
const measure = async (name: string, { database, kills, signal, succession }: {
  readonly database: string
  readonly kills: number
  readonly signal: "SIGKILL" | "SIGTERM"
  readonly succession: (world: RelayWorld) => Succession
}): Promise<void> => {
  const program = await bundled("adapters/trunkline/test/lines/RelayProgram.ts")
  const killed: KilledCalls = await Effect.runPromise(Effect.scoped(Effect.flatMap(
    relayWorld(program, database),
    (world) => Effect.promise(() => killOften(world, succession(world), { kills, signal }))
  )))
  const { attempts, gaps, lost, repeated, usedTwice } = killed
  console.log(`${name}: ${describeGaps(gaps)}; ${attempts} calls, ${lost.length} lost, ${usedTwice.length} tools twice`)
  if (lost.length + repeated.length + usedTwice.length > 0) throw new Error(`${name}: a call was lost or repeated`)
  report({
    path: `${name}: until the next words`,
    ours: shownGap(gaps, "words"),
    peer: `until the provider is back: ${shownGap(gaps, "back")}`,
    ratio: `${lost.length} of ${attempts} calls lost`,
    goal
  })
}

/** Prints how long calls of words are without their agent when its process ends, and checks that none is lost. */
export const run = async ({ kills = 20 }: RelayOptions = {}): Promise<void> => {
  await measure("relay, killed, same program again on SQLite", {
    database: "",
    kills,
    signal: "SIGKILL",
    succession: restart
  })
  await measure("relay, stopped, same program again on SQLite", {
    database: "",
    kills,
    signal: "SIGTERM",
    succession: restart
  })
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    await withDatabase((database) =>
      measure(`relay, ${signal === "SIGKILL" ? "killed" : "stopped"} beside another process on PostgreSQL`, {
        database,
        kills,
        signal,
        succession: standby
      })
    )
  }
}
