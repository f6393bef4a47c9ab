import { assert, describe, it } from "@effect/vitest"
import { PatchCampaign } from "@trunkline/campaigns"
import { AttemptId, BusinessTime, ConnectionId, PhoneNumber, VirtualClock } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Connection, PatchDeployment, SimulatedNetwork } from "@trunkline/telephony"
import { HttpSender, type InboundCallPayload, Outbox, SendFailed, verify } from "@trunkline/webhooks"
import { Clock, type Context, Effect, Layer, Logger, Schema } from "effect"
import { Engine, type MemoryOptions, memoryParts } from "../src/index.js"
import { agents, campaignBody, connections, deploymentBody, mondayMorning, over, scope, upload } from "./Fixtures.js"

type Post = Context.Tag.Service<typeof HttpSender>["post"]
type Request = Parameters<Post>[0] & { readonly at: number }

/** Engine in memory whose webhooks receive these responses, and its requests. */
const engine = (respond: (request: Request) => ReturnType<Post>, options: Partial<MemoryOptions> = {}) => {
  const requests: Array<Request> = []
  const all = { agents, connections, seed: "webhooks", ...options }
  const layer = Engine.layer(all).pipe(
    Layer.provideMerge(Layer.merge(
      memoryParts(all),
      HttpSender.layerOf((request) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => {
          const one = { ...request, at }
          requests.push(one)
          return respond(one)
        })
      )
    )),
    Layer.provide(Logger.remove(Logger.defaultLogger))
  )
  return { layer, sent: requests }
}

const status = (status: number) => Effect.succeed({ status, headers: {} })
const hanging = () => Effect.delay(Effect.fail(new SendFailed({ reason: "no complete answer in time" })), "15 seconds")
const url = "https://example.com/hook"
const line = connections[0]
const patchCampaign = Schema.decodeUnknownSync(PatchCampaign)
const patchDeployment = Schema.decodeUnknownSync(PatchDeployment)
const people = (count: number) =>
  `id,name,mobile\n${
    Array.from({ length: count }, (_, index) => `${index},Someone,98765${10_000 + index}`).join("\n")
  }\n`
const attemptOf = ({ headers }: Request) => AttemptId.make((headers["webhook-id"] ?? "").slice("att_".length))

const crowd = 60

/** Times at which the calls of a campaign were dialled. */
const dialled = (respond: (request: Request) => ReturnType<Post>) =>
  Effect.gen(function*() {
    const { campaigns } = yield* Engine
    const body = campaignBody({ webhook_config: { url }, attempts_per_second: 5 })
    const { campaign_id } = yield* campaigns.create(scope, body, "demo")
    yield* upload({ kind: "campaign", id: campaign_id }, people(crowd))
    yield* over(campaign_id)
    const { pending } = yield* (yield* Outbox).counts(scope, campaign_id)
    return { at: (yield* (yield* SimulatedNetwork).calls).map(({ taken_at }) => taken_at), pending }
  }).pipe(
    Effect.provide(engine(respond, { maxConcurrentCalls: 100 }).layer),
    (run) => VirtualClock.run(run, { start: mondayMorning })
  )

