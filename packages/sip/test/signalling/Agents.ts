import { Entropy } from "@trunkline/kernel"
import {
  type CallHandlers,
  type IncomingCall,
  type Invitation,
  makeMemoryNetwork,
  makeUserAgent,
  type MemoryNetworkOptions,
  parseMessage,
  type SipMessage,
  SipTransport,
  type UserAgentOptions
} from "@trunkline/sip"
import { Deferred, Effect, Either, Queue } from "effect"

export const offer = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n"
export const answer = "v=0\r\no=- 2 2 IN IP4 192.0.2.2\r\ns=-\r\nt=0 0\r\nm=audio 5000 RTP/AVP 0\r\n"

export const caller = "192.0.2.1"
export const callee = "192.0.2.2"

/** A call from the caller to the callee. */
export const invitation: Invitation = {
  target: `sip:agent@${callee}`,
  from: { uri: `sip:someone@${caller}` },
  offer
}

/** A network with the messages that were sent on it. */
export const makeNetwork = (options: MemoryNetworkOptions = {}) =>
  Effect.gen(function*() {
    const network = yield* makeMemoryNetwork(options)
    const sent: Array<{ readonly from: string; readonly at: number; readonly message: SipMessage }> = []
    const clock = yield* Effect.clock
    network.observe((from, _to, bytes) => {
      const message = parseMessage(bytes)
      if (Either.isRight(message)) sent.push({ from, at: clock.unsafeCurrentTimeMillis(), message: message.right })
    })
    /** Short names of all messages of a host: methods and statuses. */
    const namesOf = (host: string) =>
      sent.filter(({ from }) => from === host).map(({ message }) =>
        message._tag === "Request" ? message.method : `${message.status}`
      )
    const agent = (host: string, agentOptions: UserAgentOptions = {}) =>
      makeUserAgent(agentOptions).pipe(
        Effect.provideService(SipTransport, network.attach(host)),
        Effect.provide(Entropy.layerSeeded(host))
      )
    return { ...network, agent, sent, namesOf }
  })

/** A caller, and a callee whose incoming calls wait in a queue. */
export const makePair = (
  options: MemoryNetworkOptions & { readonly caller?: UserAgentOptions; readonly callee?: UserAgentOptions } = {}
) =>
  Effect.gen(function*() {
    const network = yield* makeNetwork(options)
    const incoming = yield* Queue.unbounded<IncomingCall>()
    const left = yield* network.agent(caller, options.caller)
    const right = yield* network.agent(callee, {
      incoming: (call) => Effect.zipRight(Queue.offer(incoming, call), Effect.never),
      ...options.callee
    })
    return { ...network, left, right, incoming }
  })

/** A pair with a call that was answered. */
export const connect = (
  options: Parameters<typeof makePair>[0] & {
    readonly invitation?: Partial<Invitation>
    readonly handlers?: CallHandlers
  } = {}
) =>
  Effect.gen(function*() {
    const pair = yield* makePair(options)
    const outgoing = yield* pair.left.invite({ ...invitation, ...options.invitation })
    const call = yield* Queue.take(pair.incoming)
    const atCallee = yield* call.accept(answer, options.handlers === undefined ? {} : { handlers: options.handlers })
    const atCaller = yield* outgoing.answered
    return { ...pair, outgoing, atCallee, atCaller }
  })

/** Completes an effect in the background; the result can be awaited. */
export const inBackground = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const result = yield* Deferred.make<A, E>()
    yield* Effect.forkDaemon(Effect.intoDeferred(effect, result))
    return Deferred.await(result)
  })
