import {
  header,
  type Headers,
  headers,
  type Invitation,
  type MemoryNetwork,
  type SipAddress,
  type SipMessage,
  type SipRequest,
  type SipResponse,
  type UserAgentOptions,
  writeMessage
} from "@trunkline/sip"
import { Effect, Either, Queue } from "effect"
import { answer, callee, caller, inBackground, invitation, makeNetwork } from "./Agents.js"

interface Parts {
  readonly headers?: Headers
  readonly body?: string
}

const encode = (body = "") => new TextEncoder().encode(body)
const sdpType: Headers = [["content-type", "application/sdp"]]

/** A peer of tests that sends what it is told, whether SIP allows it or not. */
export const makePeer = (network: MemoryNetwork, host: string) =>
  Effect.gen(function*() {
    const transport = network.attach(host)
    const messages = yield* Queue.unbounded<SipMessage>()
    yield* transport.listen(({ message }) => void messages.unsafeOffer(Either.getOrThrow(message)))
    let requests = 0

    const send = (message: SipMessage, to: SipAddress) =>
      Effect.sync(() => transport.send(writeMessage(message), to, () => {}))

    const agentAt = (to: string): SipAddress => ({ protocol: "udp", host: to, port: 5060 })

    const take = Queue.take(messages)
    const request = (method: string): Effect.Effect<SipRequest> =>
      Effect.repeat(take, {
        until: (message): message is SipRequest => message._tag === "Request" && message.method === method
      })
    const response = (status: number): Effect.Effect<SipResponse> =>
      Effect.repeat(take, {
        until: (message): message is SipResponse => message._tag === "Response" && message.status === status
      })

    return {
      /** The next message, of whichever kind. */
      take,
      /** Messages that came and were not taken. */
      waiting: Queue.takeAll(messages),
      /** The next request of a method; all before it is dropped. */
      request,
      /** The next response with a status; all before it is dropped. */
      response,
      /** Responds to a request of an agent, with the tag `peer` unless it has one. */
      respond: (
        to: string,
        received: SipRequest,
        status: number,
        { body, headers: further = [] }: Parts = {},
        tag = "peer"
      ) => {
        const toHeader = header(received, "to") ?? ""
        return send({
          _tag: "Response",
          status,
          reason: "",
          headers: [
            ...headers(received, "via").map((via) => ["via", via] as const),
            ["from", header(received, "from") ?? ""],
            ["to", toHeader.includes(";tag=") ? toHeader : `${toHeader};tag=${tag}`],
            ["call-id", header(received, "call-id") ?? ""],
            ["cseq", header(received, "cseq") ?? ""],
            ...(further.some(([name]) => name === "contact") ? [] : [["contact", `<sip:peer@${host}>`] as const]),
            ...(body === undefined ? [] : sdpType),
            ...further
          ],
          body: encode(body)
        }, agentAt(to))
      },
      /** Sends a request to an agent. Headers of the same name take the place of the usual ones. */
      send: (to: string, method: string, { body, headers: further = [] }: Parts = {}, uri = `sip:agent@${to}`) => {
        requests++
        const usual: Headers = [
          ["via", `SIP/2.0/UDP ${host};branch=z9hG4bKpeer${requests};rport`],
          ["max-forwards", "70"],
          ["from", `<sip:peer@${host}>;tag=peer`],
          ["to", `<${uri}>`],
          ["call-id", "call-of-peer"],
          ["cseq", `${requests} ${method}`],
          ["contact", `<sip:peer@${host}>`],
          ...(body === undefined ? [] : sdpType)
        ]
        const replaced = new Set(further.map(([name]) => name))
        const request: SipRequest = {
          _tag: "Request",
          method,
          uri,
          headers: [...usual.filter(([name]) => !replaced.has(name)), ...further],
          body: encode(body)
        }
        return Effect.as(send(request, agentAt(to)), request)
      },
      /** Sends a message again as it is. */
      resend: (to: string, message: SipMessage) => send(message, agentAt(to))
    }
  })

/** A user agent with a call that a peer has answered. */
export const connectPeer = (
  options: {
    readonly agent?: UserAgentOptions
    readonly invitation?: Partial<Invitation>
    /** Headers of the peer's answer. */
    readonly headers?: Headers
  } = {}
) =>
  Effect.gen(function*() {
    const network = yield* makeNetwork()
    const agent = yield* network.agent(caller, options.agent)
    const peer = yield* makePeer(network, callee)
    const placing = yield* inBackground(agent.invite({ ...invitation, ...options.invitation }))
    const invite = yield* peer.request("INVITE")
    yield* peer.respond(caller, invite, 200, { body: answer, headers: options.headers ?? [] })
    const ack = yield* peer.request("ACK")
    const call = yield* Effect.flatMap(placing, ({ answered }) => answered)
    /** Headers of the peer's requests within the call. */
    const dialog = [
      ["call-id", call.callId],
      ["from", header(ack, "to") ?? ""],
      ["to", header(ack, "from") ?? ""]
    ] as const
    return { ...network, agent, peer, call, dialog, invite }
  })
