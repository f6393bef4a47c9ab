import { type Invalid, NotFound, RuleViolation } from "@trunkline/errors"
import {
  BusinessTime,
  checkWebAddress,
  type DeploymentId,
  Ids,
  type PageRequest,
  type Scope,
  Transactions,
  WebAddressRules,
  type WebhookConfig,
  WebhookConfigListener,
  withPreviousSecret
} from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { Connections } from "../carriers/Connection.js"
import { agentIssues, AgentVersions, connectionIssues, failOnIssues } from "../ReferenceChecks.js"
import { type CreateDeployment, Deployment, type DeploymentAction, type PatchDeployment } from "./Deployment.js"
import { DeploymentStore } from "./DeploymentStore.js"
import { KnownCallers } from "./InboundRouter.js"

/** Management of deployments: agents that answer phone numbers. `actor` is the label of the API key used. */
export class Deployments extends Context.Tag("@trunkline/telephony/Deployments")<Deployments, {
  /** Creates a deployment, which starts answering immediately. */
  readonly create: (
    scope: Scope,
    body: CreateDeployment,
    actor: string
  ) => Effect.Effect<Deployment, Invalid | RuleViolation>
  readonly get: (scope: Scope, id: DeploymentId) => Effect.Effect<Deployment, NotFound>
  readonly list: (
    scope: Scope,
    page: PageRequest
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Deployment>; readonly total: number }>
  readonly patch: (
    scope: Scope,
    id: DeploymentId,
    body: PatchDeployment,
    actor: string
  ) => Effect.Effect<Deployment, NotFound | Invalid | RuleViolation>
  /** Pauses or resumes a deployment. Idempotent. */
  readonly act: (
    scope: Scope,
    id: DeploymentId,
    action: DeploymentAction,
    actor: string
  ) => Effect.Effect<Deployment, NotFound>
  /** Deletes a deployment and its cohorts; its numbers are free immediately. */
  readonly remove: (scope: Scope, id: DeploymentId) => Effect.Effect<void, NotFound>
}>() {
  static readonly layer = Layer.effect(
    Deployments,
    Effect.gen(function*() {
      const store = yield* DeploymentStore
      const connections = yield* Connections
      const agents = yield* AgentVersions
      const callers = yield* KnownCallers
      const transactions = yield* Transactions
      const ids = yield* Ids
      const addresses = yield* WebAddressRules
      const webhooks = yield* WebhookConfigListener

      const find = (scope: Scope, id: DeploymentId) =>
        Effect.flatMap(
          store.find(scope, id),
          Effect.mapError(() => new NotFound({ resource: "deployment", id }))
        )

      const takenNumberIssues = (deployment: Deployment) =>
        Effect.gen(function*() {
          const issues: Array<RuleViolation["issues"][number]> = []
          for (const [index, config] of deployment.connection_configs.entries()) {
            for (const [position, number] of config.phone_numbers.entries()) {
              const owner = yield* store.findByNumber(number)
              if (Option.isSome(owner) && owner.value.deployment.deployment_id !== deployment.deployment_id) {
                issues.push({
                  loc: ["body", "connection_configs", index, "phone_numbers", position],
                  msg: "Another deployment answers this number",
                  type: "rule_violation"
                })
              }
            }
          }
          return issues
        })

      /** Validates the agent and the connections. Calls the embedder's ports, so it must not run inside a transaction. */
      const referenceIssues = (
        scope: Scope,
        deployment: Pick<Deployment, "app_id" | "app_version" | "connection_configs">
      ) =>
        Effect.map(
          Effect.all([
            agentIssues(agents, scope, { ...deployment, loc: ["body"] }),
            connectionIssues(
              connections,
              scope,
              deployment.connection_configs.map((config, index) => ({
                ...config,
                loc: ["body", "connection_configs", index],
                key: "phone_numbers"
              }))
            )
          ]),
          (issues) => issues.flat()
        )

      const checkWebhook = (config: WebhookConfig | null | undefined) =>
        config == null ? Effect.void : checkWebAddress(config.url, ["body", "webhook_config", "url"], addresses)

      const noteWebhook = (scope: Scope, config: WebhookConfig | null | undefined) =>
        config == null ? Effect.void : webhooks.onConfigured(scope, config.url)

      const save = (scope: Scope, deployment: Deployment, issues: ReadonlyArray<RuleViolation["issues"][number]>) =>
        Effect.flatMap(takenNumberIssues(deployment), (numbers) => failOnIssues([...issues, ...numbers])).pipe(
          Effect.zipRight(store.put(scope, deployment)),
          Effect.as(deployment),
          transactions.run
        )

      const create = Effect.fn("Deployments.create")(function*(scope: Scope, body: CreateDeployment, actor: string) {
        yield* checkWebhook(body.webhook_config)
        const now = yield* BusinessTime.date
        const creation = save(
          scope,
          new Deployment({
            ...body,
            deployment_id: yield* ids.deploymentId,
            channel_direction: "inbound",
            status: "active",
            created_by: actor,
            created_at: now,
            updated_by: actor,
            updated_at: now
          }),
          yield* referenceIssues(scope, body)
        )
        return yield* transactions.run(Effect.tap(creation, noteWebhook(scope, body.webhook_config)))
      })

      const patch = Effect.fn("Deployments.patch")(
        function*(scope: Scope, id: DeploymentId, body: PatchDeployment, actor: string) {
          const before = yield* find(scope, id)
          if (body.app_id != null && body.app_id !== before.app_id) {
            return yield* RuleViolation.at(["body", "app_id"], "The agent of a deployment cannot change")
          }
          if (body.status != null && body.status !== before.status) {
            return yield* RuleViolation.at(["body", "status"], `Is ${before.status}; an action pauses or resumes`)
          }
          const { app_id: _, status: __, ...changes } = body
          if (Object.values(changes).every((value) => value === undefined)) return before
          yield* checkWebhook(body.webhook_config)
          const issues = yield* referenceIssues(scope, applyPatch(before, changes))
          return yield* transactions.run(Effect.gen(function*() {
            const deployment = applyPatch(yield* find(scope, id), changes)
            const updated_at = yield* BusinessTime.date
            yield* noteWebhook(scope, body.webhook_config)
            return yield* save(scope, new Deployment({ ...deployment, updated_by: actor, updated_at }), issues)
          }))
        }
      )

      const act = Effect.fn("Deployments.act")(
        function*(scope: Scope, id: DeploymentId, action: DeploymentAction, actor: string) {
          const deployment = yield* find(scope, id)
          const status = action === "pause" ? "paused" as const : "active" as const
          if (deployment.status === status) return deployment
          const changedDeployment = new Deployment({
            ...deployment,
            status,
            updated_by: actor,
            updated_at: yield* BusinessTime.date
          })
          yield* store.put(scope, changedDeployment)
          return changedDeployment
        }
      )

      const remove = Effect.fn("Deployments.remove")(function*(scope: Scope, id: DeploymentId) {
        yield* transactions.run(Effect.gen(function*() {
          if (!(yield* store.remove(scope, id))) return yield* new NotFound({ resource: "deployment", id })
          yield* callers.forget(scope, id)
        }))
      })

      return Deployments.of({
        create,
        get: find,
        list: store.list,
        patch,
        act: (scope, id, action, actor) => transactions.run(act(scope, id, action, actor)),
        remove
      })
    })
  )
}

/** Applies a patch: null clears optional fields and is ignored otherwise. */
const applyPatch = (deployment: Deployment, changes: Omit<PatchDeployment, "app_id" | "status">): Deployment =>
  new Deployment({
    ...deployment,
    name: changes.name ?? deployment.name,
    description: changes.description === undefined ? deployment.description : changes.description,
    app_version: changes.app_version ?? deployment.app_version,
    connection_configs: changes.connection_configs ?? deployment.connection_configs,
    inbound_config: changes.inbound_config === undefined ? deployment.inbound_config : changes.inbound_config,
    webhook_config: changes.webhook_config == null
      ? changes.webhook_config === null ? null : deployment.webhook_config
      : withPreviousSecret(changes.webhook_config, deployment.webhook_config),
    ...(changes.record !== undefined && { record: changes.record })
  })
