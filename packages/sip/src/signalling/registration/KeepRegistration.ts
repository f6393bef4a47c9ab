import { Clock, Duration, Effect, Either, Queue, type Scope, SubscriptionRef } from "effect"
import { type AgentContext, contactFor } from "../agent/AgentContext.js"
import { makeAuthorizer } from "../agent/Authorizer.js"
import { exchange, isSuccess, retryAfterOf } from "../agent/Exchange.js"
import { addressesOf } from "../agent/Hops.js"
import { routeTo, targetOf } from "../dialogs/Routing.js"
import { parseNameAddr, writeNameAddr } from "../headers/NameAddr.js"
import { param } from "../headers/Params.js"
import { sameUri } from "../headers/SameUri.js"
import { parseSeconds } from "../headers/Seconds.js"
import { parseUri } from "../headers/Uri.js"
import { userOf } from "../invites/InviteRequest.js"
import { header, headers, type SipRequest, type SipResponse } from "../message/Message.js"
import type { SipAddress } from "../transport/SipTransport.js"
import type { Registration, RegistrationOptions, RegistrationState } from "./Registration.js"

/** Share of the lifetime after which a registration is refreshed. */
const refreshAt = 0.8

/** Pauses after failures, in seconds. */
const [shortestPause, maxPause, refusalPause] = [1, 60, 60]

/** Milliseconds for which a registration is beyond doubt. */
const freshMillis = 10_000

/** Keep-alive: two line ends, as over TCP (RFC 5626, section 3.5.1); phones send them over UDP as well. */
const ping = new TextEncoder().encode("\r\n\r\n")

/** Shortest share of the longest time between keep-alives (RFC 5626, section 4.4.1). */
const minKeepAlive = 0.8

/** Time that closing waits for the removal. */
const removalTimeout = Duration.seconds(2)

const uriOf = (contact: string) =>
  Either.flatMap(parseNameAddr(contact), (address) => Either.map(parseUri(address.uri), (uri) => ({ uri, address })))

/** Lifetime of our contact that a registrar grants, in seconds (RFC 3261, section 10.2.4). */
const grantedTo = (contact: string, response: SipResponse, expirySeconds: number): number => {
  const contactUri = Either.getOrUndefined(uriOf(contact))
  const listedParams = headers(response, "contact").flatMap((value) => {
    const valueUri = Either.getOrUndefined(uriOf(value))
    return valueUri !== undefined && contactUri !== undefined && sameUri(valueUri.uri, contactUri.uri)
      ? [valueUri.address.params]
      : []
  })
  const text = param(listedParams[0] ?? [], "expires") ?? header(response, "expires") ?? ""
  return Either.getOrElse(parseSeconds(text), () => expirySeconds)
}

type Failure = Extract<RegistrationState, { readonly _tag: "Failed" }>

/** Seconds until the next try. */
const pauseAfter = (failures: number, { status }: Failure, retryAfter: number | null): number => {
  const isRefused = status !== null && status >= 400 && status < 500 && status !== 408
  const pause = Math.min(shortestPause * 2 ** (failures - 1), maxPause)
  return Math.max(pause, retryAfter ?? 0, isRefused ? refusalPause : 0)
}

