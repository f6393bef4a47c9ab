import { concatSamples, fromLinear16, makePlayout, toLinear16 } from "@trunkline/audio"
import { type AudioCaller, type EndedBy, type FrameEvent, type FrameSocket, makeFrameInbox } from "@trunkline/telephony"
import { Deferred, Effect, FiberId } from "effect"
import { talkRate } from "../browser/TalkFormat.js"
import { parseObject, textAt } from "../dialects/StreamFormat.js"
import type { MediaClock } from "../media/MediaClock.js"
import { makeKeyEar } from "./KeyEar.js"

/** The client's side of a WebSocket. */
export interface ClientSocket {
  readonly send: (frame: string | Uint8Array) => void
  readonly close: (code: number) => void
}

/** A client of calls from browsers: plays what it hears in real time, reports it, and speaks. */
export interface BrowserPerson extends Omit<AudioCaller, "hold" | "hangUp"> {
  /** Takes a frame of the server. */
  readonly receive: (event: FrameEvent) => void
  /** JSON messages of the server, in order. */
  readonly messages: ReadonlyArray<object>
  /** Code by which the socket was closed; null while it is open. */
  readonly closeCode: () => number | null
  /** Largest amount of the agent's sound that waited here, in milliseconds. */
  readonly maxAhead: () => number
  readonly send: (message: object) => void
  readonly hangUp: Effect.Effect<void>
}

/** Makes a person at a socket, who speaks and listens from `start` on. */
export const makeBrowserPerson = (
  clock: MediaClock,
  socket: ClientSocket,
  { starts = true }: { readonly starts?: boolean } = {}
): BrowserPerson => {
  const size = talkRate / 50
  const over = Deferred.unsafeMake<EndedBy>(FiberId.none)
  const toServer = makePlayout({ rate: talkRate })
  const ear = makeKeyEar(talkRate)
  const frames: Array<Float32Array> = []
  const messages: Array<object> = []
  const names = new Map<number, string>()
  let fromServer = makePlayout({ rate: talkRate })
  let [marks, maxAhead, ticks] = [0, 0, 0]
  let closeCode: number | null = null

  const send = (message: object): void => socket.send(JSON.stringify(message))
  const report = (mark: number): void => {
    const name = names.get(mark)
    names.delete(mark)
    if (name !== undefined) send({ type: "played", name })
  }

  const since = clock.now()
  const catchUp = (now: number): void => {
    for (; ticks * 20 < now - since; ticks++) {
      const sound = new Float32Array(size)
      const reachedMarks = fromServer.next(sound)
      frames.push(sound)
      ear.hear(sound)
      reachedMarks.forEach(report)
      const frame = new Float32Array(size)
      toServer.next(frame)
      if (starts) socket.send(toLinear16(frame))
    }
  }
  const stop = clock.every(catchUp)

  const onMessage = (message: object): void => {
    messages.push(message)
    switch (textAt(message, "type")) {
      case "mark":
        names.set(++marks, textAt(message, "name"))
        return fromServer.enqueue(new Float32Array(), marks)
      case "clear":
        fromServer = makePlayout({ rate: talkRate })
        return names.clear()
    }
  }

  if (starts) send({ type: "start" })
  return {
    receive: (event) => {
      switch (event._tag) {
        case "Bytes":
          // A late timer must not count sound as waiting that has been heard by now.
          catchUp(clock.now())
          fromServer.enqueue(fromLinear16(event.bytes))
          maxAhead = Math.max(maxAhead, fromServer.remainingMillis)
          return
        case "Text":
          return onMessage(parseObject(event.text) ?? {})
        case "Closed":
          stop()
          closeCode = event.code
          return Deferred.unsafeDone(over, Effect.succeed(event.code === 1000 ? "agent" : "provider"))
      }
    },
    messages,
    closeCode: () => closeCode,
    maxAhead: () => maxAhead,
    send,
    say: (samples) => toServer.enqueue(samples),
    press: (digit) => send({ type: "key", digit }),
    hangUp: Effect.sync(() => {
      stop()
      Deferred.unsafeDone(over, Effect.succeed("user"))
      send({ type: "hang_up" })
    }),
    recording: () => concatSamples(frames),
    keys: () => ear.keys(),
    ended: Deferred.await(over)
  }
}

/** A WebSocket in memory: the server's side, and the client's. */
export const makeSocketPair = (hear: () => (event: FrameEvent) => void): {
  readonly server: FrameSocket
  readonly client: ClientSocket
  /** Bytes that the client does not read, for a slow one. */
  waiting: number
} => {
  const inbox = makeFrameInbox()
  let isOpen = true
  const close = (code: number): void => {
    if (!isOpen) return
    isOpen = false
    inbox.add({ _tag: "Closed", code })
    hear()({ _tag: "Closed", code })
  }
  const eventOf = (frame: string | Uint8Array): FrameEvent =>
    typeof frame === "string" ? { _tag: "Text", text: frame } : { _tag: "Bytes", bytes: frame }
  const pair = {
    waiting: 0,
    server: {
      post: (frame: string | Uint8Array) => {
        if (isOpen) hear()(eventOf(frame))
      },
      waitingBytes: () => pair.waiting,
      hear: inbox.hear,
      close
    },
    client: {
      send: (frame: string | Uint8Array) => {
        if (isOpen) inbox.add(eventOf(frame))
      },
      close
    }
  }
  return pair
}
