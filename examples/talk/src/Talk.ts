import { Agent, AgentCatalog, type AgentVersion } from "@trunkline/agents"
import { Conversation } from "@trunkline/conversation"
import { AppId, AttemptId, BusinessTime, OrgId, PhoneNumber, Scope, VirtualClock, WorkspaceId } from "@trunkline/kernel"
import { Listener, type Synthesizer } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { TextNormalizer } from "@trunkline/spoken-text"
import { type CallBrief, CallHandler, type CallReport, type Leg } from "@trunkline/telephony"
import { TurnTaking } from "@trunkline/turn-taking"
import { Duration, Effect, Layer } from "effect"
import { type Arguments, readArguments, Unusable, usage } from "./Arguments.js"
import { makeAudioCall } from "./AudioCall.js"
import { heldEngines } from "./HeldEngines.js"
import { modelOf, readAgent, readBytes, transcriberOf, writeBytes } from "./Inputs.js"
import { callerSoundOf, callFileOf } from "./SoundFiles.js"
import { makeTypedLeg, type Terminal } from "./TypedLeg.js"

const modemNotice = "Without --transcriber only the sound of modemVoice is understood: people are not.\n"

const app_id = AppId.make("talk")

/** The brief of a call that comes in from a person. */
const briefOf = (version: AgentVersion, { language }: Arguments): CallBrief => ({
  attempt_id: AttemptId.make("00000000-0000-7000-8000-000000000000"),
  scope: new Scope({ org_id: OrgId.make("talk"), workspace_id: WorkspaceId.make("talk") }),
  direction: "inbound",
  app_id,
  app_version: version.app_version,
  user_phone_number: PhoneNumber.make("+919800000001"),
  agent_phone_number: PhoneNumber.make("+911140000001"),
  agent_variables: {},
  app_overrides: language === null ? {} : { initial_language_name: language },
  maxDuration: Duration.seconds(version.max_duration_seconds)
})

/** The lines about a call that has ended. */
const summaryOf = (report: CallReport, millis: number): string =>
  [
    "",
    `Outcome: ${report.agent_done ? "completed" : "partial"}, ended by ${
      report.ended_by === "user" ? "the caller" : `the ${report.ended_by}`
    }`,
    `Variables: ${JSON.stringify(report.output_agent_variables)}`,
    `Duration: ${(millis / 1_000).toFixed(1)} s`,
    ...(report.fault === null ? [] : [`Fault: ${report.fault}`])
  ].map((line) => `${line}\n`).join("")

/** Holds the conversation of a leg, and writes its report. */
const holdCall = (leg: Leg, brief: CallBrief, { output }: Terminal) =>
  Effect.gen(function*() {
    const { handle } = yield* CallHandler
    const begun = yield* BusinessTime.now
    const report = yield* handle(leg, brief)
    output.write(summaryOf(report, (yield* BusinessTime.now) - begun))
  })

const conversationOf = (version: AgentVersion) =>
  Layer.provide(Conversation.layer, AgentCatalog.layerOf([new Agent({ app_id, versions: [version] })]))

const talkTyped = (brief: CallBrief, terminal: Terminal) =>
  Effect.flatMap(makeTypedLeg(terminal), (leg) => holdCall(leg, brief, terminal))

const talkWithSound = (
  { both, from, to, transcriber }: NonNullable<Arguments["audio"]>,
  brief: CallBrief,
  terminal: Terminal
) =>
  Effect.gen(function*() {
    const sound = yield* callerSoundOf(from, yield* readBytes(from))
    if (transcriber === null) terminal.errors.write(modemNotice)
    const recorded = yield* Effect.scoped(Effect.gen(function*() {
      const write = (line: string) => void terminal.output.write(`${line}\n`)
      const { leg, recording } = yield* makeAudioCall({ brief, sound, write })
      yield* holdCall(leg, brief, terminal)
      return recording()
    })).pipe(VirtualClock.run)
    yield* writeBytes(to, callFileOf(recorded, both ? sound : null))
  })

const talkWith = (words: Arguments, terminal: Terminal, voice: Layer.Layer<Synthesizer>) =>
  Effect.scoped(Effect.gen(function*() {
    const version = yield* readAgent(words)
    const brief = briefOf(version, words)
    const engines = Layer.mergeAll(modelOf(words, version), voice, transcriberOf(words))
    const held = Layer.provide(heldEngines, engines)
    const voicing = Layer.provide(TurnTaking.layer, [Listener.layerOfTranscriber, TextNormalizer.layer])
    yield* words.audio === null
      ? Effect.provide(talkTyped(brief, terminal), Layer.provide(conversationOf(version), engines))
      : Effect.provide(
        talkWithSound(words.audio, brief, terminal),
        Layer.merge(conversationOf(version), voicing).pipe(Layer.provide(held))
      )
  })).pipe(
    Effect.catchTag("CallFault", ({ reason }) => new Unusable({ message: `The call failed: ${reason}` }))
  )

/** Surroundings of the program. */
export interface TalkOptions {
  /** The folder that paths of the command line are relative to. */
  readonly folder: string
  /** Voice of agents on calls with sound; default espeak-ng. */
  readonly voice?: Layer.Layer<Synthesizer>
}

/** Runs the program with the words of a command line; returns the exit code. */
export const talk = (
  words: ReadonlyArray<string>,
  terminal: Terminal,
  { folder, voice = SpeechEspeak.layer() }: TalkOptions
): Effect.Effect<number> =>
  Effect.gen(function*() {
    const read = yield* readArguments(words, folder)
    if (read === null) terminal.output.write(`${usage}\n`)
    else yield* talkWith(read, terminal, voice)
    return 0
  }).pipe(
    Effect.catchAll(({ message }) =>
      Effect.sync(() => {
        terminal.errors.write(`${message}\n`)
        return 1
      })
    )
  )
