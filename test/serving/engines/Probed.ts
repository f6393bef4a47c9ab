import type { UploadForm } from "@trunkline/cohorts"
import { Engine } from "@trunkline/engine"
import { NotFound } from "@trunkline/errors"
import { testEngineWith } from "@trunkline/http-api/testing"
import { AttemptId, InteractionId, type Scope } from "@trunkline/kernel"
import type { LiveEvent } from "@trunkline/telephony"
import { DateTime, Effect, Layer, Logger, Option, Stream } from "effect"
import { floodedChunks, probedModel } from "./ProbedModel.js"
import { probedVoice, spokenChunks } from "./ProbedVoice.js"
import { gate, report } from "./Reporting.js"

const piece = new TextEncoder().encode("9876543210,Asha\n".repeat(4_096))
const endlessFile = Stream.repeatValue(piece)
const brokenFile = Stream.concat(Stream.make(piece), Stream.dieMessage("The disk has gone"))

const turn = (text: string): LiveEvent => ({
  type: "turn",
  at: DateTime.unsafeMake("2026-01-01T09:00:00Z"),
  attempt_id: AttemptId.make("01890a5d-ac96-774b-bcce-b302099a8057"),
  campaign_id: null,
  interaction_id: InteractionId.make("20260101-01890a5d-ac96-774b-bcce-b302099a8057"),
  role: "agent",
  text,
  en_text: null,
  language_name: null
})

/** Events that are emitted when the test opens the gates `atSecond` and `end`. */
const oneByOne = Stream.make(turn("first")).pipe(
  Stream.concat(Stream.fromEffect(Effect.as(gate("second"), turn("second")))),
  Stream.concat(Stream.drain(Stream.fromEffect(gate("end"))))
)

/** Reads a form to its end and fails; waits at the gate `file` when the file begins. */
const readForm = <E>({ next }: UploadForm<E>): Effect.Effect<never, E | NotFound> =>
  Effect.gen(function*() {
    for (let part = yield* next; Option.isSome(part); part = yield* next) {
      const { content, name } = part.value
      let size = 0
      yield* Stream.runForEach(content, (piece) => {
        const begins = size === 0 && name === "cohort_file"
        size += piece.length
        return begins ? Effect.zipRight(report("file begun"), gate("file")) : Effect.void
      })
      yield* report(`${name}: ${size} bytes`)
    }
    return yield* new NotFound({ resource: "cohort", id: "" })
  })

/** The test engine, with services that wait, fail or never end, and that report their progress. */
const probed = Layer.effect(
  Engine,
  Effect.map(Engine, (engine) => {
    let flooded = 0
    /** 64 MB of events. */
    const flood = Stream.repeatEffect(Effect.sync(() => {
      flooded += 1
      return turn("x".repeat(8_000))
    })).pipe(Stream.take(8_000))

    return {
      ...engine,
      /** Waits at the gate `list`. */
      deployments: {
        ...engine.deployments,
        list: (...asked) =>
          report("list begun").pipe(
            Effect.zipRight(gate("list")),
            Effect.zipRight(engine.deployments.list(...asked)),
            Effect.tap(() => report("list answered")),
            Effect.onInterrupt(() => report("list interrupted"))
          )
      },
      /** Fails with a defect. */
      campaigns: { ...engine.campaigns, list: () => Effect.die(new TypeError("+919876543210 is secret")) },
      /** Files never end, except rejected records, which fail. Uploads are read but not stored. */
      cohorts: {
        ...engine.cohorts,
        upload: (_scope, _owner, { form }) => readForm(form),
        file: (_scope, _owner, { type }) =>
          Effect.succeed({
            bytes: Stream.ensuring(type === "rejected_records" ? brokenFile : endlessFile, report("file let go")),
            contentType: "text/csv",
            filename: "endless.csv"
          })
      },
      /** Emits events one by one in `acme/main`, a flood in `acme/side`, and real events elsewhere. */
      live: {
        ...engine.live,
        watch: (scope: Scope) => {
          const events = scope.org_id !== "acme"
            ? engine.live.watch(scope)
            : Effect.succeed(scope.workspace_id === "main" ? oneByOne : flood)
          return Effect.zipRight(Effect.addFinalizer(() => report("watch over")), events)
        }
      },
      /** Reports the number of consumed chunks of endless streams as the number of calls. */
      health: Effect.map(engine.health, (health) => ({ ...health, calls: flooded + floodedChunks() + spokenChunks() }))
    }
  })
).pipe(Layer.provide(testEngineWith({ model: probedModel, synthesizer: probedVoice })))

const logging = Logger.replace(
  Logger.defaultLogger,
  Logger.map(Logger.logfmtLogger, (line) => void Effect.runFork(report(line)))
)

export const engine = Layer.merge(probed, Layer.scopedDiscard(Effect.addFinalizer(() => report("stopped")))).pipe(
  Layer.provideMerge(logging)
)
