import { type CampaignSnapshot, type EventData, History, type HistoryEvent, type RetrySnapshot } from "./History.js"

/** Monday 20 May 2024, 10:00 in India. */
export const monday = Date.parse("2024-05-20T04:30:00Z")

const own = { enabled: true, max: 1, minutes: 5 }

const retries: RetrySnapshot = {
  max: 2,
  minutes: [10, 20],
  busy: true,
  noAnswer: true,
  failed: false,
  short: 20,
  provider: own,
  internal: own
}

const campaign: CampaignSnapshot = {
  id: "camp-1",
  status: "scheduled",
  start: monday,
  end: monday + 10 * 3_600_000,
  rate: 0.5,
  lines: [{ connection: "line-1", numbers: ["+911140000001", "+911140000002"] }],
  window: { start: "09:00", end: "12:00", days: ["Monday"], timezone: "Asia/Kolkata" },
  retries,
  webhook: true
}

const from = "+911140000001"
const [asha, bilal, chitra, devi, esha, farid, gita] = [
  "+919876500001",
  "+919876500002",
  "+919876500003",
  "+919876500004",
  "+919876500005",
  "+919876500006",
  "+919876500007"
] as const

type Result = Extract<EventData, { readonly kind: "ended" }>

const result = (attempt: string, change: Partial<Result>): Result => ({
  kind: "ended",
  attempt,
  completion: "failed",
  connectivity: null,
  next: null,
  reason: null,
  seconds: null,
  ...change
})

