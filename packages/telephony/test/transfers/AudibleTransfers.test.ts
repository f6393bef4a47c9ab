import { assert, describe } from "@effect/vitest"
import { type AnsweredBy, type AnswerVerdict, BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Context, Duration, Effect, Fiber, Layer, Stream } from "effect"
import {
  type AnswerSense,
  type AudioLine,
  CallHandler,
  CallLimitsOption,
  CallRegistry,
  Calls,
  type Carrier,
  makeSimulatedAudioLine,
  type TransferRequest,
  type TransferResult,
  Voicing,
  WhoAnswered
} from "../../src/index.js"
import { attemptInProgress } from "../AttemptInProgress.js"
import { telephony } from "../Fixtures.js"
import { report, transferRequest, warmRequest } from "./TransferFixtures.js"

/** Verdict by the sound, and the later ones, each with the milliseconds after the one before. */
interface Hearing {
  readonly heard: AnsweredBy
  readonly later?: ReadonlyArray<readonly [number, AnsweredBy]>
}

const verdictOf = (answered_by: AnsweredBy): AnswerVerdict => ({
  answered_by,
  evidence: "words",
  decided_ms: 1_500,
  words: null
})

/** Verdicts about who has answered, the first one 1.5 s after the answer. */
const senseOf = ({ heard, later = [] }: Hearing, answeredAt: number): AnswerSense => {
  let at = answeredAt + 1_500
  const first = verdictOf(heard)
  const verdicts = [
    { verdict: first, at },
    ...later.map(([millis, by]) => ({ verdict: verdictOf(by), at: at += millis }))
  ]
  return {
    verdict: Effect.as(BusinessTime.sleepUntil(answeredAt + 1_500), first),
    revision: (of) => {
      const next = verdicts[verdicts.findIndex(({ verdict }) => verdict === of) + 1]
      return next === undefined ? Effect.never : Effect.as(BusinessTime.sleepUntil(next.at), next.verdict)
    },
    ready: Effect.never
  }
}

/** Legs that speak by a second of waiting, and hear nothing but the end of their line, and who has answered if they are asked. */
const voicingWith = (hearing: Hearing): Voicing.Service => ({
  legOf: (line, { answer_handling }) =>
    Effect.flatMap(BusinessTime.now, (answeredAt) =>
      Effect.async((resume) => {
        let end: (by: "user" | "agent" | "provider" | "timeout") => void = () => {}
        const ended = Effect.async<"user" | "agent" | "provider" | "timeout">((resume) => {
          end = (by) => resume(Effect.succeed(by))
        })
        line.hear((event) => {
          if (event._tag === "Ended") end(event.by)
        })
        resume(Effect.succeed({
          say: ({ text }) => Effect.as(BusinessTime.sleep(1_000), { heard: text, interrupted: false }),
          listen: (silence) => Effect.as(BusinessTime.sleep(silence), { _tag: "Silent" as const }),
          ended,
          press: line.press,
          ...(answer_handling !== undefined && {
            answer: senseOf(hearing, answeredAt)
          }),
          hangUp: line.hangUp
        }))
      }))
})

/** Calls last for half a minute, with as much grace. */
const limits = Layer.succeed(CallLimitsOption, {
  ringTimeout: Duration.seconds(40),
  maxDuration: Duration.seconds(30),
  idleBudget: Duration.seconds(120)
})

