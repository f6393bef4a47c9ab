import {
  applyPage,
  type DeploymentId,
  MemoryTable,
  type PageRequest,
  type PhoneNumber,
  type Scope,
  scopeKey
} from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { type Deployment, phoneNumbersOf } from "./Deployment.js"

/** A deployment and its workspace. */
export interface OwnedDeployment {
  readonly scope: Scope
  readonly deployment: Deployment
}

/** Storage of deployments. Every write joins the current transaction. */
export class DeploymentStore extends Context.Tag("@trunkline/telephony/DeploymentStore")<DeploymentStore, {
  /** Adds or replaces a deployment of the workspace. */
  readonly put: (scope: Scope, deployment: Deployment) => Effect.Effect<void>
  readonly find: (scope: Scope, id: DeploymentId) => Effect.Effect<Option.Option<Deployment>>
  /** Finds the deployment that answers a number, in any workspace. */
  readonly findByNumber: (number: PhoneNumber) => Effect.Effect<Option.Option<OwnedDeployment>>
  readonly list: (
    scope: Scope,
    page: PageRequest
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Deployment>; readonly total: number }>
  /** Removes a deployment; returns false when the workspace has none with this id. */
  readonly remove: (scope: Scope, id: DeploymentId) => Effect.Effect<boolean>
}>() {
  /** Stores deployments in memory. */
  static readonly layerMemory = Layer.sync(DeploymentStore, () => {
    const rows = MemoryTable.make<DeploymentId, OwnedDeployment>()
    /** The deployment that answers each number: every incoming call asks for it. */
    const owners = MemoryTable.make<PhoneNumber, DeploymentId>()
    const numbersOf = (id: DeploymentId) => {
      const row = rows.get(id)
      return row === undefined ? [] : phoneNumbersOf(row.deployment).filter((number) => owners.get(number) === id)
    }
    const freeNumbers = (id: DeploymentId) =>
      Effect.suspend(() => Effect.forEach(numbersOf(id), (number) => owners.delete(number), { discard: true }))
    const within = (scope: Scope) => (row: OwnedDeployment) => scopeKey(row.scope) === scopeKey(scope)
    const get = (scope: Scope, id: DeploymentId) => Option.filter(Option.fromNullable(rows.get(id)), within(scope))
    return DeploymentStore.of({
      put: (scope, deployment) => {
        const { deployment_id } = deployment
        return freeNumbers(deployment_id).pipe(
          Effect.zipRight(Effect.forEach(phoneNumbersOf(deployment), (number) => owners.set(number, deployment_id))),
          Effect.zipRight(rows.set(deployment_id, { scope, deployment }))
        )
      },
      find: (scope, id) => Effect.sync(() => Option.map(get(scope, id), (row) => row.deployment)),
      findByNumber: (number) =>
        Effect.sync(() => {
          const id = owners.get(number)
          return Option.fromNullable(id && rows.get(id))
        }),
      list: (scope, page) =>
        Effect.sync(() =>
          applyPage([...rows.values()].filter(within(scope)).map((row) => row.deployment), page, deploymentColumns)
        ),
      remove: (scope, id) =>
        Effect.suspend(() =>
          Option.isSome(get(scope, id))
            ? Effect.as(Effect.zipRight(freeNumbers(id), rows.delete(id)), true)
            : Effect.succeed(false)
        )
    })
  })
}

/** Search and sort columns of deployments. */
export const deploymentColumns = {
  id: (row: Deployment) => row.deployment_id,
  text: (row: Deployment) => [row.name, row.description ?? "", row.deployment_id, ...phoneNumbersOf(row)],
  sortKey: (row: Deployment, by: string): string | number => {
    switch (by) {
      case "name":
        return row.name
      case "status":
        return row.status
      case "updated_at":
        return row.updated_at.epochMillis
      default:
        return row.created_at.epochMillis
    }
  }
}

/** Fields that deployments can be sorted by. */
export const deploymentSortable = ["created_at", "updated_at", "name", "status"] as const
