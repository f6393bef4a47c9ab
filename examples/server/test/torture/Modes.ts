import type { DoubleOptions } from "@trunkline/carrier-http/testing"

/** Protection against a second dial of one attempt; `naive` is the control without any. */
export type Mode = "key" | "lookup" | "none" | "naive"

export const modes: ReadonlyArray<Mode> = ["key", "lookup", "none", "naive"]

/** Business seconds per real second: so that retries, a minute apart, come within the run. */
export const speed = 120

interface ModeParts {
  /** Capabilities that the connection declares for the provider. */
  readonly dedupe: Readonly<Record<string, unknown>>
  /** Actual behaviour of the provider. */
  readonly keeps: NonNullable<DoubleOptions["keeps"]>
  /** True when it pushes call events: half of them, some twice, and out of order. */
  readonly pushes: boolean
}

const month = 30 * 24 * 3600

/** Differences between the modes. In the control the provider ignores the idempotency keys that it declares. */
export const partsOf: Readonly<Record<Mode, ModeParts>> = {
  key: { dedupe: { kind: "key", ttl_seconds: month }, keeps: ["key"], pushes: true },
  lookup: { dedupe: { kind: "lookup", settle_seconds: 0.3 }, keeps: ["lookup"], pushes: true },
  none: { dedupe: { kind: "none" }, keeps: [], pushes: false },
  naive: { dedupe: { kind: "key", ttl_seconds: month }, keeps: [], pushes: false }
}
