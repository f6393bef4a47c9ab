import type { Scope } from "@trunkline/kernel"
import { Context, Effect } from "effect"
import type { Fact, FactNames } from "./Fact.js"

/** Looks up what people call the agent, campaign and cohort of a fact, as it is now. Nobody knows, unless provided. */
export class Names extends Context.Reference<Names>()("@trunkline/warehouse/Names", {
  defaultValue: (): {
    readonly of: (
      scope: Scope,
      fact: Pick<Fact, "app_id" | "campaign_id" | "cohort_id" | "deployment_id">
    ) => Effect.Effect<FactNames>
  } => ({ of: () => Effect.succeed({ app_name: null, campaign_name: null, cohort_name: null }) })
}) {}
