import type { OutgoingCall } from "@trunkline/sip"
import { type Announcement, type DialPlan, hearAnnouncement, makeEarlySound } from "@trunkline/telephony"
import { Effect, Option, type Scope, Stream } from "effect"
import type { CallContext } from "./CallContext.js"
import type { CallSound } from "./CallSound.js"

/** The sound of a call before its answer. */
export interface EarlyHearing {
  /** The announcement or the tone that was heard until now; null for none. The words are made out now, which takes a while. */
  readonly announcement: Effect.Effect<Announcement | null>
}

/** Rate of the sound of telephones, in hertz. */
const sampleRate = 8_000

const nothing: EarlyHearing = { announcement: Effect.succeed(null) }

const noWords = () => Effect.succeed("")

/**
 * Hears the sound of provisional responses until the call is answered, for as long as the scope. Of a forked call, that of the
 * latest side is heard. A description that cannot be used is passed over: that of the answer decides.
 */
export const hearEarly = (
  { line: { settings: { options: { early_media } } } }: CallContext,
  { progress }: OutgoingCall,
  { overhear }: CallSound,
  { wordsOf = noWords }: DialPlan
): Effect.Effect<EarlyHearing, never, Scope.Scope> => {
  if (early_media === "off") return Effect.succeed(nothing)
  const sound = makeEarlySound(sampleRate)
  const descriptions = Stream.changes(Stream.filterMap(progress, ({ sdp }) => Option.fromNullable(sdp)))
  return Effect.as(
    Effect.forkScoped(Stream.runForEach(descriptions, (sdp) => Effect.sync(() => overhear(sdp, sound.push)))),
    { announcement: hearAnnouncement(sound, early_media === "words" ? wordsOf : noWords) }
  )
}
