import { assert, layer } from "@effect/vitest"
import { CampaignId, DeploymentId, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { RetiredSecretStore } from "../delivery/RetiredSecrets.js"
import type { WebhookOwner } from "../delivery/WebhookOwners.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const elsewhere = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })
const campaign: WebhookOwner = { kind: "campaign", id: CampaignId.make("camp-law") }
const deployment: WebhookOwner = { kind: "deployment", id: DeploymentId.make("dep-law") }

const first = { successor: "b", secrets: [{ secret: "a", until: 5 }] }
const second = { successor: "c", secrets: [{ secret: "b", until: 9 }, { secret: "a", until: 5 }] }

/** Laws of `RetiredSecretStore`. All of them may share a layer. */
export const retiredSecretLaws = <E>(name: string, live: Layer.Layer<RetiredSecretStore | Transactions, E>) =>
  layer(live)(`RetiredSecretStore laws: ${name}`, (it) => {
    it.effect("returns the latest secrets of an owner in its workspace only", () =>
      Effect.gen(function*() {
        const { find, put } = yield* RetiredSecretStore
        assert.deepStrictEqual(yield* find(scope, campaign), Option.none())
        yield* put(scope, campaign, first)
        assert.deepStrictEqual(yield* find(scope, campaign), Option.some(first))
        yield* put(scope, campaign, second)
        yield* put(scope, deployment, first)
        assert.deepStrictEqual(yield* find(scope, campaign), Option.some(second))
        assert.deepStrictEqual(yield* find(scope, deployment), Option.some(first))
        assert.deepStrictEqual(yield* find(elsewhere, campaign), Option.none())
      }))

    it.effect("keeps the previous secrets when a transaction fails", () =>
      Effect.gen(function*() {
        const { find, put } = yield* RetiredSecretStore
        const { run } = yield* Transactions
        yield* put(scope, campaign, first)
        yield* Effect.flip(run(Effect.zipRight(put(scope, campaign, second), Effect.fail("undone"))))
        assert.deepStrictEqual(yield* find(scope, campaign), Option.some(first))
      }))
  })
