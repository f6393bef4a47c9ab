import { Effect } from "effect"
import type { Bus } from "./Bus.js"
import { readHint, writeHint } from "./HintText.js"
import { Subscriptions, WaitingHints } from "./Subscriptions.js"

/** Time between two sendings, in which equal hints become one. */
const sendingInterval = "10 millis"

/** A connection to the other processes, which its adapter makes again after each loss. */
export interface BusLink {
  /** Completes when texts can be sent. */
  readonly ready: Effect.Effect<void>
  /** Sends texts to all processes; false when some of them may not have been sent. */
  readonly send: (texts: ReadonlyArray<string>) => Effect.Effect<boolean>
}

/** The part of a bus in one process, for adapters that connect it. */
export interface BusMember {
  readonly bus: Bus.Service
  /** Takes a text from any process. */
  readonly receive: (text: string) => void
  /** Tells all subscribers that hints may have been missed: after the connection has been made, and made again. */
  readonly onConnected: () => void
  /** Sends the hints of this process, a batch every 10 ms of Clock, until it is interrupted. */
  readonly sendOver: (link: BusLink) => Effect.Effect<never>
}

/**
 * Makes the part of a bus in this process. While the link is not ready, up to 1,000 hints of each topic wait.
 *
 * @param sender - Name that no other process has, such as a UUID.
 */
export const makeBusMember = (sender: string): BusMember => {
  const subscriptions = new Subscriptions()
  const bell = Effect.unsafeMakeLatch(false)
  let topics = new Map<string, WaitingHints>()

  const add = (topic: string, hint: string | null) => {
    const waiting = topics.get(topic) ?? new WaitingHints()
    waiting.add(hint)
    topics.set(topic, waiting)
    bell.unsafeOpen()
  }

  const takeAll = () => {
    const batch = topics
    topics = new Map()
    bell.unsafeClose()
    return batch
  }

  /** Sends what waits. Hints of a sending that failed become null hints, and wait again. */
  const sendWaiting = ({ ready, send }: BusLink) =>
    Effect.gen(function*() {
      yield* bell.await
      yield* ready
      const batch = takeAll()
      const texts = Array.from(batch, ([topic, waiting]) =>
        waiting.all().map((hint) => writeHint({ sender, topic, hint })))
      if (!(yield* send(texts.flat()))) {
        for (const topic of batch.keys()) {
          add(topic, null)
        }
      }
      yield* Effect.sleep(sendingInterval)
    })

  return {
    bus: {
      isShared: true,
      publish: (topic, payload) => Effect.sync(() => add(topic, payload ?? null)),
      subscribe: subscriptions.subscribe
    },
    receive: (text) => {
      const hint = readHint(text)
      if (hint !== undefined && hint.sender !== sender) subscriptions.deliver(hint.topic, hint.hint)
    },
    onConnected: () => subscriptions.deliverMissed(),
    sendOver: (link) => Effect.forever(sendWaiting(link))
  }
}
