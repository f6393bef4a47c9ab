import { assert, describe, it } from "@effect/vitest"
import { Campaign, CreateCampaign, PatchCampaign } from "@trunkline/campaigns"
import { issuesOf } from "@trunkline/errors"
import { Attempt, CreateDeployment, CreateOutbound, Deployment, PatchDeployment } from "@trunkline/telephony"
import { RotateSecret } from "@trunkline/webhooks"
import { Either, Schema } from "effect"

const line = { connection_id: "line-1", phone_numbers: ["+911140000001"] }
const agent = { app_id: "collections", app_version: 1 }

const webhook = (secret: string) => ({ url: "https://example.com/hook", secret })

const appConfig = (secret: string) => ({ ...agent, connection_configs: [line], webhook_config: webhook(secret) })

const deployment = (secret: string) => ({
  ...agent,
  name: "Support line",
  connection_configs: [line],
  webhook_config: webhook(secret)
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
  webhook_config: webhook(secret)
})

interface Request {
  readonly name: string
  readonly schema: Schema.Schema.AnyNoContext
  readonly body: (secret: string) => unknown
  readonly loc: ReadonlyArray<string>
}

const appConfigPath = ["body", "app_config", "webhook_config", "secret"]
const directPath = ["body", "webhook_config", "secret"]

const requests: ReadonlyArray<Request> = [
  { name: "create a campaign", schema: CreateCampaign, body: campaign, loc: appConfigPath },
  {
    name: "update a campaign",
    schema: PatchCampaign,
    body: (secret) => ({ app_config: appConfig(secret) }),
    loc: appConfigPath
  },
  { name: "create a deployment", schema: CreateDeployment, body: deployment, loc: directPath },
  {
    name: "update a deployment",
    schema: PatchDeployment,
    body: (secret) => ({ webhook_config: webhook(secret) }),
    loc: directPath
  },
  { name: "start a call", schema: CreateOutbound, body: outbound, loc: directPath },
  { name: "rotate a secret", schema: RotateSecret, body: (secret) => ({ secret }), loc: ["body", "secret"] }
]

const msg = "Should be whsec_ and the base64 of a key, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, or a text that "
  + "does not begin with whsec_"

describe("the secret of a webhook", () => {
  it.each(requests)("is rejected with its path and an example when it is not a valid key: $name", (request) => {
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

  it("is decoded unchanged when it was stored before this rule", () => {
    const campaignWebhook = Campaign.fields.app_config.from.fields.webhook_config
    const secret = webhook("whsec_!!!")
    for (const stored of [campaignWebhook, Deployment.fields.webhook_config, Attempt.fields.webhook]) {
      assert.deepStrictEqual(Schema.decodeUnknownSync(Schema.Struct({ secret: stored }))({ secret }), { secret })
    }
  })
})
