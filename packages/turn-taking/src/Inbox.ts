import { frameMillis } from "@trunkline/audio"
import type { TurnEnd } from "@trunkline/kernel"
import type { Heard, LegEnded } from "@trunkline/telephony"
import { Duration, Effect } from "effect"

/** Words and keys of the caller, for one listener. */
export interface Inbox {
  /**
   * Takes a key. Keys are given to the listener together, after a pause, `#` or 64 of them; those that were pressed while a
   * turn is open follow its words.
   */
  readonly press: (digit: string, isTurnOpen: boolean) => void
  /** Gives something to the listener. What comes before the first sound of an answer belongs to the same turn. */
  readonly receive: (input: Heard) => void
  /** Notes that the caller goes on after words that were given. */
  readonly goOn: () => void
  /** Completes when the caller goes on, until the next `listen`. */
  readonly goesOn: Effect.Effect<void>
  /** Notes that the answer has begun, or was given up: what comes now is a turn of its own. */
  readonly answered: () => void
  /** Counts a frame, with or without an open turn. */
  readonly countFrame: (isTurnOpen: boolean) => void
  /** Ends the wait of the listener, and every later one once all was given. */
  readonly end: (cause: LegEnded) => void
  /** True while somebody listens. */
  readonly isAwaited: boolean
  /** True while somebody listens because the caller went on. */
  readonly isContinued: boolean
  /** Waits for something, or for a silence. */
  readonly listen: (silence: Duration.Duration) => Effect.Effect<Heard, LegEnded>
}

/** Most keys of an entry: more than any number has, so that a caller who never pauses is heard too. */
const maxEntry = 64

/** The pending `listen`. */
interface PendingListen {
  readonly silenceMillis: number
  readonly isContinued: boolean
  quietMillis: number
  readonly resume: (input: Effect.Effect<Heard, LegEnded>) => void
}

/** Makes an empty inbox, in which keys belong together unless `keyPause` milliseconds are between them. */
export const makeInbox = (keyPause: number): Inbox => {
  const waiting: Array<Heard> = []
  let keys = ""
  let keyPauseLeft = 0
  /** True for keys that were pressed after the voice of a turn began. */
  let isAfterVoice = false
  const wentOn = Effect.unsafeMakeLatch(false)
  let hasGoneOn = false
  /** True from the moment at which the listener was given something until the first sound of the answer. */
  let isAnswering = false
  let pending: PendingListen | null = null
  let over: LegEnded | null = null

  const settle = (input: Effect.Effect<Heard, LegEnded>): void => {
    const listener = pending
    pending = null
    listener?.resume(input)
  }

  const goOn = (): void => {
    hasGoneOn = true
    wentOn.unsafeOpen()
  }

  const give = (input: Heard): void => {
    if (pending === null) {
      waiting.push(input)
      if (isAnswering) goOn()
      return
    }
    isAnswering = true
    settle(Effect.succeed(input))
  }

  const giveKeys = (rule: TurnEnd["rule"]): void => {
    if (keys === "") return
    const digit = keys
    keys = ""
    const waited_ms = digit.endsWith("#") ? 0 : keyPause - keyPauseLeft
    const required_ms = rule === "key_pause" ? keyPause : null
    const end = { rule, waited_ms, required_ms, completeness: null, spoken_ms: null, prepared: false }
    give({ _tag: "Pressed", digit, turnEnd: () => end })
  }

  const giveEntry = (isTurnOpen: boolean): void => {
    if (keyPauseLeft <= 0 && !(isAfterVoice && isTurnOpen)) {
      giveKeys(keys.endsWith("#") ? "key_terminator" : "key_pause")
    }
  }

  const press = (digit: string, isTurnOpen: boolean): void => {
    if (keys === "") isAfterVoice = isTurnOpen
    keys += digit
    keyPauseLeft = digit === "#" ? 0 : keyPause
    if (pending === null && isAnswering) goOn()
    if (keys.length === maxEntry) giveKeys("key_limit")
    else giveEntry(isTurnOpen)
  }

  const receive = (input: Heard): void => {
    if (!isAfterVoice) giveKeys("words")
    give(input)
  }

  const countFrame = (isTurnOpen: boolean): void => {
    if (keys !== "") {
      keyPauseLeft -= frameMillis
      giveEntry(isTurnOpen)
      return
    }
    if (pending === null || isTurnOpen) return
    pending.quietMillis += frameMillis
    if (pending.isContinued || pending.quietMillis >= pending.silenceMillis) give({ _tag: "Silent" })
  }

  const listen = (silence: Duration.Duration): Effect.Effect<Heard, LegEnded> =>
    Effect.async((resume) => {
      const isContinued = hasGoneOn
      hasGoneOn = false
      wentOn.unsafeClose()
      const first = waiting.shift()
      isAnswering = first !== undefined
      if (first !== undefined) {
        if (waiting.length > 0) goOn()
        return resume(Effect.succeed(first))
      }
      if (over !== null) return resume(over)
      const mine = { silenceMillis: Duration.toMillis(silence), isContinued, quietMillis: 0, resume }
      pending = mine
      return Effect.sync(() => {
        if (pending === mine) pending = null
      })
    })

  return {
    press,
    receive,
    goOn,
    goesOn: wentOn.await,
    answered: () => {
      isAnswering = false
    },
    countFrame,
    end: (cause) => {
      giveKeys("call_ended")
      over = cause
      settle(cause)
    },
    get isAwaited() {
      return pending !== null
    },
    get isContinued() {
      return pending?.isContinued === true
    },
    listen
  }
}
