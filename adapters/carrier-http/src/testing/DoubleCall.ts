import type { Journal } from "./Journal.js"

/** Response to a turn. */
interface TurnResponse {
  readonly status: number
  readonly json: unknown
}

/** A call at the test provider. */
export interface DoubleCall {
  readonly call_id: string
  /** Null for inbound calls. */
  readonly attempt_id: string | null
  readonly takenAt: number
  readonly isOver: () => boolean
  /** Representation in the protocol. */
  readonly json: () => Readonly<Record<string, unknown>>
  /** The engine answers an inbound call; nothing happens unless it rings. */
  readonly answer: () => void
  /** The agent hangs up, or rejects an inbound call for a reason. */
  readonly hangUp: (reason?: string) => void
  /** Reason for which an inbound call was rejected; null while it was not. */
  readonly rejection: () => string | null
  /** The callee hangs up. */
  readonly leave: () => void
  /** Plays a turn, or returns its earlier result. */
  readonly turn: (
    kind: "say" | "listen",
    body: { readonly turn: string; readonly text?: string; readonly silence_seconds?: number }
  ) => Promise<TurnResponse>
}

/** Options of a call. */
export interface DialOptions {
  readonly call_id: string
  readonly attempt_id: string | null
  /** Caller of an inbound call; null for a call to the callee. */
  readonly from: string | null
  readonly to: string
  readonly callee: Extract<DoubleCallee, { afterMillis: number }>
  readonly ringSeconds: number
  /** Real milliseconds per protocol second. */
  readonly secondMillis: number
  /** The callee hangs up after so many milliseconds without a turn. */
  readonly idleTimeoutMillis: number
  readonly journal: Journal
  readonly onChange: (call: DoubleCall) => void
}

type State = "ringing" | "talking" | "over"

/** Duration of a sentence, in protocol seconds. */
const sentenceSeconds = 1

/** Dials a call, or lets an inbound call ring until it is answered. */
export const dial = (options: DialOptions): DoubleCall => {
  const { attempt_id, call_id, callee, onChange, from, journal, idleTimeoutMillis } = options
  const { ringSeconds, secondMillis, to } = options
  const takenAt = Date.now()
  let state: State = "ringing"
  let result: { readonly status: string; readonly reason: string | null } | null = null
  let endedBy: "agent" | "user" | "timeout" = "user"
  let linesHeard = 0
  let rejection: string | null = null
  let idleTimer: NodeJS.Timeout | undefined
  const turns = new Map<string, Promise<TurnResponse>>()
  const ends = new Set<() => void>()
  const timers = new Set<NodeJS.Timeout>()

  const note = (what: "dial" | "answer" | "say" | "listen" | "hang_up" | "over") =>
    journal.add({ what, attempt_id, call_id, to })

  const after = (millis: number, work: () => void): NodeJS.Timeout => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, millis)
    timers.add(timer)
    return timer
  }

  const over = (status: string, reason: string | null) => {
    if (state === "over") return
    state = "over"
    result = { status, reason }
    timers.forEach((timer) => clearTimeout(timer))
    timers.clear()
    note("over")
    ends.forEach((end) => end())
    onChange(call)
  }

  const waitForAgent = () => {
    clearTimeout(idleTimer)
    idleTimer = after(idleTimeoutMillis, () => over("connected", null))
  }

  const pickUp = () => {
    if (state !== "ringing") return
    state = "talking"
    note("answer")
    waitForAgent()
    onChange(call)
  }

  /** Waits; resolves to false when the call ends first. */
  const elapse = (seconds: number): Promise<boolean> =>
    new Promise((resolve) => {
      const end = () => resolve(false)
      ends.add(end)
      after(seconds * secondMillis, () => {
        ends.delete(end)
        resolve(true)
      })
    })

  const goneResponse = (): TurnResponse => ({ status: 410, json: { ended_by: endedBy } })

  const speak = async (text: string): Promise<TurnResponse> => {
    const isComplete = await elapse(sentenceSeconds)
    return {
      status: 200,
      json: isComplete ? { heard: text, interrupted: false } : { heard: "", interrupted: true, ended_by: endedBy }
    }
  }

  const listen = async (silence: number): Promise<TurnResponse> => {
    const says = callee.kind === "answers" ? callee.says : []
    const sentence = says[linesHeard]
    if (sentence === undefined || silence < sentenceSeconds) {
      return await elapse(silence) ? { status: 200, json: { heard: "silent" } } : goneResponse()
    }
    if (!(await elapse(sentenceSeconds))) return goneResponse()
    linesHeard += 1
    if (callee.kind === "answers" && linesHeard === callee.hangsUpAfter) setImmediate(() => over("connected", null))
    return { status: 200, json: { heard: "said", text: sentence, language_name: "English" } }
  }

  const play = async (kind: "say" | "listen", text: string, silence: number): Promise<TurnResponse> => {
    clearTimeout(idleTimer)
    note(kind)
    const response = await (kind === "say" ? speak(text) : listen(silence))
    if (state === "talking") waitForAgent()
    return response
  }

  const call: DoubleCall = {
    call_id,
    attempt_id,
    takenAt,
    isOver: () => state === "over",
    json: () => ({
      call_id,
      attempt_id,
      state,
      started_at: new Date(takenAt).toISOString(),
      result,
      ...(from !== null && { direction: "inbound", from, to })
    }),
    answer: () => {
      if (from !== null) pickUp()
    },
    rejection: () => rejection,
    hangUp: (reason) => {
      if (state === "over") return
      note("hang_up")
      rejection = reason ?? null
      endedBy = "agent"
      over(state === "talking" ? "connected" : "failed", state === "talking" ? null : "cancelled")
    },
    leave: () => over(state === "talking" ? "connected" : "no_answer", null),
    turn: (kind, { silence_seconds = 5, text = "", turn }) => {
      const existing = turns.get(turn)
      if (existing !== undefined) return existing
      if (state !== "talking") return Promise.resolve(state === "over" ? goneResponse() : { status: 409, json: {} })
      const playing = play(kind, text, silence_seconds)
      turns.set(turn, playing)
      return playing
    }
  }

  if (from === null) note("dial")
  after(ringSeconds * secondMillis, () => {
    if (state === "ringing") over("no_answer", null)
  })
  if (callee.kind === "answers") {
    if (from === null) after(callee.afterMillis, pickUp)
  } else after(callee.afterMillis, () => over(callee.kind, callee.reason ?? null))
  return call
}

/** A callee of the test provider. Times are real milliseconds. */
export type DoubleCallee =
  /** Answers, says its lines one per `listen` turn, then stays silent. */
  | {
    readonly kind: "answers"
    readonly afterMillis: number
    readonly says: ReadonlyArray<string>
    /** Number of own turns after which it hangs up. */
    readonly hangsUpAfter?: number
  }
  /** The call ends without being answered. */
  | {
    readonly kind: "busy" | "no_answer" | "failed" | "provider_error"
    readonly afterMillis: number
    readonly reason?: string
  }
  /** The provider refuses the call with status 422. */
  | { readonly kind: "refused"; readonly code: string }
  /** The provider responds 503 and states that it has not dialled. */
  | { readonly kind: "unavailable" }

/** Assigns a callee to numbers by suffix; the first match wins. */
export interface DoubleRule {
  readonly suffix: string
  readonly callee: DoubleCallee
}

/** Answers immediately, says two sentences and then stays silent. */
export const defaultCallee: Extract<DoubleCallee, { kind: "answers" }> = {
  kind: "answers",
  afterMillis: 5,
  says: ["Yes, speaking.", "Thank you."]
}
