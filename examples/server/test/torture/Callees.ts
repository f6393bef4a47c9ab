import type { DoubleCallee, DoubleRule } from "@trunkline/carrier-http/testing"

/** Two in ten do not pick up, one hangs up early, three in a hundred cannot be dialled; the first rule that fits counts. */
export const rules: ReadonlyArray<DoubleRule> = [
  { suffix: "0", callee: { kind: "busy", afterMillis: 20 } },
  { suffix: "1", callee: { kind: "no_answer", afterMillis: 60 } },
  { suffix: "2", callee: { kind: "answers", afterMillis: 20, says: ["Not now."], hangsUpAfter: 1 } },
  { suffix: "13", callee: { kind: "refused", code: "number_not_allowed" } },
  { suffix: "14", callee: { kind: "unavailable" } },
  { suffix: "15", callee: { kind: "failed", afterMillis: 5, reason: "invalid_number" } }
]

/** Everybody else: short calls, since most of what can go wrong goes wrong at their ends. */
export const usual: DoubleCallee = {
  kind: "answers",
  afterMillis: 10,
  says: ["Yes, speaking.", "Yes. Goodbye."],
  hangsUpAfter: 2
}

/**
 * True when the provider rejects calls to a contact, whose identifier ends as their number does. Of a request that was lost
 * nobody can say then that it was refused, only that there is no call.
 */
export const isRefused = (person: string): boolean => /1[34]$/.test(person)
