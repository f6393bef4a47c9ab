import type { DoubleCallee } from "./Callee.js"
import type { Journal } from "./Journal.js"

/** What came of a turn: the status and the JSON of its answer. */
export interface TurnAnswer {
  readonly status: number
  readonly json: unknown
}

/** A call at the provider's. */
export interface DoubleCall {
  readonly call_id: string
  readonly attempt_id: string
  readonly takenAt: number
  readonly isOver: () => boolean
  /** As the protocol shows it. */
  readonly json: () => Readonly<Record<string, unknown>>
  /** The agent hangs up. */
  readonly hangUp: () => void
  /** The person hangs up. */
  readonly leave: () => void
  /** Plays a turn, or gives what came of it when it was asked for before. */
  readonly turn: (
    kind: "say" | "listen",
    body: { readonly turn: string; readonly text?: string; readonly silence_seconds?: number }
  ) => Promise<TurnAnswer>
}

/** How a call goes. */
export interface DoubleCallOptions {
  readonly call_id: string
  readonly attempt_id: string
  readonly to: string
  readonly callee: Extract<DoubleCallee, { afterMillis: number }>
  readonly ringSeconds: number
  /** Real milliseconds that a second of the protocol takes. */
  readonly secondMillis: number
  /** Whoever talks hangs up when so many ms pass without a turn. */
  readonly patienceMillis: number
  readonly journal: Journal
  readonly changed: (call: DoubleCall) => void
}

type State = "ringing" | "talking" | "over"

/** How long a sentence takes on either side, in seconds of the protocol. */
const sentenceSeconds = 1

/** Dials: from here on a phone rings. */
export const dial = (options: DoubleCallOptions): DoubleCall => {
  const { attempt_id, call_id, callee, changed, journal, patienceMillis, ringSeconds, secondMillis, to } = options
  const takenAt = Date.now()
  let state: State = "ringing"
  let result: { readonly status: string; readonly reason: string | null } | null = null
  let endedBy: "agent" | "user" | "timeout" = "user"
  let heard = 0
  let patience: NodeJS.Timeout | undefined
  const turns = new Map<string, Promise<TurnAnswer>>()
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
    changed(call)
  }

  const waitForAgent = () => {
    clearTimeout(patience)
    patience = after(patienceMillis, () => over("connected", null))
  }

  const pickUp = () => {
    if (state !== "ringing") return
    state = "talking"
    note("answer")
    waitForAgent()
    changed(call)
  }

  /** Lets time pass; false when the call ends first. */
  const pass = (seconds: number): Promise<boolean> =>
    new Promise((done) => {
      const end = () => done(false)
      ends.add(end)
      after(seconds * secondMillis, () => {
        ends.delete(end)
        done(true)
      })
    })

  const gone = (): TurnAnswer => ({ status: 410, json: { ended_by: endedBy } })

  const speak = async (text: string): Promise<TurnAnswer> => {
    const whole = await pass(sentenceSeconds)
    return { status: 200, json: whole ? { heard: text, interrupted: false } : { heard: "", interrupted: true } }
  }

  const listen = async (silence: number): Promise<TurnAnswer> => {
    const says = callee.kind === "answers" ? callee.says : []
    const said = says[heard]
    if (said === undefined || silence < sentenceSeconds) {
      return await pass(silence) ? { status: 200, json: { heard: "silent" } } : gone()
    }
    if (!(await pass(sentenceSeconds))) return gone()
    heard += 1
    if (callee.kind === "answers" && heard === callee.hangsUpAfter) setImmediate(() => over("connected", null))
    return { status: 200, json: { heard: "said", text: said, language_name: "English" } }
  }

  const play = async (kind: "say" | "listen", text: string, silence: number): Promise<TurnAnswer> => {
    clearTimeout(patience)
    note(kind)
    const answer = await (kind === "say" ? speak(text) : listen(silence))
    if (state === "talking") waitForAgent()
    return answer
  }

  const call: DoubleCall = {
    call_id,
    attempt_id,
    takenAt,
    isOver: () => state === "over",
    json: () => ({ call_id, attempt_id, state, started_at: new Date(takenAt).toISOString(), result }),
    hangUp: () => {
      if (state === "over") return
      note("hang_up")
      endedBy = "agent"
      over(state === "talking" ? "connected" : "failed", state === "talking" ? null : "cancelled")
    },
    leave: () => over("connected", null),
    turn: (kind, { silence_seconds = 5, text = "", turn }) => {
      const known = turns.get(turn)
      if (known !== undefined) return known
      if (state !== "talking") return Promise.resolve(state === "over" ? gone() : { status: 409, json: {} })
      const playing = play(kind, text, silence_seconds)
      turns.set(turn, playing)
      return playing
    }
  }

  note("dial")
  after(ringSeconds * secondMillis, () => {
    if (state === "ringing") over("no_answer", null)
  })
  if (callee.kind === "answers") after(callee.afterMillis, pickUp)
  else after(callee.afterMillis, () => over(callee.kind, callee.reason ?? null))
  return call
}
