import { assert, layer } from "@effect/vitest"
import {
  AppId,
  ConnectionId,
  DeploymentId,
  OrgId,
  type PageRequest,
  PhoneNumber,
  Scope,
  Transactions,
  WorkspaceId
} from "@trunkline/kernel"
import { DateTime, Effect, type Layer, Option } from "effect"
import { Deployment } from "../deployments/Deployment.js"
import { deploymentSortable, DeploymentStore } from "../deployments/DeploymentStore.js"

const at = (second: number) => DateTime.unsafeMake({ year: 2026, month: 1, day: 31, hours: 12, seconds: second })

const scopeOf = (workspace: string) =>
  new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(workspace) })

/** A unique number: the prefix separates the laws. */
const number = (prefix: number, index: number) =>
  PhoneNumber.make(`+9111${String(prefix).padStart(4, "0")}${String(index).padStart(4, "0")}`)

const deployment = (id: string, numbers: ReadonlyArray<PhoneNumber>, change: Partial<Deployment> = {}) =>
  new Deployment({
    deployment_id: DeploymentId.make(id),
    name: id,
    description: null,
    app_id: AppId.make("support"),
    app_version: 1,
    connection_configs: [{ connection_id: ConnectionId.make("sim-1"), phone_numbers: numbers }],
    channel_direction: "inbound",
    inbound_config: null,
    webhook_config: { url: "https://a.example/hook", metadata: { nested: [1, null] }, secret: "s" },
    status: "active",
    created_by: "tests",
    created_at: at(0),
    updated_by: null,
    updated_at: at(0),
    ...change
  })

const newest = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

