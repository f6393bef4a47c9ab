import { Agent, AgentCatalog, AgentVersion } from "@trunkline/agents"
import { Conversation, type ConversationOptions } from "@trunkline/conversation"
import { testCallBrief } from "@trunkline/conversation/testing"
import type { LanguageModel } from "@trunkline/models"
import { ScriptedModel, type ScriptedRule } from "@trunkline/scripted-model"
import { Listener, modemTranscriber, modemVoice } from "@trunkline/speech"
import { TextNormalizer } from "@trunkline/spoken-text"
import { TurnTaking } from "@trunkline/turn-taking"
import { Layer, Schema } from "effect"

/** Parts of calls with sound: an agent whose model follows rules, turn-taking, and a voice and an ear for both sides. */
export const soundLayer = (
  { conversation = {}, rules = [], version, model = ScriptedModel.layer(rules), tools = Layer.empty }: {
    readonly version: Record<string, unknown>
    readonly rules?: ReadonlyArray<ScriptedRule>
    /** Model in place of the rules. */
    readonly model?: Layer.Layer<LanguageModel>
    readonly tools?: Layer.Layer<never>
    readonly conversation?: Partial<ConversationOptions>
  }
) => {
  const only = Schema.decodeUnknownSync(AgentVersion)({ app_version: 1, committed: true, ...version })
  return Layer.mergeAll(
    Layer.provide(Conversation.layerWith(conversation), [
      AgentCatalog.layerOf([new Agent({ app_id: testCallBrief.app_id, versions: [only] })]),
      model,
      tools
    ]),
    TurnTaking.layer.pipe(
      Layer.provide([modemVoice(), Layer.provide(Listener.layerOfTranscriber, modemTranscriber), TextNormalizer.layer])
    ),
    modemTranscriber,
    modemVoice()
  )
}
