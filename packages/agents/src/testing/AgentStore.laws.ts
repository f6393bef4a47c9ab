import { assert, layer } from "@effect/vitest"
import { AppId, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Effect, type Layer, Option, Schema } from "effect"
import { versionFields } from "../AgentVersion.js"
import { AgentEntry, VersionEntry } from "../records/AgentRecord.js"
import { AgentStore } from "../records/AgentStore.js"

const at = (second: number) => DateTime.unsafeMake(1_767_225_600_000 + second * 1000)

const workspaceOf = (name: string) =>
  new Scope({ org_id: OrgId.make("agents"), workspace_id: WorkspaceId.make(`agents-${name}`) })

const agentOf = (id: string, changes: Partial<AgentEntry> = {}) =>
  new AgentEntry({
    app_id: AppId.make(id),
    name: null,
    revision: 1,
    created_at: at(0),
    updated_at: at(0),
    updated_by: "desk",
    ...changes
  })

const decode = Schema.decodeUnknownSync(Schema.Struct(versionFields.fields))

const versionOf = (app_version: number, definition: object = {}, changes: Partial<VersionEntry> = {}) => ({
  entry: new VersionEntry({
    version: decode({ app_version, committed: false, ...definition }),
    revision: 1,
    created_at: at(0),
    updated_at: at(0),
    committed_at: null,
    updated_by: "desk",
    ...changes
  }),
  characters: 100 * app_version
})

/** Laws of `AgentStore`. Every test uses its own workspace, so rows may live as long as the layer. */
export const agentStoreLaws = <E>(name: string, live: Layer.Layer<AgentStore | Transactions, E>) =>
  layer(live)(`AgentStore laws: ${name}`, (it) => {
    it.effect("finds an agent and its versions as they were stored, only in their own workspace", () =>
      Effect.gen(function*() {
        const store = yield* AgentStore
        const [scope, other] = [workspaceOf("find"), workspaceOf("find-other")]
        const agent = agentOf("नमस्ते \"quoted\" % '", { name: "अनुस्मारक\u2028" })
        const version = versionOf(1, {
          prompt: "नमस्ते {{name}}\n\u2028",
          languages: ["hi-IN", "English"],
          variables: ["name"],
          tools: [{ name: "find", description: "Finds", parameters: { type: "object", properties: { a: {} } } }]
        })
        yield* store.put(scope, agent)
        yield* store.putVersion(scope, agent.app_id, version)
        assert.deepStrictEqual(yield* store.find(scope, agent.app_id), Option.some(agent))
        assert.deepStrictEqual(yield* store.findVersion(scope, agent.app_id, 1), Option.some(version.entry))
        assert.deepStrictEqual(yield* store.versions(scope, agent.app_id), [version.entry])
        assert.isTrue(Option.isNone(yield* store.findVersion(scope, agent.app_id, 2)))
        assert.isTrue(Option.isNone(yield* store.find(other, agent.app_id)))
        assert.isTrue(Option.isNone(yield* store.findVersion(other, agent.app_id, 1)))
        assert.deepStrictEqual(yield* store.versions(other, agent.app_id), [])
        assert.deepStrictEqual(yield* store.list(other), [])
        assert.deepStrictEqual(yield* store.usage(other), { agents: 0, characters: 0 })
      }))

    it.effect("has the same id in two workspaces for two agents", () =>
      Effect.gen(function*() {
        const store = yield* AgentStore
        const [one, other] = [workspaceOf("same-1"), workspaceOf("same-2")]
        yield* store.put(one, agentOf("desk", { name: "One" }))
        yield* store.putVersion(one, AppId.make("desk"), versionOf(1, { prompt: "One" }))
        yield* store.put(other, agentOf("desk", { name: "Other" }))
        yield* store.putVersion(other, AppId.make("desk"), versionOf(1, { prompt: "Other" }))
        const [first] = yield* store.versions(one, AppId.make("desk"))
        assert.strictEqual(first?.version.prompt, "One")
        assert.deepStrictEqual((yield* store.list(other)).map((agent) => agent.name), ["Other"])
      }))

    it.effect("replaces an agent and a version with the same ids", () =>
      Effect.gen(function*() {
        const store = yield* AgentStore
        const scope = workspaceOf("replace")
        const before = agentOf("desk")
        yield* store.put(scope, before)
        yield* store.putVersion(scope, before.app_id, versionOf(1, { prompt: "Before" }))
        const after = agentOf("desk", { name: "After", revision: 2, updated_at: at(5), updated_by: "night" })
        const version = versionOf(1, { prompt: "After", committed: true }, {
          revision: 2,
          updated_at: at(5),
          committed_at: at(5)
        })
        yield* store.put(scope, after)
        yield* store.putVersion(scope, before.app_id, version)
        assert.deepStrictEqual(yield* store.find(scope, after.app_id), Option.some(after))
        assert.deepStrictEqual(yield* store.findVersion(scope, after.app_id, 1), Option.some(version.entry))
        assert.deepStrictEqual(yield* store.usage(scope), { agents: 1, characters: 100 })
      }))

    it.effect("lists agents by their ids, and versions by their numbers", () =>
      Effect.gen(function*() {
        const store = yield* AgentStore
        const scope = workspaceOf("list")
        for (const id of ["b", "a", "Z", "é"]) yield* store.put(scope, agentOf(id))
        for (const number of [10, 9, 2]) yield* store.putVersion(scope, AppId.make("a"), versionOf(number))
        yield* store.putVersion(scope, AppId.make("b"), versionOf(1))
        assert.deepStrictEqual((yield* store.list(scope)).map(({ app_id }) => String(app_id)), ["Z", "a", "b", "é"])
        const versions = yield* store.versions(scope, AppId.make("a"))
        assert.deepStrictEqual(versions.map(({ version }) => version.app_version), [2, 9, 10])
        assert.deepStrictEqual(yield* store.usage(scope), { agents: 4, characters: 2200 })
      }))

    it.effect("keeps nothing of a transaction that fails", () =>
      Effect.gen(function*() {
        const store = yield* AgentStore
        const { run } = yield* Transactions
        const scope = workspaceOf("rollback")
        const agent = agentOf("desk")
        yield* Effect.flip(run(
          store.put(scope, agent).pipe(
            Effect.zipRight(store.putVersion(scope, agent.app_id, versionOf(1))),
            Effect.zipRight(Effect.fail("undone"))
          )
        ))
        assert.isTrue(Option.isNone(yield* store.find(scope, agent.app_id)))
        assert.deepStrictEqual(yield* store.versions(scope, agent.app_id), [])
      }))
  })
