import { assert, describe, it } from "@effect/vitest"
import { AppId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { agentIssues, AgentVersions } from "@trunkline/telephony"
import { Effect, Option } from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

const messageOf = (committed: Option.Option<ReadonlyArray<number>>) =>
  agentIssues(
    AgentVersions.of({
      isCommitted: () => Effect.succeed(false),
      committed: () => Effect.succeed(committed),
      outputs: () => Effect.succeed(null)
    }),
    scope,
    { app_id: AppId.make("sales"), app_version: 9, loc: ["body"] }
  ).pipe(Effect.map((issues) => issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`)))

describe("a version that cannot take calls", () => {
  it.effect("is refused with those that can, the newest twenty at most", () =>
    Effect.gen(function*() {
      const message = `body.app_version: Version 9 of the agent "sales" is not committed; `
      assert.deepStrictEqual(yield* messageOf(Option.some([1, 2, 3])), [`${message}committed: 1, 2, 3`])
      assert.deepStrictEqual(yield* messageOf(Option.some([])), [
        `${message}it has no committed version: commit one first`
      ])
      const many = Array.from({ length: 30 }, (_, index) => index + 10)
      assert.deepStrictEqual(yield* messageOf(Option.some(many)), [
        `${message}committed: …, ${many.slice(10).join(", ")}`
      ])
      assert.deepStrictEqual(yield* messageOf(Option.none()), [`body.app_id: There is no agent "sales"`])
    }))
})
