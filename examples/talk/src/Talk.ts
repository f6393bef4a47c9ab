import { Agent, AgentCatalog, type AgentVersion } from "@trunkline/agents"
import { Conversation } from "@trunkline/conversation"
import { AppId, AttemptId, BusinessTime, OrgId, PhoneNumber, Scope, VirtualClock, WorkspaceId } from "@trunkline/kernel"
import type { Synthesizer } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { TextNormalizer } from "@trunkline/spoken-text"
import { type CallBrief, CallHandler, type CallReport, type Leg } from "@trunkline/telephony"
import { TurnTaking } from "@trunkline/turn-taking"
import { Duration, Effect, Layer, Logger } from "effect"
import { type Arguments, readArguments, Unusable, usage } from "./Arguments.js"
import { makeAudioCall } from "./AudioCall.js"
import { heldEngines } from "./HeldEngines.js"
import { readAgent, readBytes, writeBytes } from "./Inputs.js"
import { listenerOf, modelOf } from "./Servers.js"
import { callerSoundOf, callFileOf } from "./SoundFiles.js"
import { toldFailures } from "./ToldFailures.js"
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
    const start = yield* BusinessTime.now
    const report = yield* handle(leg, brief)
    output.write(summaryOf(report, (yield* BusinessTime.now) - start))
  })

const conversationOf = (version: AgentVersion) =>
  Layer.provide(Conversation.layer, AgentCatalog.layerOf([new Agent({ app_id, versions: [version] })]))

const talkTyped = (brief: CallBrief, terminal: Terminal) =>
  Effect.flatMap(makeTypedLeg(terminal), (leg) => holdCall(leg, brief, terminal))

const talkWithSound = (
  { both, from, isRealTime, to, transcriber }: NonNullable<Arguments["audio"]>,
  brief: CallBrief,
  terminal: Terminal
) =>
  Effect.gen(function*() {
    const sound = yield* callerSoundOf(from, yield* readBytes(from))
    if (transcriber === null) terminal.errors.write(modemNotice)
    const call = Effect.scoped(Effect.gen(function*() {
      const write = (line: string) => void terminal.output.write(`${line}\n`)
      const { leg, recording } = yield* makeAudioCall({ brief, sound, write })
      yield* holdCall(leg, brief, terminal)
      return recording()
    }))
    const recorded = yield* isRealTime ? call : VirtualClock.run(call)
    yield* writeBytes(to, callFileOf(recorded, both ? sound : null))
  })

const talkWith = (words: Arguments, terminal: Terminal, voice: Layer.Layer<Synthesizer>) =>
  Effect.scoped(Effect.gen(function*() {
    const version = yield* readAgent(words)
    const brief = briefOf(version, words)
    const engines = Layer.provide(
      toldFailures((line) => void terminal.errors.write(`${line}\n`)),
      Layer.mergeAll(modelOf(words, version), voice, listenerOf(words))
    )
    const timed = words.audio?.isRealTime === false ? Layer.provide(heldEngines, engines) : engines
    const voicing = Layer.provide(TurnTaking.layer, TextNormalizer.layer)
    yield* words.audio === null
      ? Effect.provide(talkTyped(brief, terminal), Layer.provide(conversationOf(version), engines))
      : Effect.provide(
        talkWithSound(words.audio, brief, terminal),
        Layer.merge(conversationOf(version), voicing).pipe(Layer.provide(timed))
      )
  })).pipe(
    Effect.catchTag("CallFault", ({ reason }) => new Unusable({ message: `The call failed: ${reason}` }))
  )

/** Warnings are plain lines beside the conversation. */
const plainLogs = ({ errors }: Terminal) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void errors.write(`${Array.isArray(message) ? message.join(" ") : String(message)}\n`))
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
    Effect.provide(plainLogs(terminal)),
    Effect.catchAll(({ message }) =>
      Effect.sync(() => {
        terminal.errors.write(`${message}\n`)
        return 1
      })
    )
  )
