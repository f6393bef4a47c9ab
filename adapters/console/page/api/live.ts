import { computed, signal } from "@preact/signals"
import { place } from "../state/location.js"
import { clientWith } from "./client.js"
import type { LiveEvent } from "./types.js"

/** State of the live view: `live` by the feed, `polling` while it is opened again, `behind` after missed events. */
export type Feed = "connecting" | "live" | "behind" | "polling"

export interface LiveTurn {
  readonly role: "agent" | "user"
  readonly text: string
  readonly enText: string | null
  readonly at: string
}

/** A call that is going on, or has just ended. */
export interface LiveCall {
  readonly id: string
  readonly campaign: string | null
  readonly app: string
  readonly kind: "campaign" | "outbound" | "inbound"
  readonly contact: string
  readonly startedAt: string | null
  readonly answeredAt: string | null
  readonly endedAt: string | null
  readonly outcome: string | null
  readonly turns: ReadonlyArray<LiveTurn>
}

export const feed = signal<Feed>("connecting")

/** Number of events that the feed has left out since the page was opened. */
export const missed = signal(0)

const keptEnded = 40

/** Most calls that are kept: the end of a call may be among the events that were left out. */
const maxCalls = 5000

const calls = new Map<string, LiveCall>()
const version = signal(0)
let isScheduled = false

/** Events come by the hundred: the page is drawn once a frame. */
const changed = () => {
  if (isScheduled) return
  isScheduled = true
  const draw = () => {
    isScheduled = false
    version.value++
  }
  if (document.visibilityState === "visible") requestAnimationFrame(draw)
  else setTimeout(draw, 1000)
}

/** Calls, those that go on first, newest first. */
export const liveCalls = computed((): ReadonlyArray<LiveCall> => {
  const list = version.value >= 0 ? [...calls.values()] : []
  return list.reverse().sort((a, b) => Number(a.endedAt !== null) - Number(b.endedAt !== null))
})

/** Event counts by second, for the line of Home: dials and answers of the last minutes. */
export const rates = signal<
  ReadonlyArray<{ readonly second: number; readonly dials: number; readonly answers: number }>
>([])

const keptSeconds = 300

const count = (field: "dials" | "answers") => {
  const second = Math.floor(Date.now() / 1000)
  const last = rates.peek().at(-1)
  const entry = last?.second === second ? last : { second, dials: 0, answers: 0 }
  const before = last?.second === second ? rates.peek().slice(0, -1) : rates.peek()
  rates.value = [...before.filter((each) => each.second > second - keptSeconds), {
    ...entry,
    [field]: entry[field] + 1
  }]
}

/** A call beyond those that the feed begins with is known from its first event. */
const change = (id: string, campaign: string | null, update: (call: LiveCall) => LiveCall) => {
  const call = calls.get(id) ?? {
    id,
    campaign,
    app: "",
    kind: campaign === null ? "outbound" : "campaign",
    // Its number was told before.
    contact: `call ${id.slice(-6)}`,
    startedAt: null,
    answeredAt: null,
    endedAt: null,
    outcome: null,
    turns: []
  }
  keep(update(call))
}

const keep = (call: LiveCall) => {
  calls.set(call.id, call)
  const [oldest] = calls.keys()
  if (calls.size > maxCalls && oldest !== undefined) calls.delete(oldest)
}

const forget = () => {
  const ended = [...calls.values()].filter(({ endedAt }) => endedAt !== null)
  ended.slice(0, Math.max(0, ended.length - keptEnded)).forEach(({ id }) => calls.delete(id))
}

const outcomeOf = (event: Extract<LiveEvent, { readonly type: "attempt.ended" }>) =>
  event.connectivity_status === "connected"
    ? event.completion_status
    : event.connectivity_status ?? event.completion_status

const take = (event: LiveEvent): void => {
  switch (event.type) {
    case "attempt.started":
      count("dials")
      keep({
        id: event.attempt_id,
        campaign: event.campaign_id,
        app: event.app_id,
        kind: event.kind,
        contact: event.user_contact_masked,
        startedAt: String(event.at),
        answeredAt: null,
        endedAt: null,
        outcome: null,
        turns: []
      })
      break
    case "attempt.ongoing":
      keep({
        id: event.attempt_id,
        campaign: event.campaign_id,
        app: event.app_id,
        kind: event.kind,
        contact: event.user_contact_masked,
        startedAt: String(event.started_at),
        answeredAt: event.answered_at === null ? null : String(event.answered_at),
        endedAt: null,
        outcome: null,
        turns: event.turns.map(({ at, en_text, role, text }) => ({ role, text, enText: en_text, at: String(at) }))
      })
      break
    case "attempt.answered":
      count("answers")
      change(event.attempt_id, event.campaign_id, (call) => ({ ...call, answeredAt: String(event.at) }))
      break
    case "turn": {
      const turn = { role: event.role, text: event.text, enText: event.en_text, at: String(event.at) }
      change(event.attempt_id, event.campaign_id, (call) => ({
        ...call,
        answeredAt: call.answeredAt ?? turn.at,
        turns: [...call.turns, turn]
      }))
      break
    }
    case "attempt.ended":
      change(
        event.attempt_id,
        event.campaign_id,
        (call) => ({ ...call, endedAt: String(event.at), outcome: outcomeOf(event) })
      )
      forget()
      break
    case "missed":
      missed.value += event.count
      feed.value = "behind"
      break
    case "canary.ended":
    case "line.changed":
      break
  }
  changed()
}

const read = async ({ signal }: AbortController): Promise<void> => {
  const client = clientWith(async (url, request) => {
    const response = await fetch(url, request)
    if (response.ok) {
      feed.value = "live"
      // The feed begins with all calls that go on: those of before have ended unseen, if they are not among them.
      for (const { endedAt, id } of calls.values()) if (endedAt === null) calls.delete(id)
      changed()
    }
    return response
  })
  for await (const event of client.live({ signal, ongoing: true })) take(event)
}

const maxPause = 5_000

/** Follows the workspace's calls until the result is called. Broken feeds are opened again, after pauses that grow. */
export const follow = (): () => void => {
  const controller = new AbortController()
  const workspace = place.peek().workspace
  let pause = 500
  const loop = async () => {
    while (!controller.signal.aborted && place.peek().workspace === workspace) {
      const start = Date.now()
      await read(controller).catch(() => undefined)
      if (controller.signal.aborted) return
      feed.value = "polling"
      pause = Date.now() - start > maxPause ? 500 : Math.min(pause * 2, maxPause)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  void loop()
  return () => {
    controller.abort()
    calls.clear()
    rates.value = []
    missed.value = 0
    feed.value = "connecting"
    changed()
  }
}