/** A call with sound that is transferred at once to a person with sound. */
const audibleTransfer = (
  request: TransferRequest,
  refer: Pick<AudioLine, "refer"> = {},
  { by, heard = "person", later = [] }: Partial<Hearing> & {
    /** Verdict of the host. */
    readonly by?: AnsweredBy
  } = {}
) =>
  Effect.gen(function*() {
    const caller = yield* makeSimulatedAudioLine()
    const person = yield* makeSimulatedAudioLine()
    const dialled: Array<string> = []
    let result: TransferResult | null = null
    const carrier: Carrier = {
      provider: "simulator",
      protocol: "test",
      dialsAddresses: true,
      dedupe: () => ({ _tag: "None" }),
      place: ({ address, to }) => {
        dialled.push(address ?? to)
        const answer = Effect.as(BusinessTime.sleep(2_000), {
          ...person.line,
          replaces: () => "abc;to-tag=1;from-tag=2"
        })
        return Effect.succeed({ provider_call_id: "second", answer, cancel: person.line.hangUp })
      },
      lookup: () => Effect.succeed({ _tag: "NotFound" }),
      offers: Stream.empty
    }
    const handler = Layer.succeed(CallHandler, {
      handle: (leg) =>
        Effect.gen(function*() {
          result = leg.transfer === undefined ? null : yield* leg.transfer(request)
          yield* leg.hangUp
          return report
        })
    })
    const layer = Layer.provideMerge(
      telephony({ handler, carrier }),
      Layer.mergeAll(
        Layer.succeed(Voicing, voicingWith({ heard, later })),
        by === undefined ? Layer.empty : Layer.succeed(WhoAnswered, { of: () => Effect.succeed(by) }),
        limits
      )
    )
    const services = yield* Layer.build(layer)
    const attempt = attemptInProgress("accepted")
    const { converse } = Context.get(services, Calls)
    const held = yield* Effect.fork(Effect.provide(converse({ ...caller.line, ...refer }, attempt), services))
    return {
      caller: caller.caller,
      person: person.caller,
      dialled,
      held,
      end: Effect.provide(Effect.flatMap(CallRegistry, (registry) => registry.end(attempt.attempt_id)), services),
      result: () => result
    }
  })

const tone = Float32Array.from({ length: 1_600 }, (_, at) => 0.5 * Math.sin(at / 3))

const isLoud = (samples: Float32Array): boolean => samples.some((sample) => Math.abs(sample) > 0.3)

