import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { DoubleCall, type DoubleDelivery, type Reaction } from "./DoubleCall.js"
import type { ApiResponse, Asked, DoubleDialect, DoublePanel, ReceivedRequest } from "./DoubleDialect.js"

/** Fault of the next request that creates a call. */
export type DoubleFault =
  /** The call is created, and the connection cut before the response. */
  | "cut"
  /** The call is created, and the response is a 500. */
  | "error"
  /** Nothing is readCreated: 429 with `Retry-After: 7`. */
  | "busy"

/** Options of a double. */
export interface DoubleOptions {
  /** Reaction of a number that is called; the default answers after 50 ms. */
  readonly reactionOf?: (to: string) => Reaction
}

/** A provider of hosted calls on this machine. */
export interface MediaDouble {
  /** Address of its API. */
  readonly url: string
  /** Sample rate of what a person hears and says. */
  readonly rate: number
  /** True where calls carry words. */
  readonly isRelay: boolean
  /** The calls, in their order. */
  readonly calls: ReadonlyArray<DoubleCall>
  /** A call by its id, or that of its attempt. */
  readonly callOf: (id: string) => DoubleCall | undefined
  /** Number of calls that were created for an attempt. */
  readonly countDials: (attempt_id: string) => number
  /** Requests and messages of the host that the documentation does not have. */
  readonly problems: () => ReadonlyArray<string>
  readonly fail: (fault: DoubleFault) => void
  readonly deliver: (how: DoubleDelivery) => void
  /** Fills in the panel of the account for a line, whose address is below `/v1/connections`. */
  readonly configure: (lineUrl: string) => void
  /** Answers no request and reports nothing any more, or does so again. */
  readonly stall: (on: boolean) => void
  /** A person calls a number of ours; `askAt` is the address that the account has for it. */
  readonly callIn: (from: string, to: string, askAt: string) => DoubleCall
  readonly transfers: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const answersSoon: Reaction = { kind: "answers", afterMillis: 50 }

type Creating = Extract<Asked, { readonly _tag: "Create" }>

/** Starts a provider that speaks a dialect, and checks what it is sent. */
export const startMediaDouble = async (
  dialect: DoubleDialect,
  { reactionOf = () => answersSoon }: DoubleOptions = {}
): Promise<MediaDouble> => {
  const calls: Array<DoubleCall> = []
  const transfers: Array<string> = []
  const problems: Array<string> = []
  const byKey = new Map<string, DoubleCall>()
  let panel: DoublePanel | null = null
  let fault: DoubleFault | null = null
  let delivery: DoubleDelivery = "promptly"
  let isStalled = false
  const world = { delivery: () => isStalled ? "never" as const : delivery, problems, heldReports: [] }

  const open = (facts: ConstructorParameters<typeof DoubleCall>[1]): DoubleCall => {
    const call = new DoubleCall(dialect, facts, world)
    calls.push(call)
    return call
  }
  const withCall = (id: string, use: (call: DoubleCall) => ApiResponse): ApiResponse => {
    const call = findCall(id)
    return call === undefined ? dialect.notFound : use(call)
  }

  /** A call by its id, and by the state that it must have: `id?status=live`, or `request:id` before the answer. */
  const findCall = (id: string): DoubleCall | undefined => {
    const [bare = "", query] = id.replace(/^request:/, "").split("?status=")
    const call = calls.find((one) => one.facts.id === bare)
    const state = call?.facts.state ?? "queued"
    const isLive = state === "ringing" || state === "talking"
    const isWanted = query === undefined || (query === "live" ? isLive : state === "queued")
    return isWanted ? call : undefined
  }

  /** A call with the addresses that the panel has, where it names none. */
  const withPanel = (creation: Creating): Creating =>
    creation.stream !== "panel" || panel === null
      ? creation
      : { ...creation, stream: { url: panel.streamUrl }, statusUrl: panel.statusUrl }

  const create = (creation: Creating): ApiResponse => {
    const entry = creation.key === null ? undefined : byKey.get(creation.key)
    if (entry !== undefined) return dialect.createResponse(entry.facts)
    const reaction = reactionOf(creation.to)
    if (reaction.kind === "refused") return dialect.refused
    const { attempt_id, from, to } = creation
    const call = open({
      id: dialect.newId(calls.length + 1),
      from,
      to,
      attempt_id,
      state: "queued",
      isInvalid: reaction.kind === "invalid",
      direction: "outbound",
      custom: creation.custom ?? null,
      since: Date.now()
    })
    if (creation.key !== null) byKey.set(creation.key, call)
    call.dial(creation, reaction)
    return dialect.createResponse(call.facts)
  }

  const respond = (request: ReceivedRequest): ApiResponse | "cut" => {
    const command = dialect.readRequest(request)
    switch (command._tag) {
      case "Create": {
        const [failing] = [fault]
        fault = null
        if (failing === "busy") return { status: 429, body: {}, headers: { "retry-after": "7" } }
        const response = create(withPanel(command))
        return failing === "cut" ? "cut" : failing === "error" ? { status: 500, body: {} } : response
      }
      case "End":
        return withCall(command.id, (call) => {
          if (call.isOver && dialect.endedBefore !== undefined) return dialect.endedBefore
          call.end("agent")
          return dialect.ended
        })
      case "Query":
        return command.answer(calls.map(({ facts }) => facts))
      case "Look":
        return withCall(command.id, (call) => dialect.readLookup(call.facts))
      case "Transfer":
        return withCall(command.id, () => {
          transfers.push(command.to)
          return dialect.ended
        })
      case "Answer":
        return withCall(command.id, (call) => {
          call.connect(command.url)
          return dialect.ended
        })
      case "Reject":
        return withCall(command.id, (call) => {
          call.settle("failed")
          return dialect.ended
        })
      case "Wrong":
        problems.push(command.problem)
        return { status: command.status ?? 400, body: {} }
    }
  }

  const server = createServer(async (request, response) => {
    const body = await text(request)
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value)
    if (isStalled) return
    const answer = respond({ method: request.method ?? "", path: request.url ?? "", headers, body })
    if (answer === "cut") return void request.socket.destroy()
    const hasBody = answer.status !== 204
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
    response.end(hasBody ? JSON.stringify(answer.body) : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0

  return {
    url: `http://127.0.0.1:${port}`,
    rate: dialect.rate,
    isRelay: dialect.isRelay === true,
    calls,
    transfers,
    callOf: (id) => calls.find(({ facts }) => facts.id === id || facts.attempt_id === id),
    countDials: (attempt_id) => calls.filter((call) => call.facts.attempt_id === attempt_id).length,
    problems: () => [
      ...problems,
      ...calls.flatMap(({ person, relay }) => [...person?.problems ?? [], ...relay?.problems ?? []])
    ],
    fail: (next) => {
      fault = next
    },
    deliver: (how) => {
      delivery = how
    },
    configure: (lineUrl) => {
      panel = dialect.panel?.(lineUrl) ?? null
    },
    stall: (on) => {
      isStalled = on
    },
    callIn: (from, to, askAt) => {
      const id = dialect.newId(calls.length + 1)
      const call = open({
        id,
        from,
        to,
        attempt_id: null,
        state: "ringing",
        isInvalid: false,
        direction: "inbound",
        custom: null,
        since: Date.now()
      })
      call.askFor(askAt)
      return call
    },
    close: async () => {
      calls.forEach((call) => call.abandon())
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
