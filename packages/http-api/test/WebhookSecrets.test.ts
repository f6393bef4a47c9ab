import { assert, describe, it } from "@effect/vitest"
import { Campaign, CreateCampaign, PatchCampaign } from "@trunkline/campaigns"
import { issuesOf } from "@trunkline/errors"
import { Attempt, CreateDeployment, CreateOutbound, Deployment, PatchDeployment } from "@trunkline/telephony"
import { RotateSecret } from "@trunkline/webhooks"
import { Either, Schema } from "effect"

const line = { connection_id: "line-1", phone_numbers: ["+911140000001"] }
const agent = { app_id: "collections", app_version: 1 }

const hooked = (secret: string) => ({ url: "https://example.com/hook", secret })

const appConfig = (secret: string) => ({ ...agent, connection_configs: [line], webhook_config: hooked(secret) })

const deployment = (secret: string) => ({
  ...agent,
  name: "Desk",
  connection_configs: [line],
  webhook_config: hooked(secret)
})

const campaign = (secret: string) => ({
  name: "Dues",
  app_config: appConfig(secret),
  start_timestamp: "2026-11-22T10:00:00Z",
  end_timestamp: "2026-11-23T10:00:00Z",
  allowed_schedule: { allowed_start_time: "09:00", allowed_end_time: "18:00", allowed_days: ["Monday"] }
})

const outbound = (secret: string) => ({
  app_config: { ...agent, connection_config: { connection_id: "line-1", agent_phone_number: "+911140000001" } },
  user_config: { user_phone_number: "+919876543210" },
  webhook_config: hooked(secret)
})

interface Request {
  readonly name: string
  readonly schema: Schema.Schema.AnyNoContext
  readonly body: (secret: string) => unknown
  readonly loc: ReadonlyArray<string>
}

const ofApp = ["body", "app_config", "webhook_config", "secret"]
const direct = ["body", "webhook_config", "secret"]

const requests: ReadonlyArray<Request> = [
  { name: "creates a campaign", schema: CreateCampaign, body: campaign, loc: ofApp },
  {
    name: "changes a campaign",
    schema: PatchCampaign,
    body: (secret) => ({ app_config: appConfig(secret) }),
    loc: ofApp
  },
  { name: "creates a deployment", schema: CreateDeployment, body: deployment, loc: direct },
  {
    name: "changes a deployment",
    schema: PatchDeployment,
    body: (secret) => ({ webhook_config: hooked(secret) }),
    loc: direct
  },
  { name: "starts a single call", schema: CreateOutbound, body: outbound, loc: direct },
  { name: "rotates a secret", schema: RotateSecret, body: (secret) => ({ secret }), loc: ["body", "secret"] }
]

const msg = "Should be whsec_ and the base64 of a key, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, or a text that "
  + "does not begin with whsec_"

describe("the secret of a webhook", () => {
  it.each(requests)("is refused where it is no key, with its place and what one looks like: $name", (request) => {
    const issues = (secret: string) =>
      Either.match(Schema.decodeUnknownEither(request.schema, { errors: "all" })(request.body(secret)), {
        onLeft: ({ issue }) => issuesOf(issue, "body"),
        onRight: () => []
      })
    for (const bad of ["whsec_!!!", "whsec_", "whsec_MfKQ9"]) {
      assert.deepStrictEqual(issues(bad), [{ loc: request.loc, msg, type: "value_error" }], bad)
    }
    for (const good of ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "any other text", "WHSEC_!!!"]) {
      assert.deepStrictEqual(issues(good), [], good)
    }
  })

  it("that was kept before this rule is read as it is", () => {
    const webhook = Campaign.fields.app_config.from.fields.webhook_config
    const kept = hooked("whsec_!!!")
    for (const stored of [webhook, Deployment.fields.webhook_config, Attempt.fields.webhook]) {
      assert.deepStrictEqual(Schema.decodeUnknownSync(Schema.Struct({ kept: stored }))({ kept }), { kept })
    }
  })
})
