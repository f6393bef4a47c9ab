import { assert, describe, it } from "@effect/vitest"
import type { FrameEvent } from "@trunkline/telephony"
import { Effect, Exit, Fiber, Scope } from "effect"
import type { BunServer, BunSocket } from "../src/BunServer.js"
import { makeSockets, webSockets } from "../src/Sockets.js"

/** A socket of Bun whose client reads only on demand. */
class SlowSocket implements BunSocket {
  readonly sent: Array<string> = []
  readonly goodbyes: Array<readonly [code: number, reason: string | undefined]> = []
  waiting = 0
  constructor(readonly data: unknown) {}
  send(text: string | Uint8Array) {
    this.sent.push(String(text))
    this.waiting += text.length
  }
  getBufferedAmount() {
    return this.waiting
  }
  close(code: number, reason?: string) {
    if (this.goodbyes.push([code, reason]) === 1) this.leave()
  }
  take(count: number) {
    this.waiting -= count
    webSockets.drain(this)
  }
  leave() {
    this.waiting = 0
    webSockets.close(this)
  }
}

const request = new Request("http://localhost/")

/** Makes a server of Bun that opens every socket. */
const makeServer = () => {
  const opened: Array<SlowSocket> = []
  const server: BunServer = {
    upgrade: (_, { data }) => {
      const socket = new SlowSocket(data)
      opened.push(socket)
      webSockets.open(socket)
      return true
    },
    requestIP: () => null,
    timeout: () => {},
    stop: async () => {}
  }
  return { opened, server }
}

/** Both sides of an open socket. */
const connected = Effect.gen(function*() {
  const { opened, server } = makeServer()
  const answers: Array<Response | undefined> = []
  const sockets = makeSockets()
  const ours = yield* sockets.upgrade(request, server, (answer) => answers.push(answer))
  const [theirs = new SlowSocket(undefined)] = opened
  return { ours, theirs, sockets, answers }
})

/** Yields until the other fibers wait. */
const settle = Effect.repeatN(Effect.yieldNow(), 20)

describe("a WebSocket of Bun", () => {
  it.scoped("passes frames in both directions, those that came before anybody listened, and its end", () =>
    Effect.gen(function*() {
      const { ours, theirs } = yield* connected
      webSockets.message(theirs, "early")
      const heard: Array<FrameEvent> = []
      ours.frames.hear((event) => heard.push(event))
      webSockets.message(theirs, "x".repeat(100_000))
      webSockets.message(theirs, Uint8Array.of(1))
      ours.frames.post("answer")
      ours.frames.close(1008, "used before")
      assert.deepStrictEqual(heard.map(({ _tag }) => _tag), ["Text", "Text", "Bytes", "Closed"])
      assert.deepStrictEqual(heard[0], { _tag: "Text", text: "early" })
      assert.deepStrictEqual(theirs.sent, ["answer"])
      assert.deepStrictEqual(theirs.goodbyes[0], [1008, "used before"])
    }))

  it.scoped("closes with 1009 on a long frame that nobody listens to", () =>
    Effect.gen(function*() {
      const { theirs } = yield* connected
      webSockets.message(theirs, "x".repeat(4_096))
      assert.deepStrictEqual(theirs.goodbyes, [])
      webSockets.message(theirs, "x".repeat(4_097))
      assert.deepStrictEqual(theirs.goodbyes[0], [1009, undefined])
    }))

  it.scoped("sends a frame when the one before was read to its last byte", () =>
    Effect.gen(function*() {
      const { ours, theirs } = yield* connected
      const sending = yield* Effect.fork(Effect.forEach(["one", "two"], ours.send))
      const other = yield* Effect.fork(ours.send("other"))
      yield* settle
      assert.deepStrictEqual(theirs.sent, ["one"])
      theirs.take(2)
      yield* settle
      assert.deepStrictEqual(theirs.sent, ["one"])
      theirs.take(1)
      yield* settle
      assert.lengthOf(theirs.sent, 2)
      theirs.take(theirs.waiting)
      yield* settle
      assert.sameMembers(theirs.sent, ["one", "two", "other"])
      theirs.take(theirs.waiting)
      yield* Fiber.join(sending)
      yield* Fiber.join(other)
    }))

  it.scoped("unblocks its sender once the client has disconnected", () =>
    Effect.gen(function*() {
      const { ours, theirs } = yield* connected
      const sending = yield* Effect.fork(ours.send("one"))
      const closed = yield* Effect.fork(ours.closed)
      yield* settle
      theirs.leave()
      yield* Fiber.join(sending)
      yield* Fiber.join(closed)
      yield* ours.close(1000, "late")
    }))

  it.scoped("sends the next frame after an interrupted one was read", () =>
    Effect.gen(function*() {
      const { ours, theirs } = yield* connected
      const first = yield* Effect.fork(ours.send("one"))
      yield* settle
      yield* Fiber.interrupt(first)
      const second = yield* Effect.fork(ours.send("two"))
      yield* settle
      assert.deepStrictEqual(theirs.sent, ["one"])
      theirs.take(3)
      yield* settle
      assert.deepStrictEqual(theirs.sent, ["one", "two"])
      theirs.take(3)
      yield* Fiber.join(second)
    }))

  it.effect("closes with its scope, with a code for its exit", () =>
    Effect.gen(function*() {
      const exits = [[Exit.void, 1000], [Exit.interrupt(yield* Effect.fiberId), 1001], [
        Exit.die("defect"),
        1011
      ]] as const
      for (const [exit, code] of exits) {
        const scope = yield* Scope.make()
        const { answers, theirs } = yield* Scope.extend(connected, scope)
        assert.deepStrictEqual(answers, [undefined])
        yield* Scope.close(scope, exit)
        assert.deepStrictEqual(theirs.goodbyes, [[code, undefined]])
      }
    }))

  it.scoped("is closed when the server stops, also if it opens later", () =>
    Effect.gen(function*() {
      const { sockets, theirs } = yield* connected
      sockets.close()
      assert.deepStrictEqual(theirs.goodbyes, [[1001, "The server is shutting down"]])
      const { opened, server } = makeServer()
      yield* sockets.upgrade(request, server, () => {})
      assert.deepStrictEqual(opened[0]?.goodbyes, [[1001, "The server is shutting down"]])
    }))

  it.scoped("responds with 400 when the handshake is invalid", () =>
    Effect.gen(function*() {
      const answers: Array<Response | undefined> = []
      const server = { ...makeServer().server, upgrade: () => false }
      const exit = yield* Effect.exit(makeSockets().upgrade(request, server, (answer) => answers.push(answer)))
      assert.isTrue(Exit.isInterrupted(exit))
      assert.deepStrictEqual(answers.map((answer) => answer?.status), [400])
    }))

  it("is ignored when another handler opened it", () => {
    const theirs = new SlowSocket({ mine: true })
    webSockets.open(theirs)
    theirs.take(0)
    theirs.leave()
    assert.deepStrictEqual(theirs.goodbyes, [])
  })
})
