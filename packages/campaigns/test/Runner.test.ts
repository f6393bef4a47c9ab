import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type Attempt, CallSlots } from "@trunkline/telephony"
import { Effect, Schema } from "effect"
import { CampaignRunner, Campaigns, ContactStore, PatchCampaign } from "../src/index.js"
import { campaignBody, campaigns, mondayMorning, numberOf, over, scope } from "./Fixtures.js"

const start = { start: mondayMorning }
const running = Effect.flatMap(CampaignRunner, (runner) => Effect.forkScoped(runner.run))
const created = (body = campaignBody()) => Effect.flatMap(Campaigns, (service) => service.create(scope, body, "demo"))
const attemptsOf = (history: ReadonlyArray<Attempt>, index: number) =>
  history.filter((attempt) => attempt.user_phone_number === numberOf(index))

describe("a campaign", () => {
  virtualTest("starts by itself, calls each contact once and ends", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const later = campaignBody({ start_timestamp: "2024-05-20T05:00:00Z" })
      const { campaign_id, status } = yield* created(later)
      assert.strictEqual(status, "scheduled")
      yield* BusinessTime.sleep("29 minutes")
      assert.strictEqual((yield* (yield* Campaigns).get(scope, campaign_id)).status, "scheduled")
      yield* BusinessTime.sleep("1 minute")
      assert.strictEqual((yield* over(campaign_id)).status, "ended")
      assert.strictEqual(new Set(history.map((attempt) => attempt.user_phone_number)).size, 25)
      assert.strictEqual(history.length, 25)
      assert.isTrue(
        history.every((attempt) => attempt.retry_attempt === 0 && attempt.result?.next_action_status === null)
      )
      assert.isTrue(history.every((attempt) => attempt.attempted_at >= Date.parse("2024-05-20T05:00:00Z")))
      assert.deepStrictEqual(yield* (yield* ContactStore).counts(campaign_id), {
        waiting: 0,
        calling: 0,
        finished: 25
      })
    }).pipe(Effect.provide(campaigns({ people: 25, history })))
  }, start)

  virtualTest("dials at its rate and never faster", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      yield* over((yield* created(campaignBody({}, { attempts_per_second: 4 }))).campaign_id)
      const dialled = history.map((attempt) => attempt.attempted_at).sort((a, b) => a - b)
      const gaps = dialled.slice(1).map((at, index) => at - (dialled[index] ?? 0))
      assert.deepStrictEqual(new Set(gaps), new Set([250]))
    }).pipe(Effect.provide(campaigns({ people: 30, history })))
  }, start)

  virtualTest("never holds more calls at once than the workspace has lines", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const slots = yield* CallSlots
      const { campaign_id } = yield* created(campaignBody({}, { attempts_per_second: 50 }))
      let most = 0
      yield* Effect.forkScoped(Effect.forever(Effect.gen(function*() {
        most = Math.max(most, yield* slots.inUse(scope))
        yield* BusinessTime.sleep("100 millis")
      })))
      yield* over(campaign_id)
      assert.strictEqual(most, 3)
      assert.strictEqual(history.length, 20)
      assert.strictEqual(yield* slots.inUse(scope), 0)
    }).pipe(Effect.provide(campaigns({ people: 20, history, maxConcurrentCalls: 3 })))
  }, start)

  virtualTest("retries until the counter of its policy is used up", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const retry_config = { max_retries: 2, retry_interval_minutes: [1, 10] }
      yield* over((yield* created(campaignBody({}, { retry_config }))).campaign_id)
      const busy = attemptsOf(history, 1)
      assert.deepStrictEqual(busy.map((attempt) => attempt.retry_attempt), [0, 1, 2])
      assert.deepStrictEqual(busy.map((attempt) => attempt.result?.next_action_status), ["retry", "retry", null])
      const waits = busy.slice(1).map((attempt, index) =>
        attempt.attempted_at - (busy[index]?.result?.finished_at ?? 0)
      )
      assert.deepStrictEqual(waits, [60_000, 600_000])
      assert.strictEqual(attemptsOf(history, 0).length, 1)
      assert.strictEqual(history.length, 4)
    }).pipe(Effect.provide(campaigns({ people: 2, history, simulator: { rules: [{ suffix: "01", callee: "busy" }] } })))
  }, start)

  virtualTest("moves a retry that falls outside the window to the next opening", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const retry_config = { max_retries: 1, retry_interval_minutes: 60 * 9 }
      yield* over((yield* created(campaignBody({}, { retry_config }))).campaign_id)
      assert.deepStrictEqual(history.map((attempt) => new Date(attempt.attempted_at).toISOString()), [
        "2024-05-20T04:30:00.000Z",
        "2024-05-21T03:30:00.000Z"
      ])
    }).pipe(Effect.provide(campaigns({ people: 1, history, simulator: { default: "busy" } })))
  }, start)

  virtualTest("ends at its end with contacts left, and schedules no retry after it", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const body = campaignBody(
        { end_timestamp: "2024-05-20T05:00:00Z" },
        { retry_config: { retry_interval_minutes: 20 }, attempts_per_second: 0.1 }
      )
      const { campaign_id } = yield* created(body)
      const ended = yield* over(campaign_id)
      assert.strictEqual(ended.updated_at.epochMillis, Date.parse("2024-05-20T05:00:00Z"))
      assert.isTrue(history.every((attempt) => attempt.attempted_at < Date.parse("2024-05-20T05:00:00Z")))
      const late = history.filter((attempt) =>
        (attempt.result?.finished_at ?? 0) + 20 * 60_000 >= ended.updated_at.epochMillis
      )
      assert.isNotEmpty(late)
      assert.isTrue(late.every((attempt) => attempt.result?.next_action_status === null))
    }).pipe(Effect.provide(campaigns({ people: 1000, history, simulator: { default: "busy" } })))
  }, start)

  virtualTest("dials only inside its window", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const allowed_schedule = {
        allowed_start_time: "23:55",
        allowed_end_time: "00:05",
        allowed_days: ["Monday", "Wednesday"],
        timezone: "Asia/Kolkata"
      }
      const { campaign_id } = yield* created(campaignBody({ allowed_schedule }, { attempts_per_second: 0.1 }))
      yield* over(campaign_id)
      const hours = new Set(
        history.map((attempt) => new Date(attempt.attempted_at + 5.5 * 3_600_000).toISOString().slice(8, 13))
      )
      assert.deepStrictEqual([...hours].sort(), ["20T23", "21T00", "22T23", "23T00"])
      assert.strictEqual(history.length, 100)
    }).pipe(Effect.provide(campaigns({ people: 100, history })))
  }, start)

  virtualTest("starts no call while paused, lets calls in progress finish, and continues on resume", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const service = yield* Campaigns
      const { campaign_id } = yield* created()
      yield* BusinessTime.sleep("5 seconds")
      yield* service.act(scope, campaign_id, "pause", "demo")
      yield* BusinessTime.sleep("1 hour")
      const whilePaused = history.length
      assert.isAtLeast(whilePaused, 10)
      assert.isAtMost(whilePaused, 11)
      assert.strictEqual((yield* service.act(scope, campaign_id, "resume", "demo")).status, "active")
      yield* over(campaign_id)
      assert.strictEqual(history.length, 40)
      assert.strictEqual(new Set(history.map((attempt) => attempt.user_phone_number)).size, 40)
    }).pipe(Effect.provide(campaigns({ people: 40, history })))
  }, start)

  virtualTest("neither dials nor schedules retries once it is cancelled", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const service = yield* Campaigns
      const { campaign_id } = yield* created(campaignBody({}, { retry_config: {} }))
      yield* BusinessTime.sleep("5 seconds")
      yield* service.act(scope, campaign_id, "cancel", "demo")
      const dialled = (yield* (yield* ContactStore).counts(campaign_id)).calling + history.length
      yield* BusinessTime.sleep("1 day")
      assert.strictEqual(history.length, dialled)
      const afterwards = history.filter((attempt) => (attempt.result?.finished_at ?? 0) > mondayMorning + 5000)
      assert.isTrue(afterwards.every((attempt) => attempt.result?.next_action_status === null))
      const refused = yield* Effect.flip(service.act(scope, campaign_id, "resume", "demo"))
      assert.strictEqual(refused._tag, "RuleViolation")
    }).pipe(Effect.provide(campaigns({ people: 40, history, simulator: { default: "no_answer" } })))
  }, start)

  virtualTest("can only be changed while scheduled or paused, and applies the change when it resumes", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const service = yield* Campaigns
      const { campaign_id } = yield* created(campaignBody({}, { attempts_per_second: 1 }))
      yield* BusinessTime.sleep("4500 millis")
      const change = Schema.decodeUnknownSync(PatchCampaign)({
        app_config: {
          app_id: "collections",
          app_version: 2,
          attempts_per_second: 10,
          connection_configs: [{ connection_id: "sim-2", phone_numbers: ["+911140000003"] }]
        }
      })
      assert.strictEqual((yield* Effect.flip(service.patch(scope, campaign_id, change, "x")))._tag, "RuleViolation")
      yield* service.act(scope, campaign_id, "pause", "demo")
      yield* service.patch(scope, campaign_id, change, "demo")
      yield* service.act(scope, campaign_id, "resume", "demo")
      yield* over(campaign_id)
      const byVersion = (version: number) => history.filter((attempt) => attempt.app_version === version)
      assert.strictEqual(byVersion(1).length, 5)
      assert.strictEqual(byVersion(2).length, 15)
      assert.isTrue(byVersion(2).every((attempt) => attempt.agent_phone_number === "+911140000003"))
    }).pipe(Effect.provide(campaigns({ people: 20, history })))
  }, start)

  virtualTest("shares its dials between connections by weight and uses their numbers in turn", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const connection_configs = [
        { connection_id: "sim-1", phone_numbers: ["+911140000001", "+911140000002"], weight: 3 },
        { connection_id: "sim-2", phone_numbers: ["+911140000003"] }
      ]
      yield* over((yield* created(campaignBody({}, { connection_configs }))).campaign_id)
      const count = (number: string) => history.filter((attempt) => attempt.agent_phone_number === number).length
      assert.deepStrictEqual([count("+911140000001"), count("+911140000002"), count("+911140000003")], [15, 15, 10])
    }).pipe(Effect.provide(campaigns({ people: 40, history })))
  }, start)

  virtualTest("with rotation calls a contact from each number once before it repeats one", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const config = {
        connection_configs: [
          { connection_id: "sim-1", phone_numbers: ["+911140000001", "+911140000002"] },
          { connection_id: "sim-2", phone_numbers: ["+911140000003"] }
        ],
        phone_rotation: { agent: true },
        retry_config: { max_retries: 5, retry_interval_minutes: 1 }
      }
      yield* over((yield* created(campaignBody({}, config))).campaign_id)
      for (const index of [0, 1, 2]) {
        const numbers = attemptsOf(history, index).map((attempt) => attempt.agent_phone_number)
        assert.strictEqual(numbers.length, 6)
        assert.strictEqual(new Set(numbers.slice(0, 3)).size, 3)
      }
    }).pipe(Effect.provide(campaigns({ people: 3, history, simulator: { default: "busy" } })))
  }, start)
})
