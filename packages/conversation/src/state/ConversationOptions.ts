import type { AgentTool, AgentVersion, DefinedAgent, ToolHandlers } from "@trunkline/agents"
import { type AppId, type Scope, scopeKey } from "@trunkline/kernel"
import { conversationModel } from "@trunkline/models"
import type { CallBrief } from "@trunkline/telephony"
import { Context, Duration, Effect, Layer } from "effect"

/** Options of conversations. */
export interface ConversationOptions {
  /** The model of agents that name none. */
  readonly model: string
  /** Silence of the caller before the agent asks; business time. */
  readonly silence: Duration.Duration
  /** Number of times the agent asks into a silence before it says goodbye. */
  readonly reprompts: number
  /** Maximum number of tool calls between two utterances of the caller. */
  readonly toolCalls: number
  /** Maximum number of uses of host tools in a call. */
  readonly toolCallsInCall: number
  /** Timeout of one model response, or of one tool without a timeout of its own; technical time. */
  readonly timeout: Duration.Duration
  /** Reports of calls have what the model was sent. */
  readonly modelInputs: boolean
  /** Ended calls that break a rule of every call are logged and counted. */
  readonly checkCalls: boolean
}

/**
 * Defaults: 8 seconds of silence, 2 reprompts, 8 tool calls per turn and 60 in a call, a timeout of 12 seconds, reports with
 * model inputs, and checks of ended calls.
 */
export const conversationDefaults: ConversationOptions = {
  model: conversationModel,
  silence: Duration.seconds(8),
  reprompts: 2,
  toolCalls: 8,
  toolCallsInCall: 60,
  timeout: Duration.seconds(12),
  modelInputs: true,
  checkCalls: true
}

/** The host application's handlers of agents' tools; none by default. */
export class AgentTools extends Context.Reference<AgentTools>()("@trunkline/conversation/AgentTools", {
  defaultValue: (): AgentTools.Service => ({ of: () => ({}) })
}) {
  /** The handlers that agents were defined with, each for the tools of its own agent. */
  static readonly ofAgents = (agents: ReadonlyArray<DefinedAgent>): AgentTools.Service => {
    const key = (app_id: AppId, app_version: number) => `${app_id} ${app_version}`
    const byVersion = new Map(
      agents.flatMap(({ agent: { app_id, versions }, handlers }) =>
        versions.map(({ app_version }) => [key(app_id, app_version), handlers] as const)
      )
    )
    return { of: ({ app_id, app_version }) => byVersion.get(key(app_id, app_version)) ?? {} }
  }

  /** Provides {@link AgentTools.ofAgents}. */
  static readonly layerOfAgents = (agents: ReadonlyArray<DefinedAgent>) =>
    Layer.succeed(AgentTools, AgentTools.ofAgents(agents))

  /** These handlers, for every agent that lists their tools. */
  static readonly layerOf = (handlers: ToolHandlers) => Layer.succeed(AgentTools, { of: () => handlers })
}

/** The agent of a call, by its ids. */
type AgentOfCall = Pick<CallBrief, "scope" | "app_id" | "app_version">

export declare namespace AgentTools {
  /** Service of the reference. */
  export interface Service {
    /** The handlers of a version of an agent, by tool name. */
    readonly of: (call: AgentOfCall, version: AgentVersion) => ToolHandlers
    /** Tools that a version has beside those that it lists, such as those of MCP servers, as they are now; none when absent. */
    readonly beside?: (call: AgentOfCall, version: AgentVersion) => ReadonlyArray<AgentTool>
  }
}

/** Looks up the tenant to which the model requests of a call are attributed. By default, each workspace is a tenant. */
export class Tenants extends Context.Reference<Tenants>()("@trunkline/conversation/Tenants", {
  defaultValue: (): Tenants.Service => ({ of: (scope) => Effect.succeed(scopeKey(scope)) })
}) {}

export declare namespace Tenants {
  /** Service of the reference. */
  export interface Service {
    /** The id of the workspace's tenant, for the `origin` of model requests. */
    readonly of: (scope: Scope) => Effect.Effect<string>
  }
}

/** A turn of a transcript in a language other than English. */
export interface ForeignText {
  readonly text: string
  /** English name of its language. */
  readonly language_name: string
}

/** Translates transcripts into English after a call. By default, the original text is used as its translation. */
export class Translate extends Context.Reference<Translate>()("@trunkline/conversation/Translate", {
  defaultValue: (): Translate.Service => ({ toEnglish: ({ text }) => Effect.succeed(text) })
}) {}

export declare namespace Translate {
  /** Service of the reference. */
  export interface Service {
    /** The text in English, or the original text if it cannot be translated. */
    readonly toEnglish: (text: ForeignText) => Effect.Effect<string>
  }
}
