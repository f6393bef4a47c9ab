import { frameMillis } from "@trunkline/audio"
import { BusinessTime, fiberStarter, type StartFiber, toSource } from "@trunkline/kernel"
import type { AudioLine, Spoken } from "@trunkline/telephony"
import { Deferred, Effect, Exit, Fiber, FiberId, type Stream } from "effect"
import { makeClauseList } from "./ClauseList.js"
import { charactersPerSecond, firstWords } from "./HeardWords.js"

/** Clauses whose sound is given to the line before they are due: the one that is played, and the next. */
const clausesAhead = 1

/** Parts of one utterance of the agent. */
interface SpeechParts<E> {
  readonly line: AudioLine
  readonly clauses: ReadonlyArray<string>
  /** Clauses that follow as they are made; undefined if there are none. */
  readonly more: Stream.Stream<string> | undefined
  readonly interruptible: boolean
  /** Line time within which each sound of the voice must come, and the error when it does not. */
  readonly timeout: { readonly millis: number; readonly error: E }
  /** Completes when sound may leave: the caller's turn is over. */
  readonly mayPlay: Effect.Effect<void>
  /** Called when its first sound leaves. */
  readonly onStart: () => void
  /** Called with what was heard so far, after each clause. */
  readonly onHeard: ((text: string) => void) | undefined
  /** Numbers for its marks, one for each clause. */
  readonly nextMark: () => number
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
  /** Counts a frame of line time. */
  readonly countFrame: () => void
  /** Takes a mark that was reached. Returns false for a mark that is not the next one. */
  readonly reach: (mark: number) => boolean
}

/** Interrupts a fiber that still runs, and waits for its end. */
const endFiber = (fiber: Fiber.RuntimeFiber<unknown, unknown> | null): Effect.Effect<void> =>
  fiber === null || fiber.unsafePoll() !== null ? Effect.void : Effect.asVoid(Fiber.interrupt(fiber))

