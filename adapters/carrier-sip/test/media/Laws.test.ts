import { it } from "@effect/vitest"
import type { AudioLine, EndedBy, LineEvent } from "@trunkline/telephony"
import { audioLineLaws } from "@trunkline/telephony/testing"
import { Deferred, Effect, Exit, ManagedRuntime, Scope } from "effect"
import { afterAll } from "vitest"
import type { MediaDescription } from "../../src/index.js"
import { describePeer, layerSteppedMedia, openCall, wideBand } from "./Sessions.js"

const runtime = ManagedRuntime.make(layerSteppedMedia)
afterAll(() => runtime.dispose())

/** A line of a session, whose end is a matter of its own: signalling is not part of media. */
const openWith = (changes: Partial<MediaDescription>) =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const { peer, session } = yield* Scope.extend(openCall(changes), scope)
    if (changes.codec !== undefined) peer.setCodec(changes.codec)
    const over = yield* Deferred.make<EndedBy>()
    let listener: (event: LineEvent) => void = () => undefined
    let endedBy: EndedBy | null = null
    const end = (by: EndedBy) =>
      Effect.suspend(() => {
        if (endedBy !== null) return Effect.void
        endedBy = by
        listener({ _tag: "Ended", by })
        return Effect.zipRight(Scope.close(scope, Exit.void), Deferred.succeed(over, by))
      })
    const line: AudioLine = {
      _tag: "AudioLine",
      rate: session.rate,
      play: session.play,
      clear: session.clear,
      press: session.press,
      hear: (hear) => {
        listener = hear
        session.hear(hear)
        if (endedBy !== null) hear({ _tag: "Ended", by: endedBy })
      },
      hangUp: end("agent")
    }
    return {
      line,
      caller: {
        say: peer.say,
        press: peer.press,
        hold: (on: boolean) => {
          peer.pause(on)
          session.negotiate(describePeer(peer, { ...changes, direction: on ? "inactive" : "sendrecv" }))
        },
        hangUp: end("user"),
        recording: peer.recording,
        keys: peer.pressed,
        ended: Deferred.await(over)
      }
    }
  })

for (const [name, changes] of [["SIP media", {}], ["SIP media with a wide band", wideBand]] as const) {
  audioLineLaws(
    name,
    Effect.provide(openWith(changes), runtime),
    (title, effect) => it.live(title, () => Effect.scoped(Effect.provide(effect(), runtime))),
    { tolerance: 60 }
  )
}
