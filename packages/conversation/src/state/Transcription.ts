import type { AppId } from "@trunkline/kernel"
import type { TranscriptTurn } from "@trunkline/telephony"
import { Effect } from "effect"
import { maskForRecord } from "./ActionState.js"
import type { CallPlan, CallState, SpokenTurn } from "./CallState.js"
import type { Translate } from "./ConversationOptions.js"

/** The agents that spoke the turns of a call, each by its id; null for the one that began the call. */
const speakersOf = ({ brief }: CallPlan, { turns }: CallState): ReadonlyArray<AppId | null> => {
  let speaker: AppId | null = null
  return turns.map(({ handedOver, role }) => {
    if (handedOver !== undefined) speaker = handedOver.to_app_id === brief.app_id ? null : handedOver.to_app_id
    return role === "agent" ? speaker : null
  })
}

/** A turn in which entries of digits cannot be read. */
const maskTurn = (turn: SpokenTurn, mask: (text: string) => string): SpokenTurn => ({
  ...turn,
  text: mask(turn.text),
  en_text: turn.en_text && mask(turn.en_text),
  ...(turn.tool && { tool: { ...turn.tool, arguments: mask(turn.tool.arguments) } })
})

const transcribe =
  (translate: Translate.Service) =>
  ([turn, speaker]: readonly [SpokenTurn, AppId | null]): Effect.Effect<TranscriptTurn> => {
    const { at, handedOver, language_name, role, text, timings, tool, turnEnd } = turn
    const turn_end = turnEnd?.() ?? null
    const base = {
      role,
      language_name,
      at,
      ...(tool &&
        {
          tool_name: tool.name,
          tool_arguments: tool.arguments,
          tool_outcome: tool.outcome,
          tool_seconds: tool.seconds
        }),
      ...(tool?.transfer && { transfer: tool.transfer }),
      ...(handedOver && { handed_over: handedOver }),
      ...(speaker !== null && { app_id: speaker }),
      ...(timings && { timings }),
      ...(turn_end && { turn_end })
    }
    if (language_name === null || language_name === "English") {
      return Effect.succeed({ en_text: turn.en_text ?? text, indic_text: null, ...base })
    }
    const english = turn.en_text === null ? translate.toEnglish({ text, language_name }) : Effect.succeed(turn.en_text)
    return Effect.map(english, (en_text) => ({ en_text, indic_text: text, ...base }))
  }

/** The transcript of a call, with who spoke, in English, and without entries of digits. */
export const transcriptOf = (
  call: CallPlan,
  state: CallState,
  translate: Translate.Service
): Effect.Effect<ReadonlyArray<TranscriptTurn>> => {
  const mask = maskForRecord(state.actions)
  const speakers = speakersOf(call, state)
  const turns = state.turns.map((turn, index) => [maskTurn(turn, mask), speakers[index] ?? null] as const)
  return Effect.forEach(turns, transcribe(translate))
}
