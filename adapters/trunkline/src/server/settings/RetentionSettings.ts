import { Engine, RetentionDays } from "@trunkline/engine"
import { describeCause, Scope } from "@trunkline/kernel"
import { Effect, Layer, Schema, Struct } from "effect"

/** Days that a workspace keeps data; an entry of a configuration. */
const Rule = Schema.Struct({
  /** As `org/workspace`. */
  workspace: Schema.String.pipe(
    Schema.pattern(/^[^/]+\/[^/]+$/, { message: () => "Must be of the form org/workspace" })
  ),
  ...RetentionDays.fields
})

/** Schema of `retention` in a configuration. */
export const RetentionRules = Schema.Array(Rule)

/** Days of a workspace. */
export interface RetentionRule {
  readonly workspace: string
  readonly scope: Scope
  readonly days: RetentionDays
}

const decodeScope = Schema.decodeUnknownSync(Scope)

/** Reads the entries of a configuration. */
export const retentionOf = (
  { retention }: { readonly retention: typeof RetentionRules.Type }
): ReadonlyArray<RetentionRule> =>
  retention.map((rule) => {
    const [org_id, workspace_id] = rule.workspace.split("/")
    return {
      workspace: rule.workspace,
      scope: decodeScope({ org_id, workspace_id }),
      days: Struct.omit(rule, "workspace")
    }
  })

/** Real time between two runs in a server. */
const every = "1 hour"

/** Deletes old data of a running engine, at its start and every hour. */
export const retentionLayer = (rules: ReadonlyArray<RetentionRule>): Layer.Layer<never, never, Engine> =>
  rules.length === 0 ? Layer.empty : Layer.scopedDiscard(Effect.gen(function*() {
    const { retention, time } = yield* Engine
    const runAll = Effect.flatMap(
      time.now,
      (now) => Effect.forEach(rules, ({ days, scope }) => retention.run(scope, days, now), { discard: true })
    )
    yield* runAll.pipe(
      Effect.catchAllCause((cause) => Effect.logError("Old data could not be deleted", describeCause(cause))),
      Effect.zipRight(Effect.sleep(every)),
      Effect.forever,
      Effect.forkScoped
    )
  }))
