import { BusinessTime } from "@trunkline/kernel"
import {
  type AudioCaller,
  type CallBrief,
  type CallFault,
  type Leg,
  makeSimulatedAudioLine,
  Voicing
} from "@trunkline/telephony"
import { Effect, type Scope } from "effect"
import { callRate } from "./SoundFiles.js"

/** Silence of the agent after the caller's sound, after which the caller hangs up, in milliseconds. */
const patience = 5_000

/** Loudest sample of silence. */
const silent = 0.001

/** Hangs up once all was said and the agent has been silent for a while. */
const hangUpInSilence = (caller: AudioCaller, saidAt: number) =>
  Effect.gen(function*() {
    yield* BusinessTime.sleepUntil(saidAt + patience)
    const isSilent = () => caller.recording().subarray(-patience * callRate / 1_000).every((x) => Math.abs(x) < silent)
    while (!isSilent()) yield* BusinessTime.sleep("250 millis")
    yield* caller.hangUp
  })

const clockOf = (millis: number): string =>
  `[${String(Math.floor(millis / 60_000)).padStart(2, "0")}:${(millis % 60_000 / 1_000).toFixed(1).padStart(4, "0")}]`

/** A call whose caller plays a sound. */
export interface AudioCall {
  readonly leg: Leg
  /** Sound that the caller has heard so far, from the moment at which the sound of the caller began. */
  readonly recording: () => Float32Array
}

/** Makes a call of a sound. Each turn is written with its time as soon as it is over. */
export const makeAudioCall = (
  { brief, sound, write }: {
    readonly brief: CallBrief
    readonly sound: Float32Array
    readonly write: (line: string) => void
  }
): Effect.Effect<AudioCall, CallFault, Scope.Scope | Voicing> =>
  Effect.gen(function*() {
    const { caller, line } = yield* makeSimulatedAudioLine({ rate: callRate })
    const start = yield* BusinessTime.now
    caller.say(sound)
    const leg = yield* (yield* Voicing).legOf(line, brief)
    yield* Effect.forkScoped(hangUpInSilence(caller, start + sound.length / callRate * 1_000))
    const tell = (at: number | undefined, words: string) =>
      Effect.map(BusinessTime.now, (now) => write(`${clockOf((at ?? now) - start)} ${words}`))
    return {
      recording: caller.recording,
      leg: {
        ...leg,
        say: (utterance) =>
          Effect.tap(leg.say(utterance), ({ heard, interrupted, startedAt }) =>
            heard === "" ? Effect.void : tell(startedAt, `Agent: ${heard}${interrupted ? " (interrupted)" : ""}`)),
        listen: (silence) =>
          Effect.tap(leg.listen(silence), (heard) =>
            heard._tag === "Said"
              ? tell(heard.endedAt, `Caller: ${heard.text}`)
              : heard._tag === "Unheard"
              ? tell(undefined, "Caller: (not understood)")
              : Effect.void)
      }
    }
  })
