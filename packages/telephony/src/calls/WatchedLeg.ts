import { BusinessTime, type InteractionId } from "@trunkline/kernel"
import { DateTime, Effect } from "effect"
import type { Attempt } from "../Attempt.js"
import type { LiveFeed } from "../LiveFeed.js"
import type { Heard, Leg, Utterance } from "./Leg.js"

interface Words {
  readonly role: "agent" | "user"
  readonly text: string
  readonly en_text: string | null
  readonly language_name: string | null
}

const wordsOf = (heard: Exclude<Heard, { readonly _tag: "Silent" }>): Omit<Words, "role"> =>
  heard._tag === "Said" ? heard : { text: heard.digit, en_text: null, language_name: null }

/** A leg whose every turn is told to those who watch. */
export const watchedLeg = (
  leg: Leg,
  { attempt, feed, interaction_id }: {
    readonly attempt: Attempt
    readonly feed: LiveFeed.Service
    readonly interaction_id: InteractionId
  }
): Leg => {
  const tell = ({ en_text, language_name, role, text }: Words) =>
    text.trim() === ""
      ? Effect.void
      : Effect.flatMap(BusinessTime.now, (now) =>
        feed.tell(attempt, () => ({
          type: "turn",
          at: DateTime.unsafeMake(Math.floor(now)),
          attempt_id: attempt.attempt_id,
          campaign_id: attempt.campaign_id,
          interaction_id,
          role,
          text,
          en_text,
          language_name
        })))
  return {
    say: (utterance: Utterance) =>
      Effect.tap(
        leg.say(utterance),
        ({ heard }) => tell({ role: "agent", text: heard, en_text: null, language_name: utterance.language_name })
      ),
    listen: (silence) =>
      Effect.tap(
        leg.listen(silence),
        (heard) => heard._tag === "Silent" ? Effect.void : tell({ role: "user", ...wordsOf(heard) })
      ),
    hangUp: leg.hangUp
  }
}
