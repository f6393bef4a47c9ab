import type { MessagePort } from "node:worker_threads"
import type { FromThread, MediaThreadSettings, ToThread } from "./frames/MediaMessages.js"
import { makeTurnBatch } from "./frames/Turns.js"
import { makePortPairs } from "./PortPair.js"
import { makeSlotWheel } from "./SlotWheel.js"
import { makeThreadCall, type ThreadCall } from "./ThreadCall.js"

/** Sources of time and chance of a media thread. */
export interface MediaThreadServices {
  /** Present time in milliseconds. */
  readonly clock: () => number
  /** Runs something at a time of the clock; the returned function cancels it. */
  readonly wakeAt: (at: number, run: () => void) => () => void
  /** Numbers from 0 up to 1. */
  readonly random: () => number
}

/**
 * Serves the sound of calls in a thread: their sockets, their clock and their buffers. Nothing that the main thread does
 * delays them.
 */
export const serveMedia = (
  port: MessagePort,
  { gauges, ports, ring }: MediaThreadSettings,
  { clock, random, wakeAt }: MediaThreadServices
): void => {
  const openPorts = makePortPairs(ports, random)
  const calls = new Map<number, ThreadCall>()
  /** Calls that were closed before their ports were open. */
  const opening = new Map<number, { isClosed: boolean }>()
  const post = (message: FromThread, transfer: ReadonlyArray<ArrayBuffer> = []) =>
    port.postMessage(message, [...transfer])
  const batch = makeTurnBatch(ring, post)
  const wheel = makeSlotWheel<ThreadCall>({
    now: clock(),
    onTick: (call, deadline) => call.tick(deadline),
    onSkip: (call, ticks, deadline) => call.skip(ticks, deadline)
  })
  let cancelWake = () => {}

  const schedule = (): void => {
    cancelWake()
    const next = wheel.next()
    cancelWake = next === null ? () => {} : wakeAt(next, turn)
  }

  const turn = (): void => {
    wheel.advance(clock())
    batch.flush()
    schedule()
  }

  const open = async ({ address, call: id, family, shared }: Extract<ToThread, { _tag: "Open" }>): Promise<void> => {
    const state = { isClosed: false }
    opening.set(id, state)
    const openedPorts = await openPorts(address, family)
    opening.delete(id)
    if ("reason" in openedPorts) return post({ _tag: "NotOpened", call: id, ...openedPorts })
    const call = makeThreadCall({
      ports: openedPorts,
      shared,
      gauges,
      clock,
      random,
      onFrame: (samples, kind) => batch.addFrame(id, samples, kind),
      onReached: (mark, generation) => batch.addEvent({ _tag: "Reached", call: id, mark, generation }),
      onPressed: (digit) => batch.addEvent({ _tag: "Pressed", call: id, digit })
    })
    if (state.isClosed) {
      await call.close()
      return post({ _tag: "Closed", call: id })
    }
    calls.set(id, call)
    wheel.advance(clock())
    wheel.add(call)
    schedule()
    post({ _tag: "Opened", call: id, port: openedPorts.port })
  }

  const close = async (id: number): Promise<void> => {
    const early = opening.get(id)
    if (early !== undefined) {
      early.isClosed = true
      return
    }
    const call = calls.get(id)
    calls.delete(id)
    if (call !== undefined) {
      wheel.remove(call)
      schedule()
      await call.close()
    }
    post({ _tag: "Closed", call: id })
  }

  port.on("message", (message: ToThread) => {
    switch (message._tag) {
      case "Open":
        return void open(message)
      case "Negotiate":
        return calls.get(message.call)?.negotiate(message.description)
      case "Overhear":
        return calls.get(message.call)?.overhear(message.description)
      case "Play":
        return calls.get(message.call)?.play(message.samples, message.mark, message.generation)
      case "Tap":
        return calls.get(message.call)?.tap(message.codes)
      case "Press":
        return calls.get(message.call)?.press(message.digits)
      case "Close":
        return void close(message.call)
    }
  })
}
