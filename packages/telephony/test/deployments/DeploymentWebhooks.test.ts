import { assert, describe } from "@effect/vitest"
import { WebhookConfigListener } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Layer, Schema } from "effect"
import {
  Deployment,
  DeploymentDetail,
  deploymentDetailOf,
  Deployments,
  DeploymentSummary,
  deploymentSummaryOf,
  PatchDeployment
} from "../../src/index.js"
import { deploymentBody, scope, telephony } from "../Fixtures.js"

const patch = Schema.decodeUnknownSync(PatchDeployment)
const url = "https://a.example/hook"
const webhook_config = { url, metadata: { desk: 7 }, secret: "quiet-secret" }

describe("the webhook of a deployment", () => {
  virtualTest("is stored with its secret and returned without it", () =>
    Effect.gen(function*() {
      const deployment = yield* (yield* Deployments).create(scope, deploymentBody({ webhook_config }), "demo")
      assert.deepStrictEqual(deployment.webhook_config, webhook_config)
      const detail = yield* Schema.encode(DeploymentDetail)(deploymentDetailOf(deployment))
      const summary = yield* Schema.encode(DeploymentSummary)(deploymentSummaryOf(deployment))
      assert.deepStrictEqual(detail.webhook_config, { url, metadata: { desk: 7 } })
      assert.notInclude(JSON.stringify([detail, summary]), "quiet-secret")
    }).pipe(Effect.provide(telephony())))

  virtualTest(
    "keeps its secret in a patch without one, is removed by null and unchanged when absent",
    () =>
      Effect.gen(function*() {
        const { create, patch: change } = yield* Deployments
        const { deployment_id } = yield* create(scope, deploymentBody({ webhook_config }), "demo")
        const configAfter = (body: Record<string, unknown>) =>
          Effect.map(change(scope, deployment_id, patch(body), "x"), (deployment) => deployment.webhook_config)
        assert.deepStrictEqual(yield* configAfter({ description: "First line" }), webhook_config)
        assert.deepStrictEqual(yield* configAfter({ webhook_config: { url } }), { url, secret: "quiet-secret" })
        assert.deepStrictEqual(yield* configAfter({ webhook_config: { url, secret: "new" } }), { url, secret: "new" })
        const elsewhere = { url: "https://b.example/hook" }
        assert.deepStrictEqual(yield* configAfter({ webhook_config: elsewhere }), elsewhere)
        assert.isNull(yield* configAfter({ webhook_config: null }))
        assert.isNull(yield* configAfter({ name: "Desk" }))
      }).pipe(Effect.provide(telephony()))
  )

  virtualTest("must have an allowed address", () =>
    Effect.gen(function*() {
      const { create, patch: change } = yield* Deployments
      const insecure = { webhook_config: { url: "http://a.example" } }
      const refused = yield* Effect.flip(create(scope, deploymentBody(insecure), "demo"))
      assert.deepInclude(refused, { _tag: "Invalid" })
      assert.deepStrictEqual(refused.issues[0]?.loc, ["body", "webhook_config", "url"])
      const { deployment_id } = yield* create(scope, deploymentBody(), "demo")
      const again = yield* Effect.flip(change(scope, deployment_id, patch(insecure), "x"))
      assert.deepInclude(again, { _tag: "Invalid" })
    }).pipe(Effect.provide(telephony())))

  virtualTest("is reported as configured when it is written, but not when other fields change", () => {
    const texts: Array<string> = []
    const listening = Layer.succeed(WebhookConfigListener, {
      onConfigured: (_, url) => Effect.sync(() => void texts.push(url))
    })
    return Effect.gen(function*() {
      const { create, patch: change } = yield* Deployments
      const { deployment_id } = yield* create(scope, deploymentBody({ webhook_config }), "demo")
      yield* change(scope, deployment_id, patch({ name: "Desk" }), "x")
      assert.deepStrictEqual(texts, [url])
      yield* change(scope, deployment_id, patch({ webhook_config: { url } }), "x")
      yield* change(scope, deployment_id, patch({ webhook_config: null }), "x")
      assert.deepStrictEqual(texts, [url, url])
    }).pipe(Effect.provide(Layer.provide(telephony(), listening)))
  })

  virtualTest("is null when the stored deployment has no such field", () =>
    Effect.gen(function*() {
      const deployment = yield* (yield* Deployments).create(scope, deploymentBody(), "demo")
      const { webhook_config: _, ...old } = yield* Schema.encode(Deployment)(deployment)
      assert.deepStrictEqual(yield* Schema.decode(Deployment)(old), deployment)
    }).pipe(Effect.provide(telephony())))
})
