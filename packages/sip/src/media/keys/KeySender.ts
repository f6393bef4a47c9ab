import { eventOfKey } from "./TelephoneEvent.js"

/** Telephone event to send at a tick. */
export interface KeyPacket {
  readonly event: number
  readonly isEnd: boolean
  /** Duration of the key so far, in samples. */
  readonly duration: number
  /** Samples from the start of the key to the present tick. */
  readonly since: number
}

/** Queue of keys to send, which advances by ticks of 20 ms. */
export interface KeySender {
  /** Appends keys; other characters are ignored. */
  readonly press: (digits: string) => void
  /** Advances by a tick, and returns the packet that is due. */
  readonly tick: () => KeyPacket | null
  /** True while a key lasts, when no sound is sent. */
  readonly isPressing: boolean
}

/** Durations of keys. */
export interface KeyTimes {
  /** Milliseconds that a key lasts, at least 40 and at most 8,000; 160 by default. */
  readonly toneMillis?: number
  /** Milliseconds between two keys; 80 by default. */
  readonly gapMillis?: number
}

const tickMillis = 20
const tickSamples = 160

/** Interval of updates, in milliseconds (RFC 4733, section 2.5.1.2). */
const updateMillis = 50

/** Packets that report the end of a key, since each of them may be lost (RFC 4733, section 2.5.1.4). */
const endPackets = 3

/**
 * Makes a queue of keys. The first packet of a key is sent at its start; updates follow at the first tick after every 50 ms,
 * and three packets report the end, 20 ms apart. Sound stops while a key lasts, and goes on beside the last two.
 */
export const makeKeySender = ({ gapMillis = 80, toneMillis = 160 }: KeyTimes = {}): KeySender => {
  const toneTicks = Math.ceil(Math.min(8_000, Math.max(40, toneMillis)) / tickMillis)
  const gapTicks = Math.max(endPackets, Math.ceil(gapMillis / tickMillis))
  let waiting: Array<number> = []
  let event = -1
  let tick = 0

  const isUpdate = (): boolean =>
    Math.floor((tick + 1) * tickMillis / updateMillis) > Math.floor(tick * tickMillis / updateMillis)

  const packet = (): KeyPacket | null => {
    if (tick >= toneTicks - 1 && tick < toneTicks - 1 + endPackets) {
      return { event, isEnd: true, duration: toneTicks * tickSamples, since: tick * tickSamples }
    }
    return tick < toneTicks && (tick === 0 || isUpdate())
      ? { event, isEnd: false, duration: (tick + 1) * tickSamples, since: tick * tickSamples }
      : null
  }

  return {
    press: (digits) => {
      for (const digit of digits) {
        const code = eventOfKey(digit)
        if (code !== undefined) waiting.push(code)
      }
    },
    tick: () => {
      if (event < 0) {
        const [first, ...rest] = waiting
        if (first === undefined) return null
        waiting = rest
        event = first
        tick = 0
      }
      const due = packet()
      tick += 1
      if (tick >= toneTicks + gapTicks) event = -1
      return due
    },
    get isPressing() {
      return event < 0 ? waiting.length > 0 : tick < toneTicks
    }
  }
}
