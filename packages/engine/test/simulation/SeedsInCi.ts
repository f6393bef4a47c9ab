import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkedSeed, complaint, faultPoints } from "./Seeds.js"
import { everyKind, Tally } from "./Tally.js"

/** How many seeds a run of the tests plays, unless SIMULATION_SEEDS says otherwise. */
const SEEDS = Number(process.env["SIMULATION_SEEDS"] ?? 2_000)

/** In how many files, so that every core has some. */
const PARTS = 4

/** A part with fewer seeds need not meet with everything. */
const ENOUGH = 200

const seconds = 1_000

/** Plays one part of the seeds of a test run. */
export const seedsOfPart = (part: number) =>
  describe(`part ${part} of the seeds`, () => {
    it.live(
      "breaks no rule, whatever crashes when, and meets with every fault point and every kind of outcome",
      () =>
        Effect.gen(function*() {
          const tally = new Tally()
          for (let seed = part; seed <= SEEDS; seed += PARTS) {
            const done = yield* checkedSeed(seed)
            tally.add(done)
            assert.isNull(complaint(done))
          }
          const points = faultPoints.flatMap((point) => [`passed ${point}`, `crashed at ${point}`])
          if (SEEDS / PARTS >= ENOUGH) assert.isEmpty(tally.missing([...points, ...everyKind]))
        }),
      600 * seconds
    )
  })
