import { AgentCatalog, type AgentVersion } from "@trunkline/agents"
import { callWavFrameBytes } from "@trunkline/audio"
import { FileStore } from "@trunkline/cohorts"
import { BusinessTime, describeCause, fiberStarter, timeoutAfter } from "@trunkline/kernel"
import {
  type AudioLine,
  type CallBrief,
  CallRecorder,
  type LineRecording,
  noRecording,
  type RecordedCall,
  type RecordingControl,
  type RecordingResult,
  tapLine
} from "@trunkline/telephony"
import { Effect, Fiber, Layer, Option } from "effect"
import { makeBlockBuffers } from "./BlockBuffers.js"
import { makeBlockStore } from "./BlockStore.js"
import { joinPieces, makeCompletion } from "./Completion.js"
import { recordingName } from "./PieceFiles.js"
import { RecordingKeys } from "./RecordingKeys.js"
import type { RecordingOptions } from "./RecordingOptions.js"
import { makeSoundBlocks } from "./SoundBlocks.js"

/** Longest wait for the host's consent. */
const consentTimeout = "5 seconds"

/** Longest wait for the last sound to be stored, after the call. */
const endTimeout = "5 seconds"

/**
 * Length of the first block of a call, by the number of calls before: from a fifth to a whole one, spread evenly by the golden
 * ratio, so that calls which began together do not store their blocks at one moment.
 */
const firstShareOf = (callsBefore: number): number => 1 - 0.8 * (callsBefore * 0.618_034 % 1)

const refusal = (reason: string): RecordingResult => ({ status: "refused", reason, seconds: 0 })
const hostRefused = refusal("the host did not allow it")
const callerRefused = refusal("nobody consented during the call")

/** Options of an engine for its recorder. */
export interface RecorderOptions {
  /** Recording of calls with sound; none by default. */
  readonly recording?: RecordingOptions
}

/** The recorder of an engine. */
export const recorderOf = ({ recording = {} }: RecorderOptions) => callRecorderLayer(recording)

/** Recorder of calls in the file store: blocks of some seconds while the call goes on, and one file afterwards. */
export const callRecorderLayer = ({ mayRecord, notice, recordCalls = false }: RecordingOptions) =>
  Layer.scoped(
    CallRecorder,
    Effect.gen(function*() {
      const agents = yield* AgentCatalog
      const files = yield* FileStore
      const keys = yield* RecordingKeys
      const scope = yield* Effect.scope
      const buffers = makeBlockBuffers()
      let recordedCalls = 0
      const complete = yield* makeCompletion({ files, keys })

      const versionOf = ({ app_id, app_version, scope }: CallBrief): Effect.Effect<AgentVersion | undefined> =>
        Effect.map(Effect.option(Effect.flatten(agents.version(scope, app_id, app_version))), Option.getOrUndefined)

      const hostAllows = (brief: CallBrief): Effect.Effect<boolean> =>
        mayRecord === undefined
          ? Effect.succeed(true)
          : Effect.suspend(() => mayRecord(brief)).pipe(
            timeoutAfter(consentTimeout, Effect.dieMessage("There was no answer in time")),
            Effect.catchAllCause((cause) =>
              Effect.as(
                Effect.logWarning("A call is not recorded, since the host could not be asked", describeCause(cause)),
                false
              )
            )
          )

      /** Begins a recording whose consent is asked for, or not. */
      const begin = (line: AudioLine, call: RecordedCall, isAsked: boolean) =>
        Effect.gen(function*() {
          const { rate } = line
          const name = yield* recordingName(call.brief.scope, call.interaction_id)
          const seal = keys.sealOf(name)
          const store = makeBlockStore({ buffers, files, name, seal, rate, isResumed: call.isResumed })
          const blocks = makeSoundBlocks({ buffers, rate, firstShare: firstShareOf(recordedCalls++) }, store.offer)
          const start = yield* fiberStarter()
          let hasConsent = !isAsked
          let pauses = 0
          let heldAt: number | null = null
          let isOver = false

          const close = (): void => {
            if (isOver) return
            isOver = true
            blocks.flush()
            store.close()
          }

          /** Writes silence for the time of a hold, of which a line gives no sound. */
          const onHeld = (on: boolean) =>
            void start(Effect.map(BusinessTime.now, (now) => {
              if (heldAt !== null && !on) blocks.addSilence(Math.round((now - heldAt) * rate / 1000))
              heldAt = on ? heldAt ?? now : null
            }))

          const isKept = () => hasConsent && pauses === 0

          const { line: tappedLine, read } = tapLine(line, {
            onFrame: (caller, agent) => {
              if (!isOver) blocks.add(caller, agent, isKept())
            },
            onCodes: (codes) => {
              if (!isOver) blocks.addCodes(codes, isKept())
            },
            onHeld,
            onEnd: close
          })
          /** Changes what is kept from now on. */
          const change = (run: () => void) =>
            Effect.sync(() => {
              read()
              run()
            })
          const control: RecordingControl = {
            consent: change(() => void (hasConsent = true)),
            pause: change(() => void (pauses += 1)),
            resume: change(() => void (pauses = Math.max(0, pauses - 1))),
            isOn: () => !isOver && isKept() && store.fault() === null
          }
          const storing = yield* Effect.forkIn(store.run, scope)

          const end: LineRecording["end"] = Effect.gen(function*() {
            // A call may leave the line before that ends.
            read()
            close()
            const isStored = yield* Fiber.join(storing).pipe(
              Effect.as(true),
              timeoutAfter(endTimeout, Effect.succeed(false))
            )
            const seconds = Math.round(store.storedBytes() * 1000 / (callWavFrameBytes * rate)) / 1000
            if (store.storedBytes() === 0 && blocks.moments() === 0) return null
            const reason = store.fault() ?? (isStored ? null : "its last sound was not stored in time")
            const completion = Effect.suspend(() => store.storedBytes() > 0 ? complete(name) : Effect.void)
            // Sound that is still on its way is a piece of the file too.
            yield* isStored ? completion : Effect.forkIn(Effect.zipRight(Fiber.await(storing), completion), scope)
            if (!store.hasSound() && reason === null) return callerRefused
            return reason === null
              ? { status: "kept", reason, seconds }
              : { status: seconds > 0 ? "partial" : "failed", reason, seconds }
          })
          return { line: tappedLine, control, end }
        })

      return {
        record: (line, call) =>
          Effect.gen(function*() {
            const { brief } = call
            const version = yield* versionOf(brief)
            const rules = version?.recording
            if (!(brief.app_overrides.record ?? rules?.enabled ?? recordCalls)) return null
            if (!(yield* hostAllows(brief))) {
              return { line, control: noRecording, notice: null, end: Effect.succeed(hostRefused) }
            }
            const recording = yield* begin(line, call, rules?.consent === "ask")
            const text = rules?.notice ?? notice
            const language_name = brief.app_overrides.initial_language_name ?? version?.languages[0] ?? "English"
            return { ...recording, notice: text === undefined ? null : { text, language_name } }
          }),
        recover: (workspace, interaction_id) =>
          Effect.flatMap(recordingName(workspace, interaction_id), (name) => joinPieces({ files, keys }, name)).pipe(
            BusinessTime.hold,
            Effect.map(Option.match({
              onNone: () => null,
              onSome: ({ hasSound, seconds }): RecordingResult =>
                hasSound
                  ? { status: "partial", reason: "the process stopped during the call", seconds }
                  : callerRefused
            })),
            Effect.catchAllCause((cause) =>
              Effect.as(Effect.logWarning("A recording could not be completed", describeCause(cause)), null)
            )
          )
      }
    })
  )
