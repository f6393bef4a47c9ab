import { AgentCatalog, committedVersions, isCommitted } from "@trunkline/agents"
import { BulkEnrolment, Roster } from "@trunkline/campaigns"
import { Cohorts, CohortStore } from "@trunkline/cohorts"
import { Tenants } from "@trunkline/conversation"
import { type CampaignId, type Scope, scopeKey } from "@trunkline/kernel"
import { AccountStore } from "@trunkline/rate-limits"
import { Voices } from "@trunkline/speech"
import { AgentVersions, KnownCallers } from "@trunkline/telephony"
import { AgentVoice } from "@trunkline/turn-taking"
import { Cache, Effect, Layer, Option } from "effect"

/** Committed agent versions and their outputs, for telephony and campaigns. */
export const agentVersionsLayer: Layer.Layer<AgentVersions, never, AgentCatalog> = Layer.effect(
  AgentVersions,
  Effect.map(AgentCatalog, (catalog) =>
    AgentVersions.of({
      isCommitted: (scope, app_id, app_version) =>
        Effect.map(catalog.find(scope, app_id), Option.exists((agent) => isCommitted(agent, app_version))),
      committed: (scope, app_id) => Effect.map(catalog.find(scope, app_id), Option.map(committedVersions)),
      outputs: (scope, app_id, app_version) =>
        Effect.map(
          Effect.option(Effect.flatten(catalog.version(scope, app_id, app_version))),
          Option.match({
            onNone: () => null,
            onSome: ({ output_variables }) => output_variables.map(({ name }) => name)
          })
        )
    }))
)

/** Cache of tenants: the most recently used workspaces, for a minute. */
const tenantCache = { capacity: 1_024, timeToLive: "1 minute" } as const

/** Tenants of conversations: a call uses models on behalf of the account that owns its workspace, as the API does. */
export const tenantsLayer = Layer.effect(
  Tenants,
  Effect.gen(function*() {
    const accounts = yield* AccountStore
    const tenants = yield* Cache.make({
      ...tenantCache,
      lookup: (scope: Scope) =>
        Effect.map(
          accounts.findWorkspace(scope),
          Option.match({ onNone: () => scopeKey(scope), onSome: ({ account_id }) => account_id })
        )
    })
    const service: Tenants.Service = { of: (scope) => tenants.get(scope) }
    return service
  })
)

/** Voices of agents: the saved voice that a version names, of the account that owns the workspace. */
export const agentVoiceLayer = Layer.effect(
  AgentVoice,
  Effect.gen(function*() {
    const agents = yield* AgentCatalog
    const voices = yield* Voices
    const tenants = yield* Tenants
    const service: AgentVoice.Service = {
      of: ({ app_id, app_version, scope }) =>
        Effect.flatMap(Effect.option(Effect.flatten(agents.version(scope, app_id, app_version))), (version) => {
          const { pace = 1, voice_id } = Option.getOrUndefined(version)?.voice ?? {}
          const reference = voice_id === undefined
            ? Effect.succeed(null)
            : Effect.flatMap(tenants.of(scope), (account) => voices.reference(account, voice_id))
          return Effect.map(reference, (reference) => ({ pace, reference }))
        })
    }
    return service
  })
)

const campaignOwner = (campaign: CampaignId) => ({ kind: "campaign", id: campaign }) as const

/** Contacts of a campaign: those to call, from its cohorts, and those not to call, from its stop files. */
export const rosterLayer: Layer.Layer<Roster, never, CohortStore> = Layer.effect(
  Roster,
  Effect.zipWith(CohortStore, BulkEnrolment, (cohorts, bulk) =>
    Roster.of({
      ...(bulk === null ? {} : { bulk }),
      next: (scope, campaign, after, limit) =>
        Effect.map(
          cohorts.usersAfter(scope, campaignOwner(campaign), { category: "cohort", after, limit }),
          (page) =>
            page.map(({ cohort_id, cursor, user: { row: _, ...contact } }) => ({ cursor, cohort_id, ...contact }))
        ),
      cohorts: (scope, campaign) =>
        Effect.map(cohorts.tally(scope, campaignOwner(campaign)), ({ cohorts: total, processing, users: people }) => ({
          total,
          processing,
          people
        })),
      stops: (scope, campaign, after, limit) =>
        Effect.map(
          cohorts.usersAfter(scope, campaignOwner(campaign), { category: "stop_file", after, limit }),
          (page) => page.map(({ cursor, user: { user_phone_number } }) => ({ cursor, user_phone_number }))
        ),
      filterStopped: (scope, campaign, numbers) => cohorts.filterStopped(scope, campaignOwner(campaign), numbers)
    }))
)

/** Known callers of a deployment, from its cohorts. */
export const knownCallersLayer: Layer.Layer<KnownCallers, never, CohortStore | Cohorts> = Layer.effect(
  KnownCallers,
  Effect.gen(function*() {
    const store = yield* CohortStore
    const cohorts = yield* Cohorts
    return KnownCallers.of({
      find: (scope, deployment, caller) =>
        Effect.map(
          store.findCaller(scope, { kind: "deployment", id: deployment }, caller),
          Option.map(({ cohort_id, user: { row: _, ...contact } }) => ({ ...contact, cohort_id }))
        ),
      forget: (scope, deployment) => cohorts.removeOwner(scope, { kind: "deployment", id: deployment })
    })
  })
)
