import { Effect } from "effect"

const probe = () => process.env["TRUNKLINE_PROBE"] ?? ""

/** Sends a report to the probe of the test. */
export const report = (text: string): Effect.Effect<void> =>
  Effect.asVoid(Effect.promise(() => fetch(probe(), { method: "POST", body: text })))

/** Waits until the test opens the gate. */
export const gate = (name: string): Effect.Effect<void> =>
  Effect.asVoid(Effect.promise((signal) => fetch(`${probe()}/${name}`, { signal })))
