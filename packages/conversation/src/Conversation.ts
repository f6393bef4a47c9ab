import { AgentCatalog } from "@trunkline/agents"
import { BusinessTime } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { type CallBrief, CallFault, CallHandler, type Leg } from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import { AgentTools } from "./AgentTools.js"
import { planCall } from "./CallState.js"
import { conversationDefaults, type ConversationOptions } from "./ConversationOptions.js"
import { converse } from "./Interpreter.js"
import { modelFault, report } from "./Report.js"
import { Tenants } from "./Tenants.js"
import { Translate } from "./Translate.js"

const layerWith = (
  options: Partial<ConversationOptions>
): Layer.Layer<CallHandler, never, AgentCatalog | LanguageModel> =>
  Layer.effect(
    CallHandler,
    Effect.gen(function*() {
      const agents = yield* AgentCatalog
      const model = yield* LanguageModel
      const handlers = yield* AgentTools
      const tenants = yield* Tenants
      const translate = yield* Translate

      const handle = Effect.fn("Conversation.handle")(function*(leg: Leg, brief: CallBrief) {
        const startedAt = yield* BusinessTime.now
        const version = yield* Effect.flatten(agents.version(brief.scope, brief.app_id, brief.app_version)).pipe(
          Effect.mapError(() => new CallFault({ reason: "There is no such version of the agent." })),
          Effect.tapError(() => leg.hangUp)
        )
        const tenant = yield* tenants.of(brief.scope)
        const plan = planCall({ version, brief, tenant, startedAt, options: { ...conversationDefaults, ...options } })
        const state = yield* converse({ plan, leg, model, handlers })
        return state.closing === "fault" && !state.answered
          ? yield* new CallFault({ reason: modelFault })
          : yield* report(plan, state, translate)
      })

      return CallHandler.of({ handle })
    })
  )

/**
 * Takes calls and has them led by agents: those with a script step by step, all others by the language model.
 *
 * The agent greets, listens, answers, and takes leave; it asks into silences, follows the caller's language if it
 * speaks it, and comes to an end in time. However the call ends there is exactly one report, which holds only what was
 * heard. A model that fails before its first answer is a `CallFault`; later it is a `fault` in the report.
 *
 * An answering machine is not told from a person in this form: the agent talks to it until it falls silent.
 */
export const Conversation = {
  /** With the usual {@link ConversationOptions}. */
  layer: layerWith({}),
  /** With some options of your own. */
  layerWith
}