/** Makes an utterance; nothing is said before it runs. */
export const makeAgentSpeech = <E>(parts: SpeechParts<E>): AgentSpeech<E> => {
  const { interruptible, line, mayPlay, more, nextMark, onHeard, onStart, speak, timeout } = parts
  const clauses = makeClauseList(parts.clauses)
  const over = Deferred.unsafeMake<Spoken, E>(FiberId.none)
  const movedLatch = Effect.unsafeMakeLatch(false)
  /** First clause of the present sound; samples given, and marks, by clause since. */
  let from = 0
  let lengths: Array<number> = []
  let marks: Array<number> = []
  let lastClause = -1
  let isPaused = false
  let lastHeard: string | null = null
  let startedAt: number | null = null
  /** Line time since the next sound of the voice was asked for; null while none is. */
  let waitedMillis: number | null = null
  /** The fiber that speaks, or that spoke until the pause, and how it begins. */
  let voice: Fiber.RuntimeFiber<void, E> | null = null
  let startVoice = (): void => {}

  /** The clause at a number of played samples, and the share of it that was played. */
  const placeOf = (sampleCount: number): { readonly clause: number; readonly share: number } => {
    let rest = sampleCount
    for (let clause = from; clause < clauses.list.length; clause++) {
      const length = lengths[clause - from] ?? 0
      const isWhole = clause - from < marks.length
      if (isWhole && rest >= length) {
        rest -= length
        continue
      }
      const estimate = (clauses.list[clause]?.length ?? 0) / charactersPerSecond * line.rate
      return { clause, share: Math.min(1, rest / (isWhole ? length : Math.max(length, estimate))) }
    }
    return { clause: clauses.list.length, share: 0 }
  }

  const heardAt = ({ clause, share }: ReturnType<typeof placeOf>): string =>
    [...clauses.list.slice(0, clause), firstWords(clauses.list[clause] ?? "", share)]
      .filter((part) => part !== "").join(" ")

  const withStart = (speech: Spoken): Spoken => startedAt === null ? speech : { ...speech, startedAt }

  const reaches = (clause: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (lastClause >= clause) return Effect.void
      movedLatch.unsafeClose()
      return Effect.zipRight(movedLatch.await, reaches(clause))
    })

  /** Waits until sound may leave, before the first one. */
  const noteStart = Effect.map(
    Effect.suspend(() => Effect.zipRight(mayPlay, BusinessTime.now)),
    (now) => {
      startedAt ??= now
      onStart()
    }
  )

  const playClause = (clause: number): Effect.Effect<void, E> =>
    Effect.suspend(() => {
      const { close, pull } = toSource(speak(clauses.list[clause] ?? ""))
      const give = (pieces: ReadonlyArray<Float32Array>): Effect.Effect<void, E> => {
        for (const samples of pieces) {
          lengths[clause - from] = (lengths[clause - from] ?? 0) + samples.length
          line.play(samples)
        }
        return playRest
      }
      const pullTimed = Effect.suspend(() => {
        waitedMillis = 0
        return pull
      })
      const playRest: Effect.Effect<void, E> = Effect.flatMap(pullTimed, (pieces) => {
        waitedMillis = null
        if (pieces === null) {
          const mark = nextMark()
          marks.push(mark)
          line.play(new Float32Array(), mark)
          return Effect.void
        }
        return startedAt === null && pieces.length > 0 ? Effect.flatMap(noteStart, () => give(pieces)) : give(pieces)
      })
      return Effect.ensuring(playRest, close)
    })

  const playFrom = (first: number): Effect.Effect<void, E> =>
    Effect.gen(function*() {
      let clause = first
      for (; yield* clauses.has(clause); clause++) {
        yield* playClause(clause)
        yield* reaches(clause - clausesAhead)
      }
      yield* reaches(clause - 1)
    })

  /** Speaks from the present clause on, once the voice that was paused has ended. */
  const speakOn = (start: StartFiber): void => {
    const previous = voice
    const fiber = start(previous === null ? playFrom(from) : Effect.zipRight(Fiber.await(previous), playFrom(from)))
    voice = fiber
    fiber.addObserver((exit) => {
      if (voice !== fiber || isPaused) return
      Deferred.unsafeDone(
        over,
        Exit.map(exit, () => withStart({ heard: clauses.list.join(" "), interrupted: false }))
      )
    })
  }

  const readMore = (more: Stream.Stream<string>): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { close, pull } = toSource(more)
      const readRest: Effect.Effect<void> = Effect.flatMap(pull, (addedTexts) => {
        if (addedTexts === null) return Effect.void
        addedTexts.forEach(clauses.add)
        return readRest
      })
      return Effect.ensuring(readRest, Effect.zipRight(close, Effect.sync(clauses.complete)))
    })

  const stop = (): string => {
    if (lastHeard !== null && isPaused) return lastHeard
    const place = placeOf(line.clear())
    lastHeard = heardAt(place)
    from = place.clause
    lastClause = from - 1
    lengths = []
    marks = []
    return lastHeard
  }

  return {
    interruptible,
    get isPaused() {
      return isPaused
    },
    run: Effect.flatMap(fiberStarter(), (start) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          startVoice = () => speakOn(start)
          startVoice()
          if (more !== undefined) return start(readMore(more))
          clauses.complete()
          return null
        }),
        () => Deferred.await(over),
        (reading) => Effect.zipRight(endFiber(reading), Effect.suspend(() => endFiber(voice)))
      )),
    pause: () => {
      stop()
      isPaused = true
      voice?.unsafeInterruptAsFork(FiberId.none)
    },
    resume: () => {
      isPaused = false
      startVoice()
    },
    end: () => {
      Deferred.unsafeDone(over, Effect.succeed(withStart({ heard: stop(), interrupted: true })))
    },
    stop,
    countFrame: () => {
      if (waitedMillis === null || isPaused) return
      waitedMillis += frameMillis
      if (waitedMillis >= timeout.millis) Deferred.unsafeDone(over, Effect.fail(timeout.error))
    },
    reach: (mark) => {
      if (marks[lastClause + 1 - from] !== mark) return false
      lastClause += 1
      movedLatch.unsafeOpen()
      onHeard?.(clauses.list.slice(0, lastClause + 1).join(" "))
      return true
    }
  }
}
