import { type CallTest, checkCall, makeStandingTime, watchTools } from "@trunkline/agent-testing"
import { CreateCampaign } from "@trunkline/campaigns"
import { uploadForm } from "@trunkline/cohorts"
import { Engine, memoryParts } from "@trunkline/engine"
import { issuesOf } from "@trunkline/errors"
import {
  type AttemptId,
  BusinessTime,
  type CampaignId,
  OrgId,
  PhoneNumber,
  Scope,
  VirtualClock,
  WorkspaceId
} from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { Carriers } from "@trunkline/telephony"
import { Cause, Duration, Effect, Exit, Fiber, Layer, Random, Schema, Stream } from "effect"
import type { CallEnded } from "../../generated/Resources.js"
import type { TestedCall } from "../../generated/Testing.js"
import { InvalidOption } from "../../options/InvalidOption.js"
import { judgeCall } from "../JudgeCall.js"
import type { ScriptFailed } from "../PromisedCaller.js"
import type { TestCampaignOptions, TestContact, TestedCampaign, TestedDial } from "./CampaignTypes.js"
import { makeTestCarrier, type PlayedDial } from "./TestCarrier.js"

const scope = new Scope({ org_id: OrgId.make("main"), workspace_id: WorkspaceId.make("main") })

const ours = { connection_id: "line", phone_numbers: ["+911140000001"] }

const allDay = {
  allowed_start_time: "00:00",
  allowed_end_time: "24:00",
  allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
}

const owner = "testCampaign"

const utf8 = new TextEncoder()

/** The campaign of a body; fails at the first field that is wrong or unknown. */
const decodeCampaign = (body: unknown) =>
  Effect.mapError(Schema.decodeUnknown(CreateCampaign, { onExcessProperty: "error" })(body), (error) => {
    const [{ loc, msg }] = issuesOf(error, "body")
    return new InvalidOption(["campaign", ...loc.slice(1)].join("."), msg, owner)
  })

/** Throws for a contact that could not be called. */
const checkContacts = (contacts: ReadonlyArray<TestContact>): void => {
  const phones = contacts.map(({ phone }) => phone)
  phones.forEach((phone, index) => {
    const place = `contacts.${index}.phone`
    if (!Schema.is(PhoneNumber)(phone)) {
      throw new InvalidOption(place, `"${phone}" is no number: write it as +919800000001`, owner)
    }
    if (phones.indexOf(phone) < index) throw new InvalidOption(place, `${phone} is given twice`, owner)
  })
}

/** A cell of a CSV. */
const cell = (value: unknown): string => `"${String(value ?? "").replaceAll("\"", "\"\"")}"`

const variablesIn = (contacts: ReadonlyArray<TestContact>): ReadonlyArray<string> => [
  ...new Set(contacts.flatMap(({ variables = {} }) => Object.keys(variables)))
]

/** Uploads the contacts, and waits until they are imported. */
const upload = (id: CampaignId, contacts: ReadonlyArray<TestContact>) =>
  Effect.gen(function*() {
    const { cohorts } = yield* Engine
    const names = variablesIn(contacts)
    const rows = contacts.map(({ id, phone, variables = {} }) =>
      [id ?? phone, phone, ...names.map((name) => variables[name])].map(cell).join(",")
    )
    const csv = [["id", "phone", ...names].map(cell).join(","), ...rows, ""].join("\n")
    const transformation = {
      phone_number: { column_name: "phone" },
      user_identifier: { column_name: "id", required: true },
      app_variables: Object.fromEntries(names.map((name) => [name, { column_name: name }]))
    }
    const owner = { kind: "campaign", id } as const
    const form = uploadForm({
      name: "Contacts",
      file: Stream.succeed(utf8.encode(csv)),
      transformation: utf8.encode(JSON.stringify(transformation)),
      category: "cohort"
    })
    const { cohort_id } = yield* cohorts.upload(scope, owner, { form, createdBy: "test" })
    yield* cohorts.finished(scope, owner, cohort_id)
  })

/** Waits until a campaign has ended, or until a moment; returns its status. */
const untilOver = (id: CampaignId, at: number): Effect.Effect<string, never, Engine> =>
  Effect.gen(function*() {
    const { status } = yield* Effect.orDie((yield* Engine).campaigns.get(scope, id))
    if (status === "ended" || (yield* BusinessTime.now) >= at) return status
    yield* BusinessTime.sleep("1 minute")
    return yield* untilOver(id, at)
  })

