import { assert, describe, it } from "vitest"
import type { AttemptItem } from "../Requests.js"
import type { Mode } from "./Modes.js"
import { type Evidence, judge, webhookOf } from "./Oracle.js"
import type { Received } from "./Receiver.js"

const attempt = (id: string, person: number, retry: number, changes: Partial<AttemptItem> = {}): AttemptItem => ({
  attempt_id: id,
  user_identifier: `person-${person}`,
  retry_attempt: retry,
  next_action_status: null,
  connectivity_status: "connected",
  failure_reason: null,
  attempted_at: "2026-11-22T10:00:00Z",
  ...changes
})

const busy: Partial<AttemptItem> = { connectivity_status: "busy", next_action_status: "busy_retry" }

/** Two people: one is reached at the second attempt. */
const attempts = [attempt("a", 1, 0), attempt("b", 2, 0, busy), attempt("c", 2, 1)]

const once = (body = "body"): Received => ({ times: 1, bodies: new Set([body]) })

/** Records of a run without faults, with changes. */
const evidence = (changes: {
  readonly mode?: Mode
  readonly attempts?: ReadonlyArray<AttemptItem>
  readonly status?: string
  readonly dials?: ReadonlyArray<readonly [string, number]>
  readonly received?: ReadonlyArray<readonly [string, Received]>
  readonly mismatch?: boolean
  readonly forged?: number
  readonly integrity?: string
  readonly busiest?: number
} = {}): Evidence => {
  const made = changes.attempts ?? attempts
  return {
    mode: changes.mode ?? "key",
    campaigns: [{ people: 2, status: changes.status ?? "ended", attempts: made }],
    double: {
      busiest: () => changes.busiest ?? 1,
      journal: {
        entries: changes.mismatch === true ? [{ at: 0, what: "mismatch", attempt_id: "a", to: "" }] : [],
        dialsByAttempt: new Map(changes.dials ?? made.map(({ attempt_id }) => [attempt_id, 1]))
      }
    },
    receiver: {
      forged: () => changes.forged ?? 0,
      received: new Map(changes.received ?? made.map((one) => [webhookOf(one), once()]))
    },
    integrity: changes.integrity ?? "ok",
    maxChannels: 2
  }
}

const problems = (changes: Parameters<typeof evidence>[0]) => judge(evidence(changes)).problems

describe("the oracle of the torture", () => {
  it("reports nothing for a correct run", () => {
    assert.deepStrictEqual(judge(evidence()), {
      attempts: 3,
      lost: 0,
      twice: 0,
      unknown: 0,
      webhooks: 3,
      duplicates: 0,
      problems: []
    })
    const again = { times: 2, bodies: new Set(["body"]) }
    const received = [["att_a", again], ["att_b", once()], ["att_c", once()]] as const
    assert.deepInclude(judge(evidence({ received })), { duplicates: 1, problems: [] })
  })

  it("detects duplicate, unknown and missing dials", () => {
    const dials = [["a", 2], ["b", 1], ["x", 1]] as const
    assert.deepInclude(judge(evidence({ dials })), { twice: 1, lost: 1 })
    assert.deepStrictEqual(problems({ dials }), [
      "1 attempts dialled more than once: a",
      "1 attempts dialled that nobody knows of: x",
      "1 attempts that rang and were never dialled: c"
    ])
  })

  it("detects lost contacts, before or between attempts", () => {
    const [first, second] = attempts
    if (first === undefined || second === undefined) return assert.fail()
    assert.deepStrictEqual(problems({ attempts: [first] }), ["1 people have no attempt"])
    assert.deepStrictEqual(problems({ attempts: [first, second] }), [
      "1 people whose attempts do not follow one another: person-2"
    ])
    assert.deepStrictEqual(problems({ attempts: [first, attempt("b", 2, 0), attempt("c", 2, 2)] }), [
      "1 people whose attempts do not follow one another: person-2"
    ])
    assert.strictEqual(judge(evidence({ attempts: [first] })).lost, 1)
    assert.deepStrictEqual(problems({ status: "active" }), ["a campaign is active"])
  })

  it("detects outcomes that are unknown without a reason", () => {
    const unknown: Partial<AttemptItem> = { connectivity_status: null, failure_reason: "unknown: cut" }
    const withOne = (person: number, mode: Mode) =>
      judge(evidence({ mode, attempts: [attempt("a", 1, 0), attempt("b", person, 0, unknown)] }))
    assert.deepStrictEqual(withOne(2, "key").problems, ["1 attempts with an unknown outcome: b"])
    assert.deepStrictEqual(withOne(2, "lookup").problems, ["1 attempts with an unknown outcome: b"])
    assert.deepInclude(withOne(2, "none"), { unknown: 1, problems: [] })
    // A provider has no record of a contact whose calls it rejects.
    assert.deepInclude(withOne(13, "key"), { unknown: 1, problems: [] })
    assert.deepStrictEqual(withOne(13, "lookup").problems, ["1 attempts with an unknown outcome: b"])
  })

  it("detects missing, changed, forged and unknown webhooks", () => {
    const changed = { times: 2, bodies: new Set(["one", "two"]) }
    assert.deepStrictEqual(
      problems({ received: [["att_a", changed], ["att_b", once()], ["att_x", once()]], forged: 1 }),
      [
        "1 attempts without a webhook: c",
        "1 webhooks of no attempt: att_x",
        "1 webhooks whose bytes changed: att_a",
        "1 webhooks were signed wrongly"
      ]
    )
  })

  it("detects corruption, different bytes with the same key, and overloaded lines", () => {
    assert.deepStrictEqual(problems({ integrity: "row 7 missing", mismatch: true, busiest: 3 }), [
      "1 keys asked for again with other bytes: a",
      "the database is damaged: row 7 missing",
      "3 calls at once on a line of 2"
    ])
    assert.deepStrictEqual(problems({ mode: "none", busiest: 3 }), [])
  })
})
