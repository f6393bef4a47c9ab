import { AgentCatalog, undeclaredVariables } from "@trunkline/agents"
import { Invalid, NotFound, RuleViolation, Unavailable } from "@trunkline/errors"
import { checkWebAddress, Ids, type Scope, WebAddressRules } from "@trunkline/kernel"
import { Listener, Synthesizer } from "@trunkline/speech"
import { RealtimeModel } from "@trunkline/turn-taking"
import { Clock, DateTime, Effect, Option } from "effect"
import { browserNumbers, type CreateBrowserCall } from "./BrowserCall.js"
import type { BrowserCallSettings } from "./BrowserCallSettings.js"
import { makeTickets, maxTokenLength } from "./Ticket.js"

/** Time in which a token has to be used. */
const tokenLifetime = 60_000

/** A request to open the WebSocket of a call. */
export interface BrowserCallRequest {
  readonly org_id: string
  readonly workspace_id: string
  readonly token: string
  /** Header of browsers; null where a program asks. */
  readonly origin: string | null
}

const pathOf = ({ org_id, workspace_id }: Scope, token: string): string =>
  `/v1/orgs/${encodeURIComponent(org_id)}/workspaces/${encodeURIComponent(workspace_id)}/calls/talk?token=${token}`

/** Makes the maker and the reader of tokens for calls from browsers. */
export const makeBrowserTokens = (
  { enabled = true, max_duration_seconds = 1_800, origins, public_url }: BrowserCallSettings
) =>
  Effect.gen(function*() {
    const addresses = yield* WebAddressRules
    const agents = yield* AgentCatalog
    const ids = yield* Ids
    const listener = yield* Listener
    const synthesizer = yield* Synthesizer
    const realtime = yield* RealtimeModel
    const tickets = yield* makeTickets

    const checkParts = Effect.suspend(() => {
      const lacking = !enabled
        ? "Calls from browsers are switched off (browser_calls.enabled)"
        : realtime !== null
        ? null
        : listener.available === false
        ? "Nothing hears the callers: set up a transcriber, then agents can be called from a browser"
        : synthesizer.ability.engine === "none"
        ? "Nothing speaks: set up a voice, then agents can be called from a browser"
        : null
      return lacking === null ? Effect.void : Effect.fail(new Unavailable({ message: lacking }))
    })

    const versionOf = Effect.fnUntraced(function*(scope: Scope, { app_id, app_version }: CreateBrowserCall) {
      const agent = Option.getOrUndefined(yield* agents.find(scope, app_id))
      if (agent === undefined) return yield* new NotFound({ resource: "agent", id: app_id })
      const committedVersions = agent.versions.filter((version) => version.committed)
      const newest = Math.max(
        ...(committedVersions.length > 0 ? committedVersions : agent.versions).map((each) => each.app_version)
      )
      const version = agent.versions.find((each) => each.app_version === (app_version ?? newest))
      return version ?? (yield* Invalid.at(["body", "app_version"], "value_error", "The agent has no such version"))
    })

    const create = Effect.fn("BrowserCalls.create")(function*(scope: Scope, body: CreateBrowserCall) {
      yield* checkParts
      const version = yield* versionOf(scope, body)
      const [unknownName] = undeclaredVariables(version, body.agent_variables)
      if (unknownName !== undefined) {
        const at = ["body", "agent_variables", unknownName]
        return yield* Invalid.at(at, "value_error", "The version does not declare this variable")
      }
      if (body.webhook_config !== null) {
        yield* checkWebAddress(body.webhook_config.url, ["body", "webhook_config", "url"], addresses)
      }
      const attempt_id = yield* ids.attemptId
      const expires_at = (yield* Clock.currentTimeMillis) + tokenLifetime
      const token = yield* tickets.seal({
        attempt_id,
        org_id: scope.org_id,
        workspace_id: scope.workspace_id,
        app_id: body.app_id,
        app_version: version.app_version,
        agent_variables: body.agent_variables,
        app_overrides: body.app_overrides ?? {},
        user_identifier: body.user_identifier ?? attempt_id,
        user_phone_number: body.user_phone_number ?? browserNumbers.person,
        max_seconds: Math.min(body.max_duration_seconds ?? max_duration_seconds, max_duration_seconds),
        webhook: body.webhook_config,
        expires_at
      })
      if (token.length > maxTokenLength) {
        return yield* RuleViolation.at(
          ["body", "agent_variables"],
          "Too much for a token: variables, overrides and webhook may have some 4,000 bytes together. Give an id, and let a "
            + "tool of the agent look up the rest"
        )
      }
      const path = pathOf(scope, token)
      return {
        attempt_id,
        token,
        url: public_url === undefined ? path : `${public_url.replace(/^http/, "ws")}${path}`,
        expires_at: DateTime.unsafeMake(expires_at)
      }
    })

    /** Ticket of a request, or why it is refused. */
    const check = Effect.fnUntraced(function*(request: BrowserCallRequest) {
      const result = yield* tickets.open(request.token)
      if (Option.isNone(result)) return "token_invalid" as const
      const ticket = result.value
      if (ticket.org_id !== request.org_id || ticket.workspace_id !== request.workspace_id) {
        return "token_invalid" as const
      }
      if (origins !== undefined && !origins.includes(request.origin ?? "")) return "origin_refused" as const
      if (ticket.expires_at <= (yield* Clock.currentTimeMillis)) return "token_expired" as const
      return enabled ? ticket : "unavailable" as const
    })

    return { create, check }
  })
