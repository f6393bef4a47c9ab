import { assert, describe, it } from "@effect/vitest"
import {
  announcementFailure,
  type CallFailure,
  dialFailed,
  isVague,
  notAnswered,
  type OutcomeTable
} from "../src/outcomes/CallOutcomes.js"
import { refusalResponse } from "../src/outcomes/Refusals.js"

const refused = (status: number, more: Partial<Extract<CallFailure, { readonly _tag: "Refused" }>> = {}) =>
  ({ _tag: "Refused", status, cause: null, rang: false, retryAfter: null, ...more }) as const

const outcome = (failure: CallFailure): string => {
  const { reason, status } = notAnswered(failure)
  return reason === null ? status : `${status}, ${reason}`
}

const rejected = "provider_error, sip: rejected_by_provider"
const unavailable = "provider_error, sip: provider_unavailable"

describe("the outcome of a call that is not answered", () => {
  it.each([
    [[486, 600], "busy"],
    [[603, 607], "busy, declined"],
    [[480, 487], "no_answer"],
    [[404, 410, 484, 604], "failed, sip: invalid_number"],
    [[302, 400, 401, 402, 403, 407, 420, 488, 606], rejected],
    [[408, 500, 502, 503, 504, 580], unavailable]
  ])("is told by its final response: %j is %s", (statuses, expected) => {
    for (const status of statuses) assert.strictEqual(outcome(refused(status)), expected, String(status))
  })

  it.each([
    [[17], "busy"],
    [[21], "busy, declined"],
    [[18, 19, 20], "no_answer"],
    [[1, 22, 28], "failed, sip: invalid_number"],
    [[34, 38, 41, 42, 44, 47], unavailable],
    [[16, 31, 127], rejected]
  ])("is told by the Q.850 cause before the response: %j is %s", (causes, expected) => {
    for (const cause of causes) assert.strictEqual(outcome(refused(403, { cause })), expected, String(cause))
  })

  it("is no answer for a 408 after it has rung", () => {
    assert.strictEqual(outcome(refused(408, { rang: true })), "no_answer")
  })

  it("is told by what happens on our side", () => {
    assert.strictEqual(outcome({ _tag: "RingTimeout" }), "no_answer")
    assert.strictEqual(outcome({ _tag: "Cancelled" }), "no_answer, cancelled")
    assert.strictEqual(outcome({ _tag: "UnusableMedia" }), "provider_error, sip: unusable_media")
    assert.strictEqual(outcome({ _tag: "Silent" }), unavailable)
    assert.strictEqual(outcome({ _tag: "Unreachable" }), unavailable)
  })
})

describe("the outcomes of a trunk of its own", () => {
  const table: OutcomeTable = {
    causes: new Map([[31, "no_answer"], [17, "declined"]]),
    statuses: new Map([[480, "busy"], [486, "provider_unavailable"], [408, "invalid_number"]])
  }
  const ownOutcome = (failure: CallFailure) => {
    const { reason, status } = notAnswered(failure, table)
    return reason === null ? status : `${status}, ${reason}`
  }

  it("win over the table, cause before response", () => {
    assert.strictEqual(ownOutcome(refused(480)), "busy")
    assert.strictEqual(ownOutcome(refused(480, { cause: 31 })), "no_answer")
    assert.strictEqual(ownOutcome(refused(600, { cause: 17 })), "busy, declined")
    assert.strictEqual(ownOutcome(refused(480, { cause: 1 })), "busy")
    assert.strictEqual(ownOutcome(refused(408, { rang: true })), "failed, sip: invalid_number")
  })

  it("leave all others to the table", () => {
    assert.strictEqual(ownOutcome(refused(500, { cause: 21 })), "busy, declined")
    assert.strictEqual(ownOutcome(refused(404)), "failed, sip: invalid_number")
    assert.strictEqual(ownOutcome({ _tag: "RingTimeout" }), "no_answer")
  })

  it("decide whether a dial counts as placed", () => {
    assert.deepInclude(dialFailed(refused(486), table), { certainty: "provider", reason: "sip: provider_unavailable" })
    assert.isNull(dialFailed(refused(408), table))
  })
})

