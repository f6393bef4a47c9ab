import { assert, describe, it } from "@effect/vitest"
import { type CreateCampaign, dialWindow } from "@trunkline/campaigns"
import { type CalleeModel, defaultCallees } from "@trunkline/rehearsal"
import { Effect } from "effect"
import { makeOutcomeSampler } from "../src/callees/OutcomeSampler.js"
import { makeJournal } from "../src/report/Journal.js"
import { Tally } from "../src/report/Tally.js"
import { ownedCampaignOf } from "../src/run/RehearsalRun.js"
import { CampaignSimulation, type SimulationPause, workPerSlice } from "../src/simulation/CampaignSimulation.js"
import { after, campaignOf, monday, noneAnswer, retries } from "./Fixtures.js"

/** Most contacts that a page, an enrolment and a round of dialling have. */
const [pageSize, batchSize, roundSize] = [500, 500, 64]

interface Slice {
  readonly pause: SimulationPause
  /** Units of work, lines of the log, dials and enrolled contacts of the slice. */
  readonly work: number
  readonly lines: number
  readonly dials: number
  readonly taken: number
}

/** Plays a campaign of numbered contacts slice by slice. */
const slicesOf = (
  { callees = defaultCallees, campaign, dailyCap = Infinity, people }: {
    readonly campaign: CreateCampaign
    readonly people: number
    readonly callees?: CalleeModel
    readonly dailyCap?: number
  }
): ReadonlyArray<Slice> => {
  const window = dialWindow(campaign.allowed_schedule)
  const { flush, isFull, write } = makeJournal(() => Effect.void)
  let lines = 0
  const journal = {
    isFull,
    flush,
    write: (at: number, event: string) => {
      lines += 1
      write(at, event)
    },
    close: Effect.die("not used")
  }
  const tally = new Tally({ journal, window })
  const simulation = new CampaignSimulation({
    ownedCampaign: ownedCampaignOf(campaign, monday),
    now: monday,
    tally,
    journal,
    sampleOutcome: makeOutcomeSampler(callees, {
      seed: 1,
      timezone: window.timezone,
      bounds: { ringMillis: 40_000, talkMillis: 3_600_000 }
    }),
    maxConcurrentCalls: 100_000,
    channels: {},
    dailyCap,
    endWhenExhausted: true,
    progressInterval: 100
  })
  const { contacts } = simulation
  const slices: Array<Slice> = []
  let pause: SimulationPause = "slice"
  while (pause !== "over") {
    const before = { work: simulation.work, lines, dials: tally.dials, taken: contacts.taken }
    pause = simulation.advance()
    slices.push({
      pause,
      work: simulation.work - before.work,
      lines: lines - before.lines,
      dials: tally.dials - before.dials,
      taken: contacts.taken - before.taken
    })
    if (pause === "journal") Effect.runSync(flush)
    if (pause === "contacts") {
      const page = Array.from(
        { length: Math.min(pageSize, people - contacts.read) },
        () => ({ user_phone_number: null })
      )
      contacts.addPage(page)
    }
  }
  return slices
}

const assertShort = (slices: ReadonlyArray<Slice>) => {
  for (const { dials, lines, taken, work } of slices) {
    assert.isAtMost(work, workPerSlice + roundSize)
    // Each dial, answer and end of a call is written down, and takes a unit of work.
    assert.isAtMost(lines, 2 * (workPerSlice + roundSize))
    assert.isAtMost(dials, workPerSlice + roundSize)
    assert.isAtMost(taken, batchSize)
  }
}

describe("a simulation pauses after a few milliseconds of work", () => {
  it("while it dials at the full rate", () => {
    const slices = slicesOf({ campaign: campaignOf({ rate: 500, retries: retries(2, 1) }), people: 5_000 })
    assertShort(slices)
    assert.strictEqual(slices.reduce((sum, { taken }) => sum + taken, 0), 5_000)
    for (const pause of ["contacts", "journal", "progress", "slice", "over"] as const) {
      assert.isTrue(slices.some((slice) => slice.pause === pause), pause)
    }
  })

  it("while it postpones thousands of contacts that are due at once", () => {
    const campaign = campaignOf({ rate: 500, retries: retries(3, 1), window: ["09:00", "09:30"], end: after(40) })
    const slices = slicesOf({ campaign, people: 4_000, callees: noneAnswer, dailyCap: 1 })
    assertShort(slices)
    assert.strictEqual(slices.reduce((sum, { dials }) => sum + dials, 0), 8_000)
  })
})
