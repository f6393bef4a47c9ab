import { Effect } from "effect"
import type { RecordingControl } from "../../call/CallRecording.js"
import type { Heard, Leg } from "../../call/Leg.js"

/** Keys as watchers and records may see them: digits as dots, the rest as it is. */
const withoutDigits = (keys: string): string => keys.replace(/[0-9]/gu, "•")

/** Something that was heard while it is secret, as watchers may know it: no words, and no digits. */
const conceal = (input: Heard): Heard => {
  switch (input._tag) {
    case "Said":
      return { _tag: "Silent" }
    case "Pressed":
      return { ...input, digit: withoutDigits(input.digit) }
    case "Silent":
    case "Unheard":
      return input
  }
}

/** Wraps a leg for watchers of it, with what they may know of what it hears: less while the caller enters something secret. */
export const withSecrecy = (leg: Leg, wrap: (shown: (heard: Heard) => Heard) => Leg): Leg => {
  let isSecret = false
  return {
    ...wrap((input) => isSecret ? conceal(input) : input),
    secrecy: (begins) =>
      Effect.suspend(() => {
        isSecret = begins
        return leg.secrecy?.(begins) ?? Effect.void
      })
  }
}

/** Wraps a leg so that its recording has silence while the caller enters something secret. */
export const withPauses = (leg: Leg, { pause, resume }: Pick<RecordingControl, "pause" | "resume">): Leg => {
  let isPaused = false
  return {
    ...leg,
    secrecy: (begins) =>
      Effect.suspend(() => {
        const change = begins === isPaused ? Effect.void : begins ? pause : resume
        isPaused = begins
        return Effect.zipRight(change, leg.secrecy?.(begins) ?? Effect.void)
      })
  }
}