describe("a transfer of a call with sound", () => {
  virtualTest("joins both calls where the trunk refuses, and the record ends with them", () =>
    Effect.gen(function*() {
      const asked: Array<string> = []
      const refer: AudioLine["refer"] = ({ to }) =>
        Effect.sync(() => {
          asked.push(to)
          return { _tag: "Unsupported" }
        })
      const { caller, dialled, held, person, result } = yield* audibleTransfer(
        transferRequest({ to: "sip:desk@pbx.example" }),
        { refer }
      )
      yield* BusinessTime.sleep(5_000)
      assert.deepStrictEqual([asked, dialled], [["sip:desk@pbx.example"], ["sip:desk@pbx.example"]])
      assert.deepInclude(result(), { outcome: "transferred", by: "bridge" })
      caller.say(tone)
      person.say(tone)
      yield* BusinessTime.sleep(20_000)
      assert.isTrue(isLoud(person.recording()))
      assert.isTrue(isLoud(caller.recording()))
      yield* person.hangUp
      const outcome = yield* Fiber.join(held)
      assert.strictEqual(yield* caller.ended, "agent")
      assert.isAbove(outcome._tag === "Connected" ? outcome.ended_at - outcome.started_at : 0, 20_000)
    }))

  virtualTest("ends when somebody hangs up for us, and at the longest time of a call", () =>
    Effect.gen(function*() {
      const ended = yield* audibleTransfer(transferRequest())
      yield* BusinessTime.sleep(5_000)
      assert.isTrue(yield* ended.end)
      yield* Fiber.join(ended.held)
      assert.strictEqual(yield* ended.person.ended, "agent")
      const endless = yield* audibleTransfer(transferRequest())
      yield* BusinessTime.sleep(70_000)
      yield* Fiber.join(endless.held)
      assert.strictEqual(yield* endless.person.ended, "agent")
    }))

  virtualTest(
    "hands a person who was told over to the trunk, where it takes over our call",
    () =>
      Effect.gen(function*() {
        const asked: Array<string | undefined> = []
        const refer: AudioLine["refer"] = ({ replacing }) =>
          Effect.sync(() => {
            asked.push(replacing)
            return { _tag: "Taken" }
          })
        const request = { ...warmRequest, acceptKey: null, prompt: null }
        const { held, person, result } = yield* audibleTransfer(request, { refer })
        yield* Fiber.join(held)
        assert.deepStrictEqual(asked, ["abc;to-tag=1;from-tag=2"])
        assert.deepInclude(result(), { outcome: "transferred", by: "provider" })
        assert.strictEqual(yield* person.ended, "agent")
      })
  )

  virtualTest("is not taken by a machine, by the verdict of whoever tells", () =>
    Effect.gen(function*() {
      const request = { ...warmRequest, acceptKey: null, prompt: null }
      const { held, person, result } = yield* audibleTransfer(request, {}, { by: "machine" })
      yield* Fiber.join(held)
      assert.deepInclude(result(), { outcome: "no_answer", reason: "an answering machine answered" })
      assert.strictEqual(yield* person.ended, "agent")
    }))

  virtualTest(
    "is not taken by a machine that is heard as one, nor by a fax; a key is better than hearing",
    () =>
      Effect.gen(function*() {
        const withoutKey = { ...warmRequest, acceptKey: null, prompt: null }
        for (
          const [heard, reason] of [["machine", "an answering machine answered"], ["fax", "a fax answered"]] as const
        ) {
          const { held, result } = yield* audibleTransfer(withoutKey, {}, { heard })
          yield* Fiber.join(held)
          assert.deepInclude(result(), { outcome: "no_answer", reason })
        }
        const { held, result } = yield* audibleTransfer(warmRequest, {}, { heard: "machine" })
        yield* Fiber.join(held)
        assert.deepInclude(result(), { outcome: "no_answer", reason: "the call was answered, and nobody took it" })
      })
  )

  virtualTest(
    "is not taken by a machine that was taken for a person first, and is taken by a person who was corrected",
    () =>
      Effect.gen(function*() {
        const withoutKey = { ...warmRequest, acceptKey: null, prompt: null }
        const outcomeOf = (hearing: Hearing) =>
          Effect.gen(function*() {
            const { held, person, result } = yield* audibleTransfer(withoutKey, {}, hearing)
            yield* BusinessTime.sleep(12_000)
            yield* person.hangUp
            yield* Fiber.join(held)
            return result()
          })
        const machine: Partial<TransferResult> = { outcome: "no_answer", reason: "an answering machine answered" }
        assert.deepInclude(yield* outcomeOf({ heard: "person", later: [[500, "machine"]] }), machine)
        assert.deepInclude(yield* outcomeOf({ heard: "silence", later: [[200, "person"], [500, "machine"]] }), machine)
        const fax = yield* outcomeOf({ heard: "person", later: [[800, "fax"]] })
        assert.deepInclude(fax, { outcome: "no_answer", reason: "a fax answered" })
        for (
          const hearing of [
            { heard: "machine", later: [[1_500, "person"]] },
            { heard: "person", later: [[900, "machine"], [1_500, "person"]] },
            { heard: "person", later: [[500, "screening"]] }
          ] as const
        ) assert.deepInclude(yield* outcomeOf(hearing), { outcome: "transferred", by: "bridge" })
        assert.deepInclude(yield* outcomeOf({ heard: "machine", later: [[2_500, "person"]] }), machine)
      })
  )

  virtualTest("is cancelled when the caller hangs up while the person is told", () =>
    Effect.gen(function*() {
      const { caller, held, person, result } = yield* audibleTransfer(warmRequest)
      yield* BusinessTime.sleep(2_500)
      yield* caller.hangUp
      yield* Fiber.join(held)
      assert.deepInclude(result(), { outcome: "cancelled" })
      assert.strictEqual(yield* person.ended, "agent")
    }))
})
