import type { Context } from "effect"
import { writeVia } from "../headers/Via.js"
import type { SipRequest, SipResponse } from "../message/Message.js"
import { writeMessage } from "../message/WriteMessage.js"
import { isReliable, type SipAddress, type SipTransport } from "../transport/SipTransport.js"
import type { After } from "../transport/Timers.js"
import { acknowledge, cancelOf } from "./Follow.js"
import { resumeInviteClient, startInviteClient, stepInviteClient } from "./InviteClient.js"
import type { ClientInput, TimerValues } from "./Machine.js"
import { startPlainClient, stepPlainClient } from "./PlainClient.js"
import { type MachineRunner, runMachine } from "./Runner.js"
import type { Tokens } from "./Tokens.js"
import { clientKey, magicCookie } from "./TransactionKeys.js"

/** User of a client transaction. */
export interface ClientUser {
  /** Takes each provisional response and the first final one; of an INVITE every 2xx, also copies and those of forks. */
  readonly response: (response: SipResponse) => void
  /** No final response comes. The reason is safe for logs. */
  readonly onFailure: (kind: "timeout" | "transport", reason: string) => void
}

/** A request that was sent, until 64*T1 or T4 after its final response. */
export interface ClientTransaction {
  /** As it was sent, with its Via. */
  readonly request: SipRequest
  readonly address: SipAddress
  /** Sends an INVITE without a response not again, and waits for one without a limit. */
  readonly quiet: () => void
  /** Ends the transaction at once. Its user hears no more. */
  readonly abandon: () => void
}

/** Means that all transactions of a user agent share. */
export interface TransactionContext {
  readonly transport: Context.Tag.Service<SipTransport>
  readonly after: After
  readonly tokens: Tokens
  readonly timers: TimerValues
}

/** Client transactions of a user agent. */
export interface ClientTransactions {
  /** Sends a request, to which a Via is added, and repeats it as needed. */
  readonly request: (request: SipRequest, address: SipAddress, user: ClientUser) => ClientTransaction
  /** Goes on with an INVITE that an earlier user agent sent, with its Via, and that rings: nothing is sent. */
  readonly resume: (invite: SipRequest, address: SipAddress, user: ClientUser) => ClientTransaction
  /** Sends a request whose response nobody waits for, such as the ACK of a 2xx; the returned function sends it again. */
  readonly sendOnly: (request: SipRequest, address: SipAddress) => () => void
  /** Sends the CANCEL of an INVITE. Nothing is said about its end. */
  readonly cancel: (transaction: ClientTransaction, reason?: string) => void
  /** Gives a response to its transaction; returns false when it belongs to none. */
  readonly receive: (response: SipResponse) => boolean
  readonly count: () => number
  /** Fails all transactions that still wait, so that nobody waits for them. */
  readonly close: () => void
}

interface Running {
  readonly runner: MachineRunner<ClientInput>
  readonly fail: (kind: "timeout" | "transport", reason: string) => void
}

const ignore = () => {}

/** Branch of a request that begins with its Via. */
const branchOf = ({ headers: [via] }: SipRequest): string => /;branch=([^;]+)/.exec(via?.[1] ?? "")?.[1] ?? ""

/** Makes the client transactions of a user agent. */
export const makeClientTransactions = (
  { after, timers, tokens, transport }: TransactionContext
): ClientTransactions => {
  const running = new Map<string, Running>()

  const start = (
    request: SipRequest,
    address: SipAddress,
    user: ClientUser,
    begin = startInviteClient
  ): ClientTransaction => {
    const key = `${branchOf(request)} ${request.method}`
    const bytes = writeMessage(request)
    const options = { timers, reliable: isReliable(address) }
    let isTold = false

    const fail = (kind: "timeout" | "transport", reason: string) => {
      if (isTold) return
      isTold = true
      runner.stop()
      user.onFailure(kind, reason)
    }
    const onFailure = (reason: string) => fail("transport", reason)

    const deeds = {
      send: () => transport.send(bytes, address, onFailure),
      acknowledge: (response: SipResponse) =>
        transport.send(writeMessage(acknowledge(request, response)), address, ignore),
      deliver: (response: SipResponse) => {
        if (response.status >= 200) isTold = true
        user.response(response)
      },
      timedOut: () => fail("timeout", "no response in time"),
      onEnd: () => void running.delete(key)
    }
    const runner = request.method === "INVITE"
      ? runMachine<ReturnType<typeof startInviteClient>["state"], ClientInput>({
        start: begin(options),
        step: (state, input) => stepInviteClient(state, input, options),
        after,
        deeds
      })
      : runMachine<ReturnType<typeof startPlainClient>["state"], ClientInput>({
        start: startPlainClient(options),
        step: (state, input) => stepPlainClient(state, input, options),
        after,
        deeds
      })
    running.set(key, { runner, fail })
    return {
      request,
      address,
      quiet: () => runner.input({ _tag: "Quiet" }),
      abandon: () => {
        isTold = true
        runner.stop()
      }
    }
  }

  const withVia = (request: SipRequest, branch: string, address: SipAddress): SipRequest => {
    const via = writeVia({
      transport: address.protocol.toUpperCase(),
      sentBy: transport.local(address),
      params: [["branch", branch], ["rport", null]]
    })
    return { ...request, headers: [["via", via], ...request.headers] }
  }
  const newBranch = () => `${magicCookie}${tokens.next()}`

  return {
    request: (request, address, user) => start(withVia(request, newBranch(), address), address, user),
    resume: (invite, address, user) => start(invite, address, user, resumeInviteClient),
    sendOnly: (request, address) => {
      const bytes = writeMessage(withVia(request, newBranch(), address))
      const send = () => transport.send(bytes, address, ignore)
      send()
      return send
    },
    cancel: ({ address, request }, reason) =>
      void start(cancelOf(request, reason), address, { response: ignore, onFailure: ignore }),
    receive: (response) => {
      const transaction = running.get(clientKey(response) ?? "")
      transaction?.runner.input({ _tag: "Response", response })
      return transaction !== undefined
    },
    count: () => running.size,
    close: () => [...running.values()].forEach(({ fail }) => fail("transport", "the user agent is closed"))
  }
}