describe("an announcement that was heard before a failure", () => {
  const announcementWith = (cause: number | null) => ({ by: "announcement", name: "something", cause }) as const
  const textOf = (failure: CallFailure, cause: number | null, table?: OutcomeTable) => {
    const { reason, status } = announcementFailure(failure, announcementWith(cause), table)
    return `${status}, ${reason}`
  }

  it("counts where the response is vague and has no cause, or one that is unspecified", () => {
    for (const status of [408, 480, 487, 500, 502, 503, 504, 580, 603]) {
      assert.isTrue(isVague(refused(status)), String(status))
      for (const cause of [31, 127]) assert.isTrue(isVague(refused(status, { cause })), `${status} and ${cause}`)
      for (const cause of [1, 16, 17, 21, 34]) {
        assert.isFalse(isVague(refused(status, { cause })), `${status} and ${cause}`)
      }
    }
    for (const status of [302, 403, 404, 410, 484, 486, 488, 600, 604, 607]) {
      assert.isFalse(isVague(refused(status)), String(status))
    }
    assert.isTrue(isVague({ _tag: "RingTimeout" }))
    for (const _tag of ["Silent", "Unreachable", "Cancelled", "UnusableMedia", "Overloaded"] as const) {
      assert.isFalse(isVague({ _tag }), _tag)
    }
  })

  it("does not count where the trunk's own outcomes name the response or its cause", () => {
    const table: OutcomeTable = { causes: new Map([[31, "busy"]]), statuses: new Map([[480, "declined"]]) }
    assert.isFalse(isVague(refused(480), table))
    assert.isFalse(isVague(refused(503, { cause: 31 }), table))
    assert.isTrue(isVague(refused(503), table))
  })

  it("gives the outcome of its cause, and tells so", () => {
    const reason = "sip: announcement: something"
    assert.strictEqual(textOf(refused(480), 17), `busy, ${reason}`)
    assert.strictEqual(textOf(refused(503), 20), `no_answer, ${reason}`)
    assert.strictEqual(textOf({ _tag: "RingTimeout" }, 1), `failed, ${reason}`)
    assert.strictEqual(textOf(refused(480), 34), `provider_error, ${reason}`)
    const table: OutcomeTable = { causes: new Map([[20, "busy"]]), statuses: new Map() }
    assert.strictEqual(textOf(refused(480), 20, table), `busy, ${reason}`)
  })

  it("leaves the outcome to the response where its cause is in no table, and the rest of the line as it was", () => {
    assert.strictEqual(textOf(refused(480), 27), "no_answer, sip: announcement: something")
    assert.strictEqual(textOf(refused(503), null), "provider_error, sip: announcement: something")
    assert.strictEqual(announcementFailure(refused(503, { retryAfter: 30 }), announcementWith(17)).retryAfter, 30)
  })
})

describe("a dial", () => {
  it("fails when the trunk refuses it, and asks the line to rest as the trunk does", () => {
    const failed = dialFailed(refused(503, { retryAfter: 30 }))
    assert.deepInclude(failed, { certainty: "provider", reason: "sip: provider_unavailable", retryAfter: 30 })
    assert.strictEqual(notAnswered(refused(503, { retryAfter: 30 })).retryAfter, 30)
    assert.strictEqual(dialFailed({ _tag: "Unreachable" })?.certainty, "provider")
  })

  it("was not sent when this side could not, and is no attempt", () => {
    assert.strictEqual(dialFailed({ _tag: "Overloaded" })?.certainty, "none")
  })

  it("may have reached somebody when there is no response", () => {
    assert.strictEqual(dialFailed({ _tag: "Silent" })?.certainty, "unknown")
  })

  it("has been accepted when the contact is busy, does not answer or does not exist", () => {
    for (const status of [404, 480, 486, 603]) assert.isNull(dialFailed(refused(status)))
  })
})

describe("a refused call", () => {
  it("has its response in the table", () => {
    const status = (reason: string) => refusalResponse(reason).status
    assert.deepStrictEqual(
      ["forbidden", "no_deployment", "deployment_paused", "outside_schedule", "no_capacity", "unusable_media"]
        .map(status),
      [403, 404, 480, 480, 486, 488]
    )
    assert.deepInclude(refusalResponse("too_many"), { status: 503, retryAfter: 10 })
    assert.strictEqual(status("something else"), 500)
    assert.strictEqual(status("toString"), 500)
  })
})
