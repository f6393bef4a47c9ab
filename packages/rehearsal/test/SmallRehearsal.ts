import { defaultCallees, type RehearsalOptions, rehearse } from "@trunkline/rehearsal"
import { Effect } from "effect"
import { campaignOf, options, retries } from "./Fixtures.js"

/** A small rehearsal with retries, busy lines and several windows. */
export const small: RehearsalOptions = options({
  contacts: 60,
  callees: defaultCallees,
  campaign: campaignOf({ window: ["09:00", "09:30"], retries: retries(3, 10) }),
  maxConcurrentCalls: 12,
  seed: "small"
})

/** A report with its complete log. */
export const rehearseWithLog = (rehearsal: RehearsalOptions) =>
  Effect.suspend(() => {
    let log = ""
    const onLog = (lines: string) => Effect.sync(() => void (log += lines))
    return Effect.map(rehearse({ ...rehearsal, onLog }), (report) => ({ report, log }))
  })