/** Laws of `DeploymentStore`. Each law uses its own workspaces and numbers, so one layer can serve all laws. */
export const deploymentStoreLaws = <E>(name: string, live: Layer.Layer<DeploymentStore | Transactions, E>) =>
  layer(live)(`DeploymentStore laws: ${name}`, (it) => {
    const listing = (workspace: string) => (page: Partial<PageRequest>) =>
      Effect.flatMap(
        DeploymentStore,
        (store) =>
          Effect.map(
            store.list(scopeOf(workspace), { ...newest, ...page }),
            ({ items, total }) => [total, ...items.map((item) => item.deployment_id)]
          )
      )

    it.effect("finds a deployment as it was stored, in its workspace only", () =>
      Effect.gen(function*() {
        const store = yield* DeploymentStore
        const scope = scopeOf("find")
        const put = deployment("dep-find", [number(1, 1)], {
          description: "हिन्दी \"quoted\"",
          inbound_config: {
            start_time: "09:00",
            end_time: "18:00",
            allowed_days: ["Monday", "Sunday"],
            timezone: "Asia/Kolkata"
          },
          updated_by: "someone"
        })
        yield* store.put(scope, put)
        assert.deepStrictEqual(yield* store.find(scope, put.deployment_id), Option.some(put))
        assert.deepStrictEqual(yield* store.find(scopeOf("find-other"), put.deployment_id), Option.none())
        assert.deepStrictEqual(yield* store.find(scope, DeploymentId.make("dep-find-none")), Option.none())
      }))

    it.effect("finds a deployment by each of its numbers, also when it is paused", () =>
      Effect.gen(function*() {
        const store = yield* DeploymentStore
        const scope = scopeOf("numbers")
        const pausedDeployment = deployment("dep-numbers", [], {
          status: "paused",
          connection_configs: [
            { connection_id: ConnectionId.make("sim-1"), phone_numbers: [number(2, 1), number(2, 2)] },
            { connection_id: ConnectionId.make("sim-2"), phone_numbers: [number(2, 3)] }
          ]
        })
        yield* store.put(scope, pausedDeployment)
        yield* store.put(scope, deployment("dep-numbers-other", [number(2, 4)]))
        for (const index of [1, 2, 3]) {
          const deployments = yield* store.findByNumber(number(2, index))
          assert.deepStrictEqual(deployments, Option.some({ scope, deployment: pausedDeployment }))
        }
        assert.deepStrictEqual(yield* store.findByNumber(number(2, 5)), Option.none())
      }))

    it.effect("replaces a deployment and frees the numbers that it no longer has", () =>
      Effect.gen(function*() {
        const store = yield* DeploymentStore
        const scope = scopeOf("again")
        const [kept, given, taken] = [number(3, 1), number(3, 2), number(3, 3)]
        yield* store.put(scope, deployment("dep-again", [kept, given]))
        const update = deployment("dep-again", [taken, kept], { name: "changed", updated_at: at(9) })
        yield* store.put(scope, update)
        assert.deepStrictEqual(yield* store.find(scope, update.deployment_id), Option.some(update))
        assert.deepStrictEqual(yield* store.findByNumber(given), Option.none())
        assert.deepStrictEqual(yield* store.findByNumber(taken), Option.some({ scope, deployment: update }))
        assert.strictEqual((yield* store.list(scope, newest)).total, 1)
        const heir = deployment("dep-again-heir", [given])
        yield* store.put(scopeOf("again-elsewhere"), heir)
        assert.deepStrictEqual(
          yield* store.findByNumber(given),
          Option.some({ scope: scopeOf("again-elsewhere"), deployment: heir })
        )
      }))

    it.effect("searches a workspace by name, description, id and number, ignoring case", () =>
      Effect.gen(function*() {
        const store = yield* DeploymentStore
        const scope = scopeOf("search")
        yield* store.put(scope, deployment("dep-search-a", [number(4, 1)], { name: "Évening 100%" }))
        yield* store.put(scope, deployment("dep-search-b", [number(4, 2)], { name: "x", description: "ÉVEN_ing" }))
        yield* store.put(scope, deployment("dep-search-c", [number(4, 3)], { name: "night", created_at: at(1) }))
        yield* store.put(scopeOf("search-other"), deployment("dep-search-d", [number(4, 4)]))
        const list = listing("search")
        assert.deepStrictEqual(yield* list({}), [3, "dep-search-c", "dep-search-a", "dep-search-b"])
        assert.deepStrictEqual(yield* list({ search: "éVEN" }), [2, "dep-search-a", "dep-search-b"])
        assert.deepStrictEqual(yield* list({ search: "%" }), [1, "dep-search-a"])
        assert.deepStrictEqual(yield* list({ search: "_" }), [1, "dep-search-b"])
        assert.deepStrictEqual(yield* list({ search: "SEARCH-C" }), [1, "dep-search-c"])
        assert.deepStrictEqual(yield* list({ search: number(4, 2) }), [1, "dep-search-b"])
        assert.deepStrictEqual(yield* list({ search: "absent" }), [0])
      }))

    it.effect("sorts by every sortable field in both directions, ties by ascending id, in pages", () =>
      Effect.gen(function*() {
        const store = yield* DeploymentStore
        const scope = scopeOf("sort")
        const rows: ReadonlyArray<readonly [string, Partial<Deployment>]> = [
          ["dep-sort-b", { name: "beta", status: "paused", created_at: at(3), updated_at: at(4) }],
          ["dep-sort-a", { name: "beta", status: "active", created_at: at(3), updated_at: at(6) }],
          ["dep-sort-c", { name: "Alpha", status: "paused", created_at: at(1), updated_at: at(5) }]
        ]
        for (const [index, [id, change]] of rows.entries()) {
          yield* store.put(scope, deployment(id, [number(5, index)], change))
        }
        const ascending = { created_at: "cab", updated_at: "bca", name: "cab", status: "abc" }
        const descending = { created_at: "abc", updated_at: "acb", name: "abc", status: "bca" }
        const list = listing("sort")
        for (const sort_by of deploymentSortable) {
          for (const [sort_order, order] of [["asc", ascending], ["desc", descending]] as const) {
            const ids = [...order[sort_by]].map((letter) => `dep-sort-${letter}`)
            assert.deepStrictEqual(yield* list({ sort_by, sort_order }), [3, ...ids], `${sort_by} ${sort_order}`)
          }
        }
        assert.deepStrictEqual(yield* list({ offset: 1, limit: 1 }), [3, "dep-sort-b"])
        assert.deepStrictEqual(yield* list({ offset: 3 }), [3])
      }))

    it.effect("removes only deployments of the workspace and frees their numbers", () =>
      Effect.gen(function*() {
        const store = yield* DeploymentStore
        const scope = scopeOf("remove")
        const removed = deployment("dep-remove", [number(6, 1)])
        yield* store.put(scope, removed)
        assert.isFalse(yield* store.remove(scopeOf("remove-other"), removed.deployment_id))
        assert.isTrue(Option.isSome(yield* store.findByNumber(number(6, 1))))
        assert.isTrue(yield* store.remove(scope, removed.deployment_id))
        assert.isFalse(yield* store.remove(scope, removed.deployment_id))
        assert.deepStrictEqual(yield* store.find(scope, removed.deployment_id), Option.none())
        assert.deepStrictEqual(yield* store.findByNumber(number(6, 1)), Option.none())
        yield* store.put(scope, deployment("dep-remove-heir", [number(6, 1)]))
        assert.isTrue(Option.isSome(yield* store.findByNumber(number(6, 1))))
      }))

    it.effect("rolls deployments and numbers back when the transaction fails", () =>
      Effect.gen(function*() {
        const store = yield* DeploymentStore
        const { run } = yield* Transactions
        const scope = scopeOf("undone")
        const before = deployment("dep-undone", [number(7, 1)])
        const rollBack = <A>(change: Effect.Effect<A>) =>
          Effect.flip(run(Effect.zipRight(change, Effect.fail("undone"))))
        yield* rollBack(store.put(scope, before))
        assert.deepStrictEqual(yield* store.findByNumber(number(7, 1)), Option.none())
        yield* store.put(scope, before)
        yield* rollBack(store.put(scope, deployment("dep-undone", [number(7, 2)])))
        yield* rollBack(store.remove(scope, before.deployment_id))
        assert.deepStrictEqual(
          yield* store.findByNumber(number(7, 1)),
          Option.some({ scope, deployment: before })
        )
        assert.deepStrictEqual(yield* store.findByNumber(number(7, 2)), Option.none())
      }))
  })
