import type { InteractionId } from "@trunkline/kernel"
import { DateTime, Effect } from "effect"
import type { Attempt } from "../../call/Attempt.js"
import type { TranscriptTurn } from "../../call/CallHandler.js"
import type { Heard, Leg, Utterance } from "../../call/Leg.js"
import type { LiveEvent } from "../../live/LiveEvent.js"
import { withSecrecy } from "./Secrecy.js"

/** Words of one side of a call. */
export interface TurnText {
  readonly role: "agent" | "user"
  readonly text: string
  readonly en_text: string | null
  readonly language_name: string | null
}

const turnTextOf = (input: Extract<Heard, { readonly _tag: "Said" | "Pressed" }>): Omit<TurnText, "role"> =>
  input._tag === "Said"
    ? { text: input.text, en_text: input.en_text, language_name: input.language_name }
    : { text: input.digit, en_text: null, language_name: null }

/** The event of a turn in the live feed. */
export const turnEvent = (
  turn: TurnText,
  { attempt, interaction_id, now }: {
    readonly attempt: Attempt
    readonly interaction_id: InteractionId
    readonly now: number
  }
): LiveEvent => ({
  type: "turn",
  at: DateTime.unsafeMake(Math.floor(now)),
  attempt_id: attempt.attempt_id,
  campaign_id: attempt.campaign_id,
  interaction_id,
  ...turn
})

/** A turn for the transcript of a call that is cut off: what has no English is not translated then. */
export const transcriptTurn = ({ en_text, language_name, role, text }: TurnText, at: number): TranscriptTurn => {
  const isEnglish = language_name === null || language_name === "English"
  return { role, en_text: en_text ?? text, indic_text: isEnglish ? null : text, language_name, at }
}

/** Wraps a leg so that every turn with words is told, and the parts of one that goes on. */
export const tellTurns = (leg: Leg, { tell, tellPart }: {
  readonly tell: (turn: TurnText) => Effect.Effect<void>
  readonly tellPart: (turn: TurnText) => void
}): Leg => {
  const tellWords = (turn: TurnText) => turn.text.trim() === "" ? Effect.void : tell(turn)
  return withSecrecy(leg, (show) => ({
    ...leg,
    say: (utterance: Utterance) => {
      const turnOf = (text: string): TurnText => ({
        role: "agent",
        text,
        en_text: null,
        language_name: utterance.language_name
      })
      return Effect.tap(
        leg.say({ ...utterance, onHeard: (input) => tellPart(turnOf(input)) }),
        ({ heard }) => tellWords(turnOf(heard))
      )
    },
    listen: (silence) =>
      Effect.tap(leg.listen(silence), (event) => {
        const input = show(event)
        if (input._tag !== "Said" && input._tag !== "Pressed") return Effect.void
        const words = turnTextOf(input)
        const reply = input._tag === "Said" ? input.ownReply ?? null : null
        return Effect.zipRight(
          tellWords({ role: "user", ...words }),
          reply === null ? Effect.void : tellWords({ ...words, role: "agent", text: reply.text, en_text: null })
        )
      })
  }))
}