/** The conversation of a dial as plain data. */
const callOf = ({ call }: PlayedDial, report: CallEnded, seed: number): TestedCall | null =>
  call === null ? null : {
    turns: call.log.turns(),
    outcome: report.completion_status,
    fault: report.failure_reason,
    endedBy: call.line.state.endedBy ?? "agent",
    variables: report.final_agent_variables ?? {},
    outputs: report.output_agent_variables ?? {},
    language: null,
    seconds: report.duration ?? 0,
    startedAt: new Date(call.answeredAt).toISOString(),
    record: (report.transcript ?? []).map(({ en_text, indic_text, role }) => ({ role, text: indic_text ?? en_text })),
    model: [],
    violations: [],
    seed,
    refusals: call.log.refusals(),
    leftOpen: false
  }

/** A dial, and how the script of its contact has failed. */
interface EndedDial {
  readonly dial: TestedDial
  readonly failure: Cause.Cause<ScriptFailed> | null
}

/** Runs a campaign in virtual time, on an engine in memory. */
export const runCampaign = (
  { answers, campaign = {}, contacts, days = 7, rules, seed = 1 }: TestCampaignOptions,
  { agents, at, brief, lastSilence, mocks = {}, model, tools }: CallTest
): Promise<TestedCampaign> => {
  checkContacts(contacts)
  const end = at + Duration.toMillis(Duration.days(days))
  const reports = new Map<string, CallEnded>()
  const options = {
    agents: agents.map((agent) => ({ agent, handlers: {} })),
    connections: [{ ...ours, provider: "simulator" }],
    seed: String(seed),
    // The test itself checks them, and more.
    checkCalls: false,
    onCallEnded: (call: () => CallEnded, id: AttemptId) => void reports.set(id, call())
  }
  const { app_config, ...settings } = campaign

  const run = Effect.gen(function*() {
    const standingTime = yield* makeStandingTime
    const { carrier, dials } = makeTestCarrier({ contacts, answers, lastSilence, standingTime })
    const toolLayer = watchTools({
      tools,
      mocks,
      pass: standingTime.pass,
      logOf: ({ attempt_id }) => dials.get(attempt_id)?.call?.log
    })
    const engine = Engine.layer({ ...options, handsOver: false }).pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          memoryParts({ ...options, model: Layer.succeed(LanguageModel, model) }),
          Carriers.layerOf([carrier]),
          toolLayer
        )
      )
    )
    const status = yield* Effect.gen(function*() {
      const { campaigns } = yield* Engine
      const body = yield* decodeCampaign({
        name: "Test",
        allowed_schedule: allDay,
        ...settings,
        start_timestamp: new Date(at).toISOString(),
        end_timestamp: new Date(end).toISOString(),
        app_config: {
          app_id: brief.app_id,
          app_version: brief.app_version,
          connection_configs: [ours],
          ...app_config
        }
      })
      const { campaign_id } = yield* campaigns.create(scope, body, "test")
      yield* upload(campaign_id, contacts)
      return yield* untilOver(campaign_id, end)
    }).pipe(Effect.provide(engine), Effect.provideService(BusinessTime, standingTime.time))
    const results = yield* Effect.forEach([...dials], ([id, played]) =>
      Effect.map(
        played.call === null ? Effect.succeed(null) : Fiber.join(played.call.playFiber),
        (failure): ReadonlyArray<EndedDial> => {
          const call = reports.get(id)
          if (call === undefined) return []
          const { attempt, contact, dialledAt } = played
          const at = new Date(dialledAt).toISOString()
          return [{ dial: { contact, attempt, at, call: callOf(played, call, seed), ended: call }, failure }]
        }
      ))
    return { status, dials: results.flat() }
  })

  return Effect.runPromiseExit(
    VirtualClock.run(Effect.scoped(run), { start: at }).pipe(Effect.withRandom(Random.make(seed)))
  ).then((exit) => {
    if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
    const dials = exit.value.dials.map(({ dial, failure }) => {
      if (dial.call === null) return dial
      const dialCall = rules === false ? dial.call : checkCall(dial.call, agents, rules)
      return { ...dial, call: judgeCall(dialCall, failure) }
    })
    return { dials, calls: dials.flatMap(({ call }) => call ?? []), status: exit.value.status }
  })
}
