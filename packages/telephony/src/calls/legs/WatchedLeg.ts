import { Duration, Effect } from "effect"
import type { CallProgress, CallWatch } from "../../call/CallWatch.js"
import type { Heard, Leg } from "../../call/Leg.js"
import { withSecrecy } from "./Secrecy.js"

/** Words of what was heard; null without any. */
const wordsOf = (input: Heard): CallProgress | null => {
  switch (input._tag) {
    case "Said":
      return { _tag: "Words", role: "user", text: input.text, language_name: input.language_name, isFinal: true }
    case "Pressed":
      return { _tag: "Words", role: "user", text: input.digit, language_name: null, isFinal: true }
    case "Silent":
    case "Unheard":
      return null
  }
}

/** Wraps a leg so that its watcher is told the words of both sides and what the agent does. */
export const watchedLeg = (leg: Leg, watch: typeof CallWatch.Service): Leg => {
  if (watch === null) return leg
  const turnTo = (state: Extract<CallProgress, { readonly _tag: "State" }>["state"]) => watch({ _tag: "State", state })
  return withSecrecy(leg, (show) => ({
    ...leg,
    say: (utterance) =>
      Effect.suspend(() => {
        const tell = (text: string, isFinal: boolean): void => {
          if (text.trim() === "") return
          watch({ _tag: "Words", role: "agent", text, language_name: utterance.language_name, isFinal })
        }
        turnTo("speaking")
        const onHeard = (text: string): void => {
          utterance.onHeard?.(text)
          tell(text, false)
        }
        return Effect.tap(leg.say({ ...utterance, onHeard }), ({ heard }) => Effect.sync(() => tell(heard, true)))
      }),
    listen: (silence) =>
      Effect.suspend(() => {
        if (Duration.toMillis(silence) > 0) turnTo("listening")
        return Effect.tap(leg.listen(silence), (input) =>
          Effect.sync(() => {
            const words = wordsOf(show(input))
            if (words === null) return
            if (words._tag !== "Words" || words.text.trim() !== "") watch(words)
            const reply = input._tag === "Said" ? input.ownReply ?? null : null
            if (reply !== null) {
              watch({ _tag: "Words", role: "agent", text: reply.text, language_name: null, isFinal: true })
            }
            turnTo("thinking")
          }))
      })
  }))
}
