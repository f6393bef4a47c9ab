import { type EndedBy, type Heard, type Leg, LegEnded } from "@trunkline/telephony"
import { Deferred, Effect, FiberId, Option } from "effect"
import { languageName } from "./Languages.js"
import type { RelayMessage } from "./RelayMessages.js"

/** Ear of a relay: words and keys wait in order until somebody listens. */
export interface RelayEar {
  /** Takes a part of a sentence; returns true when it is the last one, with words. */
  readonly prompt: (message: Extract<RelayMessage, { readonly _tag: "Prompt" }>) => boolean
  readonly key: (digit: string) => void
  /** Leaves out the first words and keys. */
  readonly skip: (count: number) => void
  /** True when more waits than anybody can listen to. */
  readonly isFull: () => boolean
  /** Tells whoever listens that the call has ended. */
  readonly wake: () => void
  readonly listen: Leg["listen"]
}

/** Most words and keys that wait for somebody to listen, and most characters of a sentence: beyond it the call ends. */
const maxWaiting = { inputs: 1_000, characters: 20_000 }

/** Makes the ear of a relay; `endedBy` is the side that has ended the call, null while it goes on. */
export const makeRelayEar = (endedBy: () => EndedBy | null): RelayEar => {
  let inputs: Array<Heard> = []
  let partial = ""
  let arrival = Deferred.unsafeMake<void>(FiberId.none)

  const wake = (): void => {
    Deferred.unsafeDone(arrival, Effect.void)
  }
  const hear = (input: Heard): void => {
    inputs.push(input)
    wake()
  }

  const listen: Leg["listen"] = (silence) =>
    Effect.suspend(() => {
      const next = inputs.shift()
      if (next !== undefined) return Effect.succeed(next)
      const by = endedBy()
      if (by !== null) return new LegEnded({ by })
      arrival = Deferred.unsafeMake<void>(FiberId.none)
      return Effect.flatMap(
        Effect.timeoutOption(Deferred.await(arrival), silence),
        (came) => Option.isSome(came) ? listen(silence) : Effect.succeed({ _tag: "Silent" as const })
      )
    })

  return {
    prompt: ({ isLast, language, text }) => {
      partial += text
      if (!isLast) return false
      const words = partial.trim()
      partial = ""
      if (words === "") return false
      hear({ _tag: "Said", text: words, en_text: null, language_name: languageName(language) })
      return true
    },
    key: (digit) => {
      if (/^[0-9*#A-D]$/.test(digit)) hear({ _tag: "Pressed", digit })
    },
    skip: (count) => {
      inputs = inputs.slice(count)
    },
    isFull: () => inputs.length > maxWaiting.inputs || partial.length > maxWaiting.characters,
    wake,
    listen
  }
}
