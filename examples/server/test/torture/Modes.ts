import type { DoubleOptions } from "@trunkline/carrier-http/testing"

/** How dials are kept from happening twice; `naive` is the control in which they are not. */
export type Mode = "key" | "lookup" | "none" | "naive"

export const modes: ReadonlyArray<Mode> = ["key", "lookup", "none", "naive"]

/** Business seconds per real second: so that retries, a minute apart, come within the run. */
export const speed = 120

interface ModeParts {
  /** What the connection promises in the provider's name. */
  readonly dedupe: Readonly<Record<string, unknown>>
  /** What the provider does in truth. */
  readonly keeps: NonNullable<DoubleOptions["keeps"]>
  /** Whether it pushes what becomes of calls: half of it, now and then twice, and out of order. */
  readonly pushes: boolean
}

const month = 30 * 24 * 3600

/** What makes the modes different. In the control the provider does not look at the keys that it is said to keep. */
export const partsOf: Readonly<Record<Mode, ModeParts>> = {
  key: { dedupe: { kind: "key", ttl_seconds: month }, keeps: ["key"], pushes: true },
  lookup: { dedupe: { kind: "lookup", settle_seconds: 0.3 }, keeps: ["lookup"], pushes: true },
  none: { dedupe: { kind: "none" }, keeps: [], pushes: false },
  naive: { dedupe: { kind: "key", ttl_seconds: month }, keeps: [], pushes: false }
}
