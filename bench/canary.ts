import { firstStop, seededShares } from "../packages/campaigns/src/testing/CanaryTrials.js"
import { report } from "./report.js"

/** Rule of a canary by default. */
const rule = { alpha: 0.01, smallest_difference: 0.02, min_conversations: 30 }

const percent = 10

/** Conversations of a campaign, after each of which the canary is judged. */
const calls = 10_000

const sound = 300
const faults = [[0.7, 0.2], [0.7, 0.4], [0.7, 0.5], [0.7, 0.6], [0.95, 0.8], [0.3, 0.15]] as const

const percentText = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`

/** The conversations after which canaries with these shares have stopped, in order; infinity for those that ran through. */
const stopsOf = (seeds: number, control: number, canary: number, guarded: boolean): ReadonlyArray<number> =>
  seededShares(1, seeds).map((random) =>
    firstStop({
      calls,
      percent,
      control,
      canary,
      random,
      rule: guarded ? rule : { ...rule, smallest_difference: 0, min_conversations: 1 }
    }) ?? Infinity
  ).sort((a, b) => a - b)

/** Prints how often a canary as good as the control stops itself, and the conversations until it finds some faults. */
export const run = async (): Promise<void> => {
  for (const share of [0.1, 0.5, 0.9]) {
    const rates = [true, false].map((guarded) =>
      stopsOf(sound, share, share, guarded).filter((stop) => stop < Infinity).length / sound
    )
    const [defaults = 0, bare = 0] = rates
    console.log(
      `  both arms ${percentText(share)}: ${percentText(defaults)} of ${sound} campaigns of ${
        calls.toLocaleString("en")
      } `
        + `conversations stop, ${percentText(bare)} without a smallest difference and a minimum`
    )
    report({
      path: `false alarms of a canary, both arms ${percentText(share)}`,
      ours: percentText(defaults),
      peer: "none",
      ratio: `${percentText(bare)} by the test alone`,
      goal: `at most ${percentText(rule.alpha)}`
    })
  }
  for (const [control, canary] of faults) {
    const stops = stopsOf(101, control, canary, true)
    const [median = Infinity, late = Infinity] = [stops[50], stops[90]]
    const text = (stop: number) => stop === Infinity ? `over ${calls.toLocaleString("en")}` : stop.toLocaleString("en")
    console.log(
      `  ${percentText(control)} to ${percentText(canary)}: stops after ${text(median)} conversations in the middle, `
        + `${text(late)} in nine of ten`
    )
    report({
      path: `conversations until a canary stops, ${percentText(control)} to ${percentText(canary)}`,
      ours: text(median),
      peer: "none",
      ratio: `${text(late)} in nine of ten`,
      goal: ""
    })
  }
}
