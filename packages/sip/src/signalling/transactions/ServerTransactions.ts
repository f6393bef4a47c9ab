import { tagOf } from "../headers/NameAddr.js"
import type { Via } from "../headers/Via.js"
import type { MalformedMessage } from "../message/MalformedMessage.js"
import { header, type Headers, type SipRequest, type SipResponse } from "../message/Message.js"
import { writeMessage } from "../message/WriteMessage.js"
import { isReliable, type SipAddress } from "../transport/SipTransport.js"
import type { TransactionContext } from "./ClientTransactions.js"
import { startInviteServer, stepInviteServer } from "./InviteServer.js"
import type { ServerInput } from "./Machine.js"
import { startPlainServer, stepPlainServer } from "./PlainServer.js"
import { responseTo } from "./Responses.js"
import { type MachineRunner, runMachine } from "./Runner.js"
import { mergeKey, responseAddress, serverKey, topVia, withSource } from "./TransactionKeys.js"

/** A request that came, until 64*T1 after its final response. */
export interface ServerTransaction {
  /** As it came, with its source noted in Via. */
  readonly request: SipRequest
  readonly source: SipAddress
  /** Sends a response, and repeats it as needed. After a final response, only further 2xx of an INVITE do anything. */
  readonly respond: (response: SipResponse) => void
}

/** Response without a transaction. */
export interface StatelessResponse {
  readonly status: number
  readonly headers?: Headers
  readonly phrase?: string
}

/** User of the server transactions. */
export interface ServerUser {
  /** Decides who may send a request, which may be malformed: `keep`, a response, or null to drop it. */
  readonly admit: (request: SipRequest, source: SipAddress) => "keep" | StatelessResponse | null
  /** Decides about a new request that was admitted, before anything of it is kept. */
  readonly check: (request: SipRequest, source: SipAddress) => "keep" | StatelessResponse
  readonly request: (transaction: ServerTransaction) => void
  /** An ACK that belongs to no transaction: that of a 2xx. */
  readonly onAck: (request: SipRequest) => void
  /** The INVITE of a transaction is cancelled. The CANCEL has been answered. */
  readonly onCancel: (transaction: ServerTransaction) => void
}

/** Server transactions of a user agent. */
export interface ServerTransactions {
  readonly receive: (request: SipRequest, source: SipAddress) => void
  /** Responds to a request that could not be parsed, as far as it can be responded to. */
  readonly receiveMalformed: (brokenMessage: MalformedMessage, source: SipAddress) => void
  readonly count: () => number
}

interface Running {
  readonly runner: MachineRunner<ServerInput>
  readonly transaction: ServerTransaction
}

const ignore = () => {}
const isSuccess = (status: number) => status >= 200 && status < 300

/** Makes the server transactions of a user agent, at most `isFull` allows. */
export const makeServerTransactions = (
  { after, timers, tokens, transport }: TransactionContext,
  user: ServerUser,
  isFull: () => boolean
): ServerTransactions => {
  const running = new Map<string, Running>()
  /** Keys of transactions of requests outside of calls, by what copies of one request share. */
  const originals = new Map<string, string>()

  /** Responds with a tag that is the same for each copy of the request. */
  const respondOnce = (request: SipRequest, via: Via, source: SipAddress, { status, ...parts }: StatelessResponse) => {
    const tag = tokens.of(header(request, "via") ?? "")
    const response = responseTo(request, status, { ...parts, tag })
    transport.send(writeMessage(response), responseAddress(via, source), ignore)
  }

  const start = (key: string, request: SipRequest, via: Via, source: SipAddress): ServerTransaction => {
    const address = responseAddress(via, source)
    const options = { timers, reliable: isReliable(address) }
    const merge = tagOf(header(request, "to") ?? "") === null ? mergeKey(request) : undefined
    let bytes: Uint8Array = new Uint8Array(0)

    const deeds = {
      send: () => transport.send(bytes, address, ignore),
      acknowledge: ignore,
      deliver: ignore,
      timedOut: ignore,
      onEnd: () => {
        running.delete(key)
        if (merge !== undefined) originals.delete(merge)
      }
    }
    const runner = request.method === "INVITE"
      ? runMachine<ReturnType<typeof startInviteServer>["state"], ServerInput>({
        start: startInviteServer(options),
        step: (state, input) => stepInviteServer(state, input, options),
        after,
        deeds
      })
      : runMachine<ReturnType<typeof startPlainServer>["state"], ServerInput>({
        start: startPlainServer(),
        step: (state, input) => stepPlainServer(state, input, options),
        after,
        deeds
      })
    let final = 0
    const transaction: ServerTransaction = {
      request,
      source,
      respond: (response) => {
        const isRepeated = isSuccess(final) && isSuccess(response.status) && request.method === "INVITE"
        if (final > 0 && !isRepeated) return
        if (response.status >= 200) final = response.status
        bytes = writeMessage(response)
        runner.input({ _tag: "Respond", response })
      }
    }
    running.set(key, { runner, transaction })
    if (merge !== undefined) originals.set(merge, key)
    return transaction
  }

  const receiveCancel = (
    key: string,
    cancel: SipRequest,
    via: Via,
    source: SipAddress,
    invite: Running | undefined
  ) => {
    if (invite === undefined) return respondOnce(cancel, via, source, { status: 481 })
    start(key, cancel, via, source).respond(responseTo(cancel, 200, { tag: tokens.next() }))
    user.onCancel(invite.transaction)
  }

  const receiveNew = (key: string, request: SipRequest, via: Via, source: SipAddress) => {
    const admission = user.admit(request, source)
    if (admission === null) return
    if (admission !== "keep") return respondOnce(request, via, source, admission)
    const verdict = user.check(request, source)
    if (verdict !== "keep") return respondOnce(request, via, source, verdict)
    // A call ends however much there is to do.
    if (isFull() && request.method !== "BYE") {
      return respondOnce(request, via, source, { status: 503, headers: [["retry-after", "5"]] })
    }
    const isMerged = tagOf(header(request, "to") ?? "") === null && originals.has(mergeKey(request))
    if (isMerged) return respondOnce(request, via, source, { status: 482 })
    user.request(start(key, request, via, source))
  }

  return {
    receive: (receivedRequest, source) => {
      const via = topVia(receivedRequest)
      if (via === undefined) return
      const key = serverKey(receivedRequest, via)
      const transaction = running.get(key)
      if (transaction !== undefined) {
        return transaction.runner.input({ _tag: receivedRequest.method === "ACK" ? "Ack" : "Repeated" })
      }
      if (receivedRequest.method === "ACK") return user.onAck(receivedRequest)
      const request = withSource(receivedRequest, via, source)
      if (receivedRequest.method !== "CANCEL") return receiveNew(key, request, via, source)
      receiveCancel(key, request, via, source, running.get(serverKey(receivedRequest, via, "INVITE")))
    },
    receiveMalformed: ({ message, request: receivedRequest, status }, source) => {
      const via = receivedRequest === null ? undefined : topVia(receivedRequest)
      if (receivedRequest === null || via === undefined) return
      const request = withSource(receivedRequest, via, source)
      const admission = user.admit(request, source)
      if (admission === "keep") respondOnce(request, via, source, { status, phrase: message })
      else if (admission !== null) respondOnce(request, via, source, admission)
    },
    count: () => running.size
  }
}
