import { AppId, AttemptId, BusinessTime, OrgId, PhoneNumber, Scope as CallScope, WorkspaceId } from "@trunkline/kernel"
import { Listener, modemTranscriber, modemVoice, type ModemVoiceOptions, soundOf, Transcriber } from "@trunkline/speech"
import { TextNormalizer } from "@trunkline/spoken-text"
import {
  type AudioCall,
  type AudioLine,
  type CallBrief,
  type Heard,
  type Leg,
  makeSimulatedAudioLine,
  Voicing
} from "@trunkline/telephony"
import {
  AgentVoice,
  TurnTaking,
  turnTakingDefaults,
  TurnTakingOption,
  type TurnTakingOptions
} from "@trunkline/turn-taking"
import { Duration, Effect, Layer, type Scope } from "effect"

const brief: CallBrief = {
  attempt_id: AttemptId.make("00000000-0000-7000-8000-000000000000"),
  scope: new CallScope({ org_id: OrgId.make("trial"), workspace_id: WorkspaceId.make("trial") }),
  direction: "inbound",
  app_id: AppId.make("trial"),
  app_version: 1,
  user_phone_number: PhoneNumber.make("+919800000001"),
  agent_phone_number: PhoneNumber.make("+911140000001"),
  agent_variables: {},
  app_overrides: {},
  maxDuration: Duration.hours(1)
}

/** A call whose two sides speak with the modem voice, so that words are exact. */
export interface AudibleCall extends AudioCall {
  readonly leg: Leg
  /** Says words, and completes when they have been said. */
  readonly say: (words: string) => Effect.Effect<void>
  /** The words of the agent that the caller has heard so far. */
  readonly heard: Effect.Effect<string>
}

export interface AudibleOptions {
  readonly turns?: Partial<TurnTakingOptions>
  readonly voice?: ModemVoiceOptions
  readonly transcriber?: Layer.Layer<Transcriber>
  readonly agentVoice?: AgentVoice.Service
  /** Words that the caller says at once, while the leg is still made. */
  readonly atOnce?: string
  /** Changes the line that the agent gets. */
  readonly through?: (line: AudioLine) => AudioLine
}

/** Sound of words by the modem voice. */
export const spoken = (words: string) => soundOf(words).pipe(Effect.provide(modemVoice()), Effect.orDie)

/** Keys as they were heard, without why their entry ended. */
export const withoutEnd = (heard: Heard): Heard =>
  heard._tag === "Pressed" ? { _tag: "Pressed", digit: heard.digit } : heard

export const wait = (millis: number) => Effect.flatMap(BusinessTime.now, (now) => BusinessTime.sleepUntil(now + millis))

/** Connects a call. */
export const connect = (
  { agentVoice, atOnce, through = (line) => line, transcriber = modemTranscriber, turns = {}, voice = {} }:
    AudibleOptions = {}
): Effect.Effect<AudibleCall, never, Scope.Scope> =>
  Effect.gen(function*() {
    const call = yield* makeSimulatedAudioLine()
    const { legOf } = yield* Voicing
    if (atOnce !== undefined) call.caller.say(yield* spoken(atOnce))
    const leg = yield* Effect.orDie(legOf(through(call.line), brief))
    return {
      ...call,
      leg,
      say: (words) =>
        Effect.flatMap(spoken(words), (sound) => {
          call.caller.say(sound)
          return wait(sound.length / 8)
        }),
      heard: Effect.flatMap(Transcriber, ({ transcribe }) =>
        transcribe({ rate: 8_000, samples: call.caller.recording() }, { language: null })).pipe(
          Effect.provide(modemTranscriber),
          Effect.orDie
        )
    } satisfies AudibleCall
  }).pipe(
    Effect.provide(
      TurnTaking.layer.pipe(
        Layer.provide([
          modemVoice(voice),
          Layer.provide(Listener.layerOfTranscriber, transcriber),
          TextNormalizer.layer,
          Layer.succeed(TurnTakingOption, { ...turnTakingDefaults, ...turns }),
          agentVoice === undefined ? Layer.empty : Layer.succeed(AgentVoice, agentVoice)
        ])
      )
    )
  )
