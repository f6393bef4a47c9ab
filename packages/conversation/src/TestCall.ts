import { Agent, AgentCatalog, type AgentVersion } from "@trunkline/agents"
import { AppId, AttemptId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import type { LanguageModel } from "@trunkline/models"
import { type CallBrief, type CallFault, CallHandler, type CallReport } from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"
import { Conversation } from "./Conversation.js"
import type { ConversationOptions } from "./ConversationOptions.js"
import { type CalleeLine, type LegEvent, scriptedLeg, type ScriptedLegOptions } from "./ScriptedLeg.js"

/** A call to try an agent out with. */
export interface TestCall extends ScriptedLegOptions {
  readonly version: AgentVersion
  /** What the person at the other end says. */
  readonly lines: ReadonlyArray<string | CalleeLine>
  /** What is not usual about the call: its variables, its direction, what it overrides. */
  readonly brief?: Partial<CallBrief>
  readonly conversation?: Partial<ConversationOptions>
}

/** What came of a trial: the report, and what happened on the line. */
export interface Trial {
  readonly report: CallReport
  readonly log: ReadonlyArray<LegEvent>
}

const app_id = AppId.make("trial")

/** An outbound call of up to an hour to nobody in particular. */
export const trialBrief: CallBrief = {
  attempt_id: AttemptId.make("00000000-0000-7000-8000-000000000000"),
  scope: new Scope({ org_id: OrgId.make("trial"), workspace_id: WorkspaceId.make("trial") }),
  direction: "outbound",
  app_id,
  app_version: 1,
  user_phone_number: PhoneNumber.make("+919800000001"),
  agent_phone_number: PhoneNumber.make("+911140000001"),
  agent_variables: {},
  app_overrides: {},
  maxDuration: Duration.hours(1)
}

/** Has a version of an agent hold one call with a scripted person. Run it on `VirtualClock`. */
export const tryOut = (
  { brief, conversation, lines, version, ...line }: TestCall
): Effect.Effect<Trial, CallFault, LanguageModel> =>
  Effect.gen(function*() {
    const { leg, log } = yield* scriptedLeg(lines, line)
    const handler = yield* CallHandler
    const report = yield* handler.handle(leg, { ...trialBrief, app_version: version.app_version, ...brief })
    return { report, log: yield* log }
  }).pipe(
    Effect.provide(
      Layer.provide(
        Conversation.layerWith(conversation ?? {}),
        AgentCatalog.layerOf([new Agent({ app_id, versions: [version] })])
      )
    )
  )
