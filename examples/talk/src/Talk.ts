import { Agent, AgentCatalog, type AgentVersion } from "@trunkline/agents"
import { Conversation } from "@trunkline/conversation"
import { AppId, AttemptId, BusinessTime, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { type CallBrief, CallHandler, type CallReport, type Leg } from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"
import { type Arguments, readArguments, Unusable, usage } from "./Arguments.js"
import { modelOf, readAgent } from "./Inputs.js"
import { makeTypedLeg, type Terminal } from "./TypedLeg.js"

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
const holdCall = (leg: Leg, version: AgentVersion, words: Arguments, { output }: Terminal) => {
  const agents = AgentCatalog.layerOf([new Agent({ app_id, versions: [version] })])
  const handler = Layer.provide(Conversation.layer, [agents, modelOf(words, version)])
  return Effect.gen(function*() {
    const { handle } = yield* CallHandler
    const begun = yield* BusinessTime.now
    const report = yield* handle(leg, briefOf(version, words))
    output.write(summaryOf(report, (yield* BusinessTime.now) - begun))
  }).pipe(
    Effect.catchAll(({ reason }) => new Unusable({ message: `The call failed: ${reason}` })),
    Effect.provide(handler)
  )
}

const talkWith = (words: Arguments, terminal: Terminal) =>
  Effect.scoped(Effect.gen(function*() {
    const version = yield* readAgent(words)
    yield* holdCall(yield* makeTypedLeg(terminal), version, words, terminal)
  }))

/** Runs the program with the words of a command line and the folder of its paths; returns the exit code. */
export const talk = (
  words: ReadonlyArray<string>,
  terminal: Terminal,
  folder: string
): Effect.Effect<number> =>
  Effect.gen(function*() {
    const read = yield* readArguments(words, folder)
    if (read === null) terminal.output.write(`${usage}\n`)
    else yield* talkWith(read, terminal)
    return 0
  }).pipe(
    Effect.catchAll(({ message }) =>
      Effect.sync(() => {
        terminal.errors.write(`${message}\n`)
        return 1
      })
    )
  )