/** Registers, and keeps the registration: see `UserAgent.register`. */
export const keepRegistration = (
  agent: AgentContext,
  options: RegistrationOptions
): Effect.Effect<Registration, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { address: record, contactUser = userOf(record), credentials, expires = "1 hour", keepAlive, nextHop } =
      options
    const state = yield* SubscriptionRef.make<RegistrationState>({ _tag: "Registering" })
    const authorizer = makeAuthorizer(agent.tokens, credentials)
    const callId = agent.tokens.next()
    const tag = agent.tokens.next()
    const way = routeTo(options.registrar, [])
    let number = 0
    let expirySeconds = Math.round(Duration.toSeconds(expires))
    /** Grows with failures, so that each address of the registrar gets its turn. */
    let failures = 0
    /** Address at which we are registered. */
    let boundAddress: SipAddress | null = null
    /** When it was last sure, or last asked again. */
    let sureSince = -Infinity
    /** When a broken connection was last answered by a renewal. A server may close each one at once. */
    let brokenAt = -Infinity
    const clock = yield* Effect.clock
    /** Wakes the loop before its time. */
    const wake = yield* Queue.sliding<void>(1)

    const renewNow = (): void => {
      const now = clock.unsafeCurrentTimeMillis()
      if (boundAddress === null || now - sureSince < freshMillis) return
      sureSince = now
      wake.unsafeOffer(undefined)
    }

    const build = (seconds: number, contact: string): SipRequest => {
      number++
      return {
        _tag: "Request",
        method: "REGISTER",
        uri: way.uri,
        headers: [
          ["max-forwards", "70"],
          ["from", writeNameAddr({ displayName: "", uri: record, params: [["tag", tag]] })],
          ["to", writeNameAddr({ displayName: "", uri: record, params: [] })],
          ["call-id", callId],
          ["cseq", `${number} REGISTER`],
          ["contact", contact],
          ["expires", `${seconds}`],
          ["user-agent", agent.product]
        ],
        body: new Uint8Array(0)
      }
    }

    const register = (address: SipAddress, seconds: number) => {
      const contact = contactFor(agent, address, contactUser)
      return Effect.map(
        exchange(agent, {
          authorizer,
          build: () => ({ request: build(seconds, contact), hop: way.hop }),
          hops: { addressOf: () => Effect.succeed(address) }
        }),
        (response) => ({ response, granted: grantedTo(contact, response, seconds) })
      )
    }

    const addressNow = Effect.map(
      addressesOf(agent, nextHop ?? targetOf(way.hop)),
      (addresses) => addresses[failures % addresses.length] ?? addresses[0]
    )

    const fail = (failure: Failure, retryAfter: number | null) => {
      failures++
      boundAddress = null
      return Effect.as(SubscriptionRef.set(state, failure), pauseAfter(failures, failure, retryAfter))
    }

    /** Registers once, and returns the seconds until the next time. */
    const step: Effect.Effect<number> = Effect.flatMap(
      addressNow,
      (address) => Effect.map(register(address, expirySeconds), (result) => ({ address, ...result }))
    ).pipe(
      Effect.flatMap(({ address, granted, response }) => {
        if (isSuccess(response) && granted > 0) {
          failures = 0
          boundAddress = address
          return Effect.flatMap(Clock.currentTimeMillis, (now) => {
            sureSince = now
            const registrationState: RegistrationState = { _tag: "Registered", until: now + granted * 1_000 }
            return Effect.as(SubscriptionRef.set(state, registrationState), Math.max(1, granted * refreshAt))
          })
        }
        const minSeconds = Either.getOrElse(parseSeconds(header(response, "min-expires") ?? ""), () => 0)
        if (response.status === 423 && minSeconds > expirySeconds) {
          expirySeconds = minSeconds
          return step
        }
        return fail({ _tag: "Failed", kind: "refused", status: response.status }, retryAfterOf(response))
      }),
      Effect.catchTags({
        Unresolved: () => fail({ _tag: "Failed", kind: "unresolved", status: null }, null),
        RequestFailed: ({ reason, kind }) => {
          const details = reason === undefined ? {} : { reason }
          return fail(
            { _tag: "Failed", kind: kind === "timeout" ? "timeout" : "transport", status: null, ...details },
            null
          )
        }
      })
    )

    const remove = Effect.flatMap(SubscriptionRef.get(state), ({ _tag }) =>
      _tag === "Registered"
        ? Effect.flatMap(addressNow, (address) => register(address, 0)).pipe(
          Effect.interruptible,
          Effect.timeout(removalTimeout),
          Effect.ignore
        )
        : Effect.void)

    if (keepAlive !== undefined) {
      const maxMillis = Duration.toMillis(keepAlive)
      const interval = Effect.suspend(() =>
        Effect.sleep(maxMillis * (minKeepAlive + (1 - minKeepAlive) * agent.tokens.fraction()))
      )
      const send = Effect.sync(() => {
        if (boundAddress?.protocol === "udp") agent.transport.send(ping, boundAddress, () => {})
      })
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(interval, send)))
    }
    if (agent.transport.onClose !== undefined) {
      yield* agent.transport.onClose(({ host, port }) => {
        if (
          boundAddress === null || boundAddress.protocol === "udp" || boundAddress.host !== host ||
          boundAddress.port !== port
        ) return
        const now = clock.unsafeCurrentTimeMillis()
        const pause = Math.max(0, brokenAt + freshMillis - now)
        brokenAt = now + pause
        agent.after(pause, () => {
          sureSince = -Infinity
          renewNow()
        })
      })
    }
    yield* Effect.addFinalizer(() => remove)
    const wait = (seconds: number) =>
      Effect.raceFirst(Effect.sleep(Duration.seconds(seconds)), Effect.interruptible(Queue.take(wake)))
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(step, wait)))
    return { state: SubscriptionRef.get(state), changes: state.changes, renew: Effect.sync(renewNow) }
  })
