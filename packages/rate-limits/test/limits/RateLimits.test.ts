import { assert, describe, it } from "@effect/vitest"
import { meterReading } from "@trunkline/kernel/testing"
import { BucketStore, type LimitSubject, planTable, RateLimits, SlotStore } from "@trunkline/rate-limits"
import { Cause, Duration, Effect, Either, Layer, TestClock } from "effect"

const acme: LimitSubject = { account_id: "acme", plan: "starter" }

/** A store that answers nothing at once. */
const waiting = Layer.effect(BucketStore, Effect.map(BucketStore, ({ take }) => ({ take, takeNow: () => undefined })))
  .pipe(
    Layer.provide(BucketStore.layerMemory)
  )

const slow = RateLimits.layer().pipe(Layer.provide([waiting, SlotStore.layerMemory]))

/** Number of requests admitted at one instant. */
const admittedNow = (api: string, subject: LimitSubject) =>
  Effect.gen(function*() {
    const limits = yield* RateLimits
    let admitted = 0
    while ((yield* limits.decide({ subject, api })).isAdmitted) admitted += 1
    return admitted
  })

const admittedInTurn = (api: string, callers: ReadonlyArray<LimitSubject>) =>
  Effect.forEach(callers, (who) => admittedNow(api, who))

describe("RateLimits", () => {
  it.effect("admits everything without limits", () =>
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const spend = limits.spend({ subject: acme, api: "analytics", cost: 1_000 })
      yield* Effect.repeatN(spend, 1_000)
      yield* Effect.scoped(limits.connect({ subject: acme, api: "calls_live" }))
    }).pipe(Effect.provide(RateLimits.layerUnlimited)))

  it.effect("rejects requests beyond the allowance until it refills and reports the time", () =>
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const chat = limits.spend({ subject: acme, api: "chat_core", cost: 20 })
      yield* Effect.repeatN(chat, 1)
      yield* TestClock.adjust("1 millis")
      const refusal = yield* Effect.flip(chat)
      assert.strictEqual(refusal.api, "chat_core")
      assert.strictEqual(refusal.message, "The rate limit of chat_core is exceeded")
      assert.strictEqual(Duration.toMillis(refusal.retryAfter), 29_999)
      yield* TestClock.adjust(refusal.retryAfter)
      yield* chat
      yield* Effect.flip(chat)
    }).pipe(Effect.provide(RateLimits.layerMemory())))

  for (const [name, layer] of [["at once", RateLimits.layerMemory()], ["later", slow]] as const) {
    it.effect(`counts each decision that is made ${name} once`, () =>
      Effect.gen(function*() {
        const limits = yield* RateLimits
        const counted = () =>
          ["admitted", "refused"].map((decision) =>
            meterReading("trunkline_limit_decisions_total", { api: "chat_core", decision })
          )
        const [admitted = 0, refused = 0] = counted()
        const chat = limits.spend({ subject: acme, api: "chat_core", cost: 20 })
        yield* chat
        yield* chat
        yield* Effect.flip(chat)
        assert.deepStrictEqual(counted(), [admitted + 2, refused + 1])
      }).pipe(Effect.provide(layer)))
  }

  it.effect("rounds the retry time up to whole milliseconds", () =>
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const refusals = yield* Effect.replicateEffect(Effect.either(limits.spend({ subject: acme, api: "seven" })), 2)
      const times = refusals.map((result) => result._tag === "Left" ? Duration.toMillis(result.left.retryAfter) : 0)
      assert.deepStrictEqual(times, [0, 8_572])
    }).pipe(Effect.provide(RateLimits.layerMemory({
      plans: {
        ...planTable,
        starter: { requests: { seven: [{ perMinute: 7, burst: 1 }] }, connections: {} }
      }
    }))))

  it.effect("counts families separately and charges nothing for rejected requests", () =>
    Effect.gen(function*() {
      const limits = yield* RateLimits
      yield* limits.spend({ subject: acme, api: "document", cost: 6 })
      yield* Effect.flip(limits.spend({ subject: acme, api: "document", cost: 6 }))
      assert.strictEqual((yield* limits.decide({ subject: acme, api: "document", cost: 4 })).remaining, 0)
      assert.strictEqual((yield* limits.decide({ subject: acme, api: "translation" })).remaining, 59)
    }).pipe(Effect.provide(RateLimits.layerMemory())))

  it.effect("shares allowances between keys and workspaces of an account", () =>
    Effect.gen(function*() {
      const scope = { org_id: "org", workspace_id: "main" }
      const keys = [{ ...acme, key_id: "a" }, { ...acme, key_id: "b", scope }, acme]
      assert.deepStrictEqual(yield* admittedInTurn("document", keys), [10, 0, 0])
      assert.strictEqual(yield* admittedNow("document", { ...acme, account_id: "other" }), 10)
    }).pipe(Effect.provide(RateLimits.layerMemory())))

  it.effect("counts boards per organisation, and per key across all boards routes", () =>
    Effect.gen(function*() {
      const scope = { org_id: "org", workspace_id: "main" }
      const first = { ...acme, key_id: "a", scope }
      const second = { account_id: "other", plan: "business", key_id: "b", scope } as const
      assert.strictEqual(yield* admittedNow("boards_preview", first), 20)
      assert.strictEqual(yield* admittedNow("boards_preview", second), 0)
      assert.deepStrictEqual(yield* admittedInTurn("boards_tab_run", [first, second]), [40, 10])
      assert.deepStrictEqual(yield* admittedInTurn("boards", [first, second]), [0, 50])
      const elsewhere = [{ ...first, scope: { ...scope, workspace_id: "second" } }, { ...first, key_id: "c" }]
      assert.deepStrictEqual(yield* admittedInTurn("boards", elsewhere), [60, 60])
      assert.strictEqual(yield* admittedNow("boards_preview", { ...first, scope: { ...scope, org_id: "b" } }), 20)
    }).pipe(Effect.provide(RateLimits.layerMemory())))

  it.effect("counts per account when there is no key or workspace, separately from all others", () =>
    Effect.gen(function*() {
      const workspace_id = "main"
      assert.strictEqual(yield* admittedNow("boards_preview", { ...acme, key_id: "a" }), 20)
      assert.strictEqual(yield* admittedNow("boards_preview", acme), 0)
      assert.strictEqual(yield* admittedNow("boards", { ...acme, scope: { org_id: "org", workspace_id } }), 40)
      const namesake = {
        account_id: "other",
        plan: "starter",
        key_id: "a",
        scope: { org_id: "acme", workspace_id }
      } as const
      assert.strictEqual(yield* admittedNow("boards_preview", namesake), 20)
      assert.strictEqual(yield* admittedNow("boards", { ...acme, account_id: "a/acme/main" }), 60)
    }).pipe(Effect.provide(RateLimits.layerMemory())))

  it.effect("dies for an invalid cost or an unknown family", () =>
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const defects = yield* Effect.forEach(
        [
          { api: "chat", cost: 0 },
          { api: "chat", cost: 1.5 },
          { api: "chat", cost: 61 },
          { api: "boards_tab_run", cost: 51 },
          { api: "toString" }
        ],
        (spending) =>
          limits.spend({ subject: acme, ...spending }).pipe(Effect.sandbox, Effect.flip, Effect.map(Cause.squash))
      )
      assert.deepStrictEqual(defects.map((defect) => defect instanceof Error ? defect.message : defect), [
        "chat cannot cost 0, only a whole number from 1 to 60",
        "chat cannot cost 1.5, only a whole number from 1 to 60",
        "chat cannot cost 61, only a whole number from 1 to 60",
        "boards_tab_run cannot cost 51, only a whole number from 1 to 50",
        "The plan starter has no requests named toString"
      ])
      assert.strictEqual((yield* limits.decide({ subject: acme, api: "chat", cost: 60 })).remaining, 0)
    }).pipe(Effect.provide(RateLimits.layerMemory())))

  it.effect("decides again each time the effect runs", () =>
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const decision = limits.decide({ subject: acme, api: "document" })
      const answers = yield* Effect.replicateEffect(decision, 11)
      assert.deepStrictEqual(answers.map(({ remaining }) => remaining), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0])
    }).pipe(Effect.provide(RateLimits.layerMemory())))

  it.effect("decides and spends at once in memory from the same allowances", () =>
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const chat = { subject: acme, api: "chat_core", cost: 20 }
      assert.deepStrictEqual(limits.spendNow(chat), Either.void)
      assert.strictEqual((yield* limits.decide(chat)).remaining, 0)
      const refusal = yield* Effect.flip(limits.spend(chat))
      assert.deepStrictEqual(limits.spendNow(chat), Either.left(refusal))
      assert.isFalse(limits.decideNow(chat)?.isAdmitted)
    }).pipe(Effect.provide(RateLimits.layerMemory())))

  it.effect("leaves an invalid cost and an unknown family to the effect, and takes nothing", () =>
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const decisions = [{ api: "chat", cost: 0 }, { api: "chat", cost: 61 }, { api: "toString" }]
      assert.isTrue(decisions.every((one) => limits.decideNow({ subject: acme, ...one }) === undefined))
      assert.strictEqual((yield* limits.decide({ subject: acme, api: "chat", cost: 60 })).remaining, 0)
    }).pipe(Effect.provide(RateLimits.layerMemory())))

  it.effect("leaves decisions to the effect where the store has to wait", () =>
    Effect.gen(function*() {
      const limits = yield* RateLimits
      assert.isUndefined(limits.spendNow({ subject: acme, api: "document" }))
      assert.strictEqual((yield* limits.decide({ subject: acme, api: "document" })).remaining, 9)
      yield* limits.spend({ subject: acme, api: "document" })
    }).pipe(Effect.provide(RateLimits.layer().pipe(Layer.provide([waiting, SlotStore.layerMemory])))))
})
