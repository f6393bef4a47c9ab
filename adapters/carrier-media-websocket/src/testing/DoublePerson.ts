import { concatSamples, makePlayout } from "@trunkline/audio"
import type { AudioCaller, EndedBy } from "@trunkline/telephony"
import { Deferred, Effect, FiberId } from "effect"
import type { WebSocket } from "ws"
import type { DoubleDialect, FromHost } from "./DoubleDialect.js"
import { makeKeyEar } from "./KeyEar.js"

/** The person at the other end of a call of a double: hears the agent in real time, and speaks. */
export interface DoublePerson extends Omit<AudioCaller, "hold" | "hangUp"> {
  /** Messages of the host that the documentation does not have. */
  readonly problems: ReadonlyArray<string>
  /** Names of the messages of the host, in order. */
  readonly received: ReadonlyArray<string>
  /** Largest amount of the agent's sound that waited at the provider, in milliseconds. */
  readonly maxAhead: () => number
  /** Swaps each pair of messages of the person's sound from now on. */
  readonly shuffle: () => void
  /** Reports no marks from now on. */
  readonly withholdMarks: () => void
  /** Ends the call: tells the host, and closes the socket. `breaks` closes it without a word. */
  readonly stop: (by: EndedBy, breaks?: boolean) => void
}

const frameMillis = 20

/** Connects a person with the open stream of a call. `goodbye` is the message at its end; null for none. */
export const connectPerson = (
  dialect: DoubleDialect,
  socket: WebSocket,
  { goodbye, onOver, streamId }: {
    readonly streamId: string
    readonly goodbye: () => string | null
    readonly onOver: (by: EndedBy) => void
  }
): DoublePerson => {
  const { rate } = dialect
  const size = rate * frameMillis / 1000
  const perMessage = dialect.messageMillis / frameMillis
  const over = Deferred.unsafeMake<EndedBy>(FiberId.none)
  const toHost = makePlayout({ rate })
  const ear = makeKeyEar(rate)
  const frames: Array<Float32Array> = []
  const problems: Array<string> = []
  const received: Array<string> = []
  const names = new Map<number, string>()
  let fromHost = makePlayout({ rate })
  let [marks, maxAhead, order, sounds, ticks] = [0, 0, 0, 0, 0]
  let outgoing: Array<Float32Array> = []
  let heldMessage: string | null = null
  let [isShuffled, isSilent, isOver] = [false, false, false]
  let keys = ""

  const send = (message: string): void => {
    if (socket.readyState === socket.OPEN) socket.send(message)
  }
  const report = (mark: number): void => {
    const name = names.get(mark)
    names.delete(mark)
    if (name !== undefined && !isSilent) send(dialect.mark(name, streamId))
  }
  const speak = (message: string): void => {
    if (!isShuffled) return send(message)
    if (heldMessage === null) {
      heldMessage = message
      return
    }
    send(message)
    send(heldMessage)
    heldMessage = null
  }

  const tick = (): void => {
    const sound = new Float32Array(size)
    const reachedMarks = fromHost.next(sound)
    frames.push(sound)
    ear.hear(sound)
    reachedMarks.forEach(report)
    const frame = new Float32Array(size)
    toHost.next(frame)
    outgoing.push(frame)
    if (outgoing.length < perMessage) return
    const payload = Buffer.from(dialect.encode(concatSamples(outgoing))).toString("base64")
    outgoing = []
    speak(dialect.sound(payload, ++order, streamId))
  }
  const since = performance.now()
  const catchUp = (): void => {
    for (; !isOver && ticks * frameMillis < performance.now() - since; ticks++) tick()
  }
  const timer = setInterval(catchUp, frameMillis)

  const receive = (message: FromHost): void => {
    // A late timer must not count sound as waiting that has been heard by now.
    catchUp()
    received.push(message._tag)
    switch (message._tag) {
      case "Sound":
        sounds += 1
        if (message.order !== undefined && message.order !== sounds) {
          problems.push(`the sound number ${message.order} in place of ${sounds}`)
        }
        fromHost.enqueue(dialect.decode(Buffer.from(message.payload, "base64")))
        maxAhead = Math.max(maxAhead, fromHost.remainingMillis)
        return
      case "Mark":
        names.set(++marks, message.name)
        if (fromHost.remainingMillis > 0) fromHost.enqueue(new Float32Array(), marks)
        else report(marks)
        return
      case "Clear": {
        const clearedMarks = Array.from(names.keys())
        fromHost = makePlayout({ rate })
        if (dialect.marksClearedSound) clearedMarks.forEach(report)
        names.clear()
        return
      }
      case "Keys":
        keys += message.digits
        return
      case "Wrong":
        problems.push(message.problem)
    }
  }

  const end = (by: EndedBy): void => {
    if (isOver) return
    isOver = true
    clearInterval(timer)
    Deferred.unsafeDone(over, Effect.succeed(by))
    onOver(by)
  }
  socket.on("message", (data) => receive(dialect.fromHost(String(data), streamId)))
  socket.on("close", () => end("agent"))

  return {
    problems,
    received,
    maxAhead: () => maxAhead,
    shuffle: () => {
      isShuffled = true
    },
    withholdMarks: () => {
      isSilent = true
    },
    stop: (by, breaks = false) => {
      const message = breaks ? null : goodbye()
      if (message !== null) send(message)
      end(by)
      if (breaks) socket.terminate()
      else socket.close(1000)
    },
    say: (samples) => toHost.enqueue(samples),
    press: (digit) => send(dialect.key(digit, streamId)),
    recording: () => concatSamples(frames),
    keys: () => keys + ear.keys(),
    ended: Deferred.await(over)
  }
}
