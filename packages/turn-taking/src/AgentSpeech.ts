import type { AudioLine, Spoken } from "@trunkline/telephony"
import { Deferred, Effect, FiberId, Stream } from "effect"

/** Characters a second of an average voice, for the length of a clause whose sound is not complete. */
const CHARACTERS_PER_SECOND = 15

/** Clauses whose sound is given to the line before they are due: the one that is played, and the next. */
const CLAUSES_AHEAD = 1

/** Parts of one utterance of the agent. */
interface SpeechParts<E> {
  readonly line: AudioLine
  readonly clauses: ReadonlyArray<string>
  readonly interruptible: boolean
  /** First number of its marks: one for each clause. */
  readonly firstMark: number
  /** Sound of a clause, at the rate of the line. */
  readonly speak: (clause: string) => Stream.Stream<Float32Array, E>
}

/**
 * One utterance of the agent on a line: it can be paused, resumed from the clause that was cut, and ended, and it knows
 * the words that were heard.
 */
export interface AgentSpeech<E> {
  readonly interruptible: boolean
  /** True between `pause` and `resume`. */
  readonly isPaused: boolean
  /** Speaks; completes when all was played or when `end` was called. Fails when the voice fails. */
  readonly run: Effect.Effect<Spoken, E>
  /** Stops the sound, and the voice that makes it. */
  readonly pause: () => void
  /** Goes on from the beginning of the clause that was cut. */
  readonly resume: () => void
  /** Ends it with what was heard. */
  readonly end: () => void
  /** Stops the sound and returns the words that were heard. */
  readonly stop: () => string
  /** Takes a mark that was reached. Returns false for a mark that is not the next one. */
  readonly reach: (mark: number) => boolean
}

/** The first words of a text, up to a share of it. */
const firstWords = (text: string, share: number): string => {
  const words = text.match(/\S+\s*/gu) ?? []
  return words.slice(0, Math.floor(words.length * share)).join("").trimEnd()
}

/** Makes an utterance; nothing is said before it runs. */
export const makeAgentSpeech = <E>(
  { clauses, firstMark, interruptible, line, speak }: SpeechParts<E>
): AgentSpeech<E> => {
  const over = Deferred.unsafeMake<Spoken>(FiberId.none)
  const paused = Effect.unsafeMakeLatch(false)
  const resumed = Effect.unsafeMakeLatch(false)
  const moved = Effect.unsafeMakeLatch(false)
  /** First clause of the present sound, and samples given of each clause since. */
  let from = 0
  let lengths: Array<number> = []
  let complete = 0
  let reached = -1
  let isPaused = false

  /** The clause at a number of played samples, and the share of it that was played. */
  const placeOf = (played: number): { readonly clause: number; readonly share: number } => {
    let rest = played
    for (let clause = from; clause < clauses.length; clause++) {
      const given = lengths[clause - from] ?? 0
      if (clause < complete && rest >= given) {
        rest -= given
        continue
      }
      const expected = (clauses[clause]?.length ?? 0) / CHARACTERS_PER_SECOND * line.rate
      return { clause, share: Math.min(1, rest / (clause < complete ? given : Math.max(given, expected))) }
    }
    return { clause: clauses.length, share: 0 }
  }

  const heardAt = ({ clause, share }: ReturnType<typeof placeOf>): string =>
    [...clauses.slice(0, clause), firstWords(clauses[clause] ?? "", share)].filter((part) => part !== "").join(" ")

  const reaches = (clause: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (reached >= clause) return Effect.void
      moved.unsafeClose()
      return Effect.zipRight(moved.await, reaches(clause))
    })

  const playClause = (clause: number) =>
    speak(clauses[clause] ?? "").pipe(
      Stream.runForEach((samples) =>
        Effect.sync(() => {
          lengths[clause - from] = (lengths[clause - from] ?? 0) + samples.length
          line.play(samples)
        })
      ),
      Effect.tap(() =>
        Effect.sync(() => {
          complete = clause + 1
          line.play(new Float32Array(), firstMark + clause)
        })
      )
    )

  const playFrom = (first: number): Effect.Effect<void, E> =>
    Effect.gen(function*() {
      for (let clause = first; clause < clauses.length; clause++) {
        yield* playClause(clause)
        yield* reaches(clause - CLAUSES_AHEAD)
      }
      yield* reaches(clauses.length - 1)
    })

  const playAll: Effect.Effect<Spoken, E> = Effect.gen(function*() {
    while (true) {
      yield* Effect.raceFirst(playFrom(from), paused.await)
      if (!isPaused) return { heard: clauses.join(" "), interrupted: false }
      yield* resumed.await
      paused.unsafeClose()
      resumed.unsafeClose()
    }
  })

  let lastHeard: string | null = null
  const stop = (): string => {
    if (lastHeard !== null && isPaused) return lastHeard
    const place = placeOf(line.clear())
    lastHeard = heardAt(place)
    from = complete = Math.min(place.clause, Math.max(0, clauses.length - 1))
    reached = from - 1
    lengths = []
    return lastHeard
  }

  return {
    interruptible,
    get isPaused() {
      return isPaused
    },
    run: Effect.raceFirst(playAll, Deferred.await(over)),
    pause: () => {
      stop()
      isPaused = true
      paused.unsafeOpen()
    },
    resume: () => {
      isPaused = false
      resumed.unsafeOpen()
    },
    end: () => {
      const heard = stop()
      Deferred.unsafeDone(over, Effect.succeed({ heard, interrupted: true }))
    },
    stop,
    reach: (mark) => {
      if (mark - firstMark !== reached + 1) return false
      reached += 1
      moved.unsafeOpen()
      return true
    }
  }
}
