import { assert, describe, it } from "@effect/vitest"
import { Plan, type PlanTable, planTable, RateLimits } from "@trunkline/rate-limits"
import { Cause, Effect, type Layer } from "effect"

const caller = {
  account_id: "acme",
  key_id: "key",
  scope: { org_id: "org", workspace_id: "main" }
}

/** Number of requests of a family admitted at one instant, and seconds until the next one. */
const tried = (plan: Plan, api: string) =>
  Effect.gen(function*() {
    const limits = yield* RateLimits
    const ask = limits.decide({ subject: { ...caller, plan }, api })
    let admitted = 0
    let result = yield* ask
    for (; result.isAdmitted; result = yield* ask) admitted += 1
    return [admitted, result.retryAfter / 1_000_000]
  }).pipe(Effect.provide(RateLimits.layerMemory()))

/** Expected units and seconds per unit on the plans starter, pro and business. */
const rows: Readonly<Record<string, readonly [number, number, number, number, number, number]>> = {
  speech_to_text: [60, 1, 100, 0.6, 4_000, 0.015],
  speech_to_text_batch: [20, 3, 100, 0.6, 500, 0.12],
  text_to_speech: [60, 1, 200, 0.3, 1_000, 0.06],
  text_to_speech_newest: [30, 2, 200, 0.3, 1_000, 0.06],
  voice_cloning: [50, 6, 100, 1.2, 600, 0.12],
  voices: [60, 1, 60, 1, 60, 1],
  translation: [60, 1, 200, 0.3, 1_000, 0.06],
  chat: [60, 1, 200, 0.3, 1_000, 0.06],
  chat_core: [40, 1.5, 60, 1, 120, 0.5],
  responses: [60, 1, 200, 0.3, 1_000, 0.06],
  responses_core: [40, 1.5, 60, 1, 120, 0.5],
  document: [10, 6, 10, 6, 10, 6],
  boards: [60, 1, 60, 1, 60, 1],
  boards_preview: [20, 3, 20, 3, 20, 3],
  boards_widget_run: [20, 3, 20, 3, 20, 3],
  boards_tab_run: [50, 1.2, 50, 1.2, 50, 1.2],
  deployments: [60, 1, 60, 1, 60, 1],
  campaigns: [60, 1, 60, 1, 60, 1],
  cohorts: [60, 1, 60, 1, 60, 1],
  outbounds: [60, 1, 60, 1, 60, 1],
  analytics: [60, 1, 60, 1, 60, 1]
}

describe("the plan table", () => {
  for (const [api, row] of Object.entries(rows)) {
    it.effect(`has the documented limits for ${api}`, () =>
      Effect.gen(function*() {
        const answers = yield* Effect.forEach(Plan.literals, (plan) => tried(plan, api))
        assert.deepStrictEqual(answers.flat(), Array.from(row))
      }))
  }

  it("has no other families and the documented connection ceilings", () => {
    for (const plan of Plan.literals) {
      assert.deepStrictEqual(Object.keys(planTable[plan].requests).sort(), Object.keys(rows).sort())
    }
    assert.deepStrictEqual(Plan.literals.map((plan) => planTable[plan].connections), [
      { calls_live: 20, speech_to_text_stream: 20, text_to_speech_stream: 60, text_to_speech_newest_stream: 30 },
      { calls_live: 100, speech_to_text_stream: 100, text_to_speech_stream: 200, text_to_speech_newest_stream: 200 },
      { calls_live: 100, speech_to_text_stream: 100, text_to_speech_stream: 1_000, text_to_speech_newest_stream: 1_000 }
    ])
  })
})

describe("a custom plan table", () => {
  const defectOf = (starter: PlanTable["starter"]) => {
    const layer: Layer.Layer<RateLimits> = RateLimits.layerMemory({ plans: { ...planTable, starter } })
    return Effect.map(Effect.sandbox(Effect.provide(RateLimits, layer)).pipe(Effect.flip), Cause.pretty)
  }

  it.effect("is rejected with all of its problems", () =>
    Effect.gen(function*() {
      const defect = yield* defectOf({
        requests: {
          none: [{ perMinute: 0 }],
          half: [{ perMinute: 1, burst: 1.5 }],
          twice: [{ perMinute: 1, per: "key" }, { perMinute: 1 }],
          shared: [{ perMinute: 5, bucket: "one" }],
          other: [{ perMinute: 6, bucket: "one" }],
          apart: [{ perMinute: 7, bucket: "one", per: "key" }]
        },
        connections: { closed: 0, ["long ".repeat(13)]: 1 }
      })
      const faults = [
        "starter: none: perMinute and burst must be positive whole numbers",
        "starter: half: perMinute and burst must be positive whole numbers",
        "starter: twice: two allowances use the bucket twice",
        "starter: other: the bucket one has different figures in another family",
        "starter: closed: a connection ceiling must be a positive whole number",
        `starter: ${"long ".repeat(13)}: a connection family's name must be 1 to 60 ASCII characters`
      ]
      assert.include(defect, `Invalid plan table: ${faults.join("; ")}`)
    }))

  it.effect("supports additional families", () =>
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const ask = (api: string, cost: number) =>
        Effect.map(
          limits.decide({ subject: { account_id: "acme", plan: "pro" }, api, cost }),
          ({ isAdmitted }) => isAdmitted
        )
      assert.deepStrictEqual(
        yield* Effect.all([ask("summarise", 2), ask("translate_page", 1), ask("summarise", 1), ask("chat", 200)]),
        [true, true, false, true]
      )
    }).pipe(
      Effect.provide(RateLimits.layerMemory({
        plans: {
          ...planTable,
          pro: {
            ...planTable.pro,
            requests: {
              ...planTable.pro.requests,
              summarise: [{ perMinute: 3, bucket: "pages" }],
              translate_page: [{ perMinute: 3, bucket: "pages" }]
            }
          }
        }
      }))
    ))
})