describe("webhooks of the engine", () => {
  it.live(
    "that hang or fail do not delay dialling",
    () =>
      Effect.gen(function*() {
        const well = yield* dialled(() => status(200))
        assert.deepStrictEqual([well.at.length, well.pending], [crowd, 0])
        for (const respond of [hanging, () => status(500)]) {
          const ill = yield* dialled(respond)
          assert.isAbove(ill.pending, crowd - 20)
          assert.deepStrictEqual(ill.at, well.at)
        }
      })
  )

  const { layer: signing, sent: signed } = engine(() => status(200))
  virtualTest(
    "of a campaign are signed with its current secrets, after rotations and updates",
    () =>
      Effect.gen(function*() {
        const { campaigns, webhooks } = yield* Engine
        const body = campaignBody({ webhook_config: { url, secret: "first" } })
        const { campaign_id } = yield* campaigns.create(scope, body, "demo")
        const { secret } = yield* webhooks.rotateSecret(scope, campaign_id, {}, "rotator")
        const kept = yield* campaigns.get(scope, campaign_id)
        assert.deepStrictEqual([kept.app_config.webhook_config?.secret, kept.updated_by], [secret, "rotator"])
        yield* upload({ kind: "campaign", id: campaign_id }, people(1))
        yield* over(campaign_id)
        const [first] = signed
        if (first === undefined) return assert.fail("nothing was sent")
        const by = (secret: string, { at, ...request }: Request) => verify(secret, { ...request, now: at })
        assert.deepStrictEqual(yield* Effect.all([by(secret, first), by("first", first), by("other", first)]), [
          true,
          true,
          false
        ])
        assert.lengthOf(first.headers["webhook-signature"]?.split(" ") ?? [], 2)
        yield* webhooks.resend(scope, campaign_id, [attemptOf(first)])
        yield* BusinessTime.sleep("1 minute")
        assert.deepStrictEqual(signed.map(({ body }) => body), [first.body, first.body])
        const { items } = yield* webhooks.list(scope, campaign_id, {})
        assert.deepStrictEqual(items.map(({ status, url }) => [status, url]), [["delivered", url]])
        const refused = yield* Effect.flip(webhooks.rotateSecret(scope, campaign_id, {}, "rotator"))
        assert.strictEqual(refused._tag, "RuleViolation")
      }).pipe(Effect.provide(signing)),
    { start: mondayMorning }
  )

  let gone = true
  const { layer: disabling, sent: tried } = engine(() => status(gone ? 410 : 200))
  virtualTest(
    "of a receiver that responded with 410 are dead-lettered until the campaign is updated",
    () =>
      Effect.gen(function*() {
        const { campaigns, webhooks } = yield* Engine
        const body = campaignBody({ webhook_config: { url }, attempts_per_second: 0.1 })
        const { campaign_id } = yield* campaigns.create(scope, body, "demo")
        yield* upload({ kind: "campaign", id: campaign_id }, people(30))
        yield* BusinessTime.sleep("3 minutes")
        assert.lengthOf(tried, 1)
        const { items } = yield* webhooks.list(scope, campaign_id, { status: "failed" })
        assert.isAbove(items.length, 10)
        for (const { last_error } of items) assert.match(last_error ?? "", /disabled/)
        yield* campaigns.act(scope, campaign_id, "pause", "demo")
        gone = false
        const app_config = { ...campaignBody({ webhook_config: { url }, attempts_per_second: 0.1 }).app_config }
        yield* campaigns.patch(scope, campaign_id, patchCampaign({ app_config }), "demo")
        yield* campaigns.act(scope, campaign_id, "resume", "demo")
        yield* over(campaign_id)
        yield* BusinessTime.sleep("1 minute")
        const after = yield* webhooks.list(scope, campaign_id, { status: "delivered" })
        assert.strictEqual(after.items.length, tried.length - 1)
        assert.isAbove(after.items.length, 10)
      }).pipe(Effect.provide(disabling)),
    { start: mondayMorning }
  )

  const { layer: inbound, sent: told } = engine(() => status(200))
  virtualTest(
    "are sent for answered inbound calls, signed with the secret of the deployment",
    () =>
      Effect.gen(function*() {
        const { deployments, drain } = yield* Engine
        const metadata = { desk: 7 }
        const { deployment_id } = yield* deployments.create(
          scope,
          { ...deploymentBody, webhook_config: { url, metadata, secret: "of the desk" } },
          "demo"
        )
        const connection = new Connection({
          connection_id: ConnectionId.make("sim-1"),
          provider: "simulator",
          phone_numbers: [PhoneNumber.make(line?.phone_numbers[0] ?? "")],
          options: {}
        })
        const callIn = Effect.flatMap(SimulatedNetwork, (network) =>
          network.callIn({
            connection,
            from: PhoneNumber.make("+919876543210"),
            to: PhoneNumber.make("+911140000001")
          }))
        assert.deepInclude(yield* callIn, { accepted: true })
        yield* deployments.act(scope, deployment_id, "pause", "demo")
        assert.deepInclude(yield* callIn, { accepted: false })
        yield* BusinessTime.sleep("1 minute")
        const [only, ...others] = told
        if (only === undefined) return assert.fail("nothing was sent")
        assert.lengthOf(others, 0)
        assert.isTrue(yield* verify("of the desk", { ...only, now: only.at }))
        const payload: typeof InboundCallPayload.Encoded = JSON.parse(new TextDecoder().decode(only.body))
        assert.hasAllKeys(payload, [
          "app_id",
          "app_version",
          "deployment_id",
          "interaction_id",
          "user_phone_number",
          "agent_phone_number",
          "duration",
          "final_agent_variables",
          "output_agent_variables",
          "start_datetime",
          "end_datetime",
          "interaction_transcript",
          "summary",
          "output_variables",
          "extraction",
          "opt_out",
          "costs",
          "metadata"
        ])
        assert.deepInclude(payload, { deployment_id, user_phone_number: "+919876543210", metadata })
        yield* deployments.act(scope, deployment_id, "resume", "demo")
        yield* deployments.patch(
          scope,
          deployment_id,
          patchDeployment({ webhook_config: { url, secret: "new" } }),
          "demo"
        )
        yield* callIn
        yield* BusinessTime.sleep("1 minute")
        const last = told.at(-1)
        assert.isTrue(
          yield* verify("new", {
            headers: last?.headers ?? {},
            body: last?.body ?? new Uint8Array(),
            now: last?.at ?? 0
          })
        )
        yield* deployments.patch(scope, deployment_id, patchDeployment({ webhook_config: null }), "demo")
        yield* callIn
        yield* drain
        assert.lengthOf(told, 2)
      }).pipe(Effect.provide(inbound)),
    { start: mondayMorning }
  )
})