/** Short, hand-written, correct history, which the checker must accept. */
export const sampleHistory = (): ReadonlyArray<HistoryEvent> => {
  const history = new History()
  let second = 0
  let life = 0
  const add = (message: EventData) => history.add(message, { at: monday + second * 1000, real: second * 1000, life })
  const wait = (seconds: number) => {
    second += seconds
  }
  const person = (number: string, state: "waiting" | "calling" | "finished", rest: {
    readonly due?: number
    readonly attempts?: number
    readonly attempt?: string
  } = {}) => {
    const { attempt = null, attempts = 0, due = 0 } = rest
    add({ kind: "contact", campaign: "camp-1", number, state, due: monday + due * 1000, attempts, attempt })
  }
  const status = (to: CampaignSnapshot["status"], change: Partial<CampaignSnapshot> = {}) =>
    add({ kind: "campaign", campaign: { ...campaign, ...change, status: to } })
  const claim = (attempt: string, number: string, retry = 0) => {
    add({
      kind: "claimed",
      attempt,
      campaign: "camp-1",
      number,
      from,
      connection: "line-1",
      retry,
      webhook: true
    })
    person(number, "calling", { attempt, attempts: retry + 1, due: second })
  }
  const request = (attempt: string, number: string) =>
    add({ kind: "requested", attempt, number, from, connection: "line-1" })
  const accept = (attempt: string) => {
    add({ kind: "dialled", attempt, call: `call-${attempt}`, connection: "line-1" })
    add({ kind: "responded", attempt, response: "accepted" })
    add({ kind: "accepted", attempt, call: `call-${attempt}` })
  }
  const hangUp = (attempt: string, how: "busy" | "no_answer" | "talked" | "dropped") =>
    add({ kind: "hung up", attempt, call: `call-${attempt}`, how })
  const end = (ended: Result, number: string, attempts: number, due: number | null) => {
    add(ended)
    const { attempt, completion, connectivity, next } = ended
    add({ kind: "queued", webhook: `att_${attempt}`, attempt, hash: `h-${attempt}`, completion, connectivity, next })
    if (due === null) person(number, "finished", { attempts })
    else person(number, "waiting", { attempts, due })
  }
  const post = ({ attempt, completion, connectivity, next }: Result, code: number | null = 200) =>
    add({
      kind: "posted",
      webhook: `att_${attempt}`,
      attempt,
      hash: `h-${attempt}`,
      completion,
      connectivity,
      next,
      status: code
    })

  add({ kind: "limits", workspace: 2, channels: { "line-1": 2 }, dedupe: "lookup" })
  life = 1
  add({ kind: "started" })
  status("scheduled")
  add({ kind: "acknowledged", action: "create", campaign })
  status("active")
  add({ kind: "people", campaign: "camp-1", numbers: [asha, bilal, chitra, devi, esha, farid, gita] })
  for (const number of [asha, bilal, chitra, devi, esha, farid, gita]) person(number, "waiting")

  // Asha's line is busy, and she answers the second call. Bilal asks to be called back.
  claim("a1", asha)
  request("a1", asha)
  accept("a1")
  wait(2)
  hangUp("a1", "busy")
  const busy = result("a1", { connectivity: "busy", next: "retry" })
  end(busy, asha, 1, 2 + 600)
  post(busy, 500)
  claim("b1", bilal)
  request("b1", bilal)
  accept("b1")
  wait(3)
  post(busy, null)
  add({ kind: "answered", attempt: "b1", call: "call-b1" })
  wait(40)
  post(busy)
  add({ kind: "talked", attempt: "b1", done: true, reschedule: monday + 3_600_000, business: false, fault: false })
  hangUp("b1", "talked")
  const later = result("b1", { completion: "completed", connectivity: "connected", next: "reschedule", seconds: 40 })
  end(later, bilal, 1, 3600)
  post(later)

  // The provider rejects Chitra's call. A crash leaves the outcome of Devi's call unknown.
  claim("c1", chitra)
  request("c1", chitra)
  add({ kind: "responded", attempt: "c1", response: "rejected" })
  const rejected = result("c1", { connectivity: "failed", next: "provider_error_retry", reason: "line: overloaded" })
  end(rejected, chitra, 1, second + 300)
  wait(2)
  claim("d1", devi)
  request("d1", devi)
  add({ kind: "crashed", where: "dial.sent" })
  add({ kind: "dialled", attempt: "d1", call: "call-d1", connection: "line-1" })
  wait(10)
  life = 2
  add({ kind: "started" })
  const unknown = result("d1", { reason: "unknown: no response" })
  end(unknown, devi, 1, null)
  post(unknown)
  post(rejected)
  hangUp("d1", "no_answer")

  // A pause during which the rate and the window are edited. Esha was claimed before it.
  claim("e1", esha)
  status("paused")
  add({ kind: "acknowledged", action: "pause", campaign: { ...campaign, status: "paused" } })
  request("e1", esha)
  accept("e1")
  add({ kind: "stopped", campaign: "camp-1", numbers: [farid] })
  person(farid, "finished")
  wait(30)
  hangUp("e1", "no_answer")
  const rung = result("e1", { connectivity: "no_answer", next: "retry" })
  end(rung, esha, 1, second + 600)
  post(rung)
  const edited = { rate: 1, window: { ...campaign.window, end: "13:00" } }
  status("paused", edited)
  status("active", edited)

  // Gita is blocked, so she gets a result without a dial.
  add({ kind: "blocked", numbers: [gita] })
  const blocked = result("g1", { reason: "blocked_number" })
  claim("g1", gita)
  end(blocked, gita, 1, null)
  post(blocked)

  // A single call outside of the campaign.
  const single = {
    campaign: null,
    number: "+919876599999",
    from,
    connection: "line-1",
    retry: 0,
    webhook: false
  } as const
  add({ kind: "recorded", attempt: "s1", ...single })
  add({ kind: "promised", attempt: "s1" })
  add({ kind: "claimed", attempt: "s1", ...single })
  request("s1", single.number)
  accept("s1")
  wait(1)
  hangUp("s1", "busy")
  add(result("s1", { connectivity: "busy" }))

  // The retries. Chitra's is withdrawn once, because it was certainly not dialled.
  wait(300)
  claim("c2", chitra, 1)
  add({ kind: "withdrawn", attempt: "c2" })
  person(chitra, "waiting", { attempts: 1, due: 345 })
  wait(1)
  const talk = (attempt: string, number: string, retry: number) => {
    claim(attempt, number, retry)
    request(attempt, number)
    accept(attempt)
    wait(5)
    add({ kind: "answered", attempt, call: `call-${attempt}` })
    wait(60)
    add({ kind: "talked", attempt, done: true, reschedule: null, business: false, fault: false })
    hangUp(attempt, "talked")
    const ended = result(attempt, { completion: "completed", connectivity: "connected", seconds: 60 })
    end(ended, number, retry + 1, null)
    post(ended)
  }
  talk("c3", chitra, 1)
  second = 602
  talk("a2", asha, 1)
  second = 700
  talk("e2", esha, 1)
  second = 3600
  talk("b2", bilal, 1)
  status("ended", edited)
  add({ kind: "over", undelivered: [] })
  return history.events
}
