import { Effect } from "effect"

const probe = () => process.env["TRUNKLINE_PROBE"] ?? ""

/** Tells the test's probe something. */
export const report = (what: string): Effect.Effect<void> =>
  Effect.asVoid(Effect.promise(() => fetch(probe(), { method: "POST", body: what })))

/** Waits until the test opens the gate. */
export const gate = (name: string): Effect.Effect<void> =>
  Effect.asVoid(Effect.promise((signal) => fetch(`${probe()}/${name}`, { signal })))
