import { assert, describe, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { bundled } from "../../../../test/programs/Programs.js"
import { untilOnTime } from "../../../../test/setup/OnTime.js"
import { emptyDatabase, onPostgres } from "../../../../test/setup/Postgres.js"
import { isFullSize } from "../../../../test/setup/Scale.js"
import { describeGaps, killOften, restart, standby, type Succession } from "./RelayKills.js"
import { type RelayWorld, relayWorld } from "./RelayWorld.js"

/** Kills: a hundred in a run at full size, two in a usual one; `RELAY_KILLS=30` asks for another number. */
const kills = Number(process.env["RELAY_KILLS"] ?? (isFullSize ? 100 : 2))

/** Time of the test: a late machine takes long for a kill, and loses no call by that. */
const longest = Math.max(1_200_000, kills * 120_000)

const program = await bundled("adapters/trunkline/test/lines/RelayProgram.ts")

/**
 * Ends processes, and checks that no call is lost, that nothing is said twice and that no tool runs twice. A machine that is later
 * than a lease takes calls from a process that still holds them, which is a failure of the machine here. The gap depends on it, too: it
 * is printed, and measured by `npm run bench -- relay`.
 */
const test = (database: string, successionIn: (world: RelayWorld) => Succession, signal: "SIGKILL" | "SIGTERM") =>
  Effect.gen(function*() {
    const world = yield* relayWorld(program, database)
    const count = signal === "SIGKILL" ? kills : Math.min(kills, 10)
    const { attempts, gaps, lost, repeated, unsaid, usedTwice } = yield* Effect.promise(() =>
      killOften(world, successionIn(world), { kills: count, signal })
    )
    yield* Console.log(
      `${count} times ${signal} in ${attempts} calls: ${describeGaps(gaps)}; ${unsaid} sentences unsaid`,
      ...lost,
      ...repeated
    )
    assert.deepStrictEqual(lost, [])
    assert.deepStrictEqual(repeated, [])
    assert.deepStrictEqual(usedTwice, [])
    assert.strictEqual(world.double.calls.length, attempts)
    assert.deepStrictEqual(world.double.problems(), [])
    // A clause that was stored and not sent when its process was killed is not said.
    assert.isAtMost(unsaid, signal === "SIGKILL" ? gaps.length : 0)
  })

describe("a process that is killed in the middle of sentences", () => {
  it.scopedLive(
    "starts again on SQLite: no call is lost, nothing is said twice, no tool runs twice",
    (context) => untilOnTime(context, test("", restart, "SIGKILL"), undefined, longest),
    longest
  )
})

describe("a process that is stopped in the middle of sentences", () => {
  it.scopedLive(
    "leaves its calls to its next start on SQLite, which says all that was left to say",
    (context) => untilOnTime(context, test("", restart, "SIGTERM"), undefined, longest),
    longest
  )
})

onPostgres(() => {
  describe("a process that ends in the middle of sentences, beside another one", () => {
    it.scopedLive(
      "is followed by it on PostgreSQL: no call is lost, nothing is said twice, no tool runs twice",
      (context) =>
        untilOnTime(
          context,
          Effect.flatMap(emptyDatabase, (database) => test(database, standby, "SIGKILL")),
          undefined,
          longest
        ),
      longest
    )

    it.scopedLive(
      "leaves its calls to it when it is stopped, as in a rolling restart",
      (context) =>
        untilOnTime(
          context,
          Effect.flatMap(emptyDatabase, (database) => test(database, standby, "SIGTERM")),
          undefined,
          longest
        ),
      longest
    )
  })
})
