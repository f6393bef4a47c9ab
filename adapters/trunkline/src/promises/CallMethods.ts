import { AgentCatalog } from "@trunkline/agents"
import { Engine } from "@trunkline/engine"
import { Invalid, NotFound } from "@trunkline/errors"
import { AppId, CampaignId, ConnectionId, unchecked } from "@trunkline/kernel"
import { Connections, isEventOf, LiveEvent } from "@trunkline/telephony"
import { Effect, Predicate, Schema, Stream } from "effect"
import type { Fields } from "../errors/Fields.js"
import { knownFields } from "../errors/KnownFields.js"
import { shownStack } from "../errors/ShownStack.js"
import type { BrowserCalls, CallEnded, Outbounds } from "../generated/Resources.js"
import { callerOf } from "./Callers.js"
import { checkCallOptions, optionFields, signalOf } from "./CallOptions.js"
import type { Calls, Live, NewBrowserCall, NewCall } from "./CallTypes.js"
import { withBrowserCallPaths, withCallPaths } from "./IssuePaths.js"
import type { Runner } from "./Runner.js"

/** Waits in this process for the ends of calls. */
export interface EndedCalls {
  /** Receives the end of a call, whether anybody waits for it or not. */
  readonly ended: (call: () => CallEnded, attemptId: string) => void
  /** Runs what starts a call; `endOf` waits for the end of the call, which is not missed when it comes before. */
  readonly during: <A>(start: (endOf: (attemptId: string) => Promise<CallEnded>) => Promise<A>) => Promise<A>
  /** Rejects everything that is waited for. */
  readonly close: () => void
}

interface Waiting {
  readonly resolve: (call: CallEnded) => void
  readonly reject: (error: Error) => void
}

/** Makes a table of the calls that are waited for. A call that ends while it is being started is not missed. */
export const makeEndedCalls = (): EndedCalls => {
  const waiting = new Map<string, Waiting>()
  /** Calls that ended while some call was being started, by attempt. */
  const early = new Map<string, CallEnded>()
  let starting = 0

  return {
    ended: (call, id) => {
      const waiter = waiting.get(id)
      if (waiter !== undefined) {
        waiting.delete(id)
        waiter.resolve(call())
      } else if (starting > 0) {
        early.set(id, call())
      }
    },
    during: async (start) => {
      starting += 1
      try {
        return await start((attemptId) => {
          const earlyEnd = early.get(attemptId)
          const end = earlyEnd === undefined
            ? new Promise<CallEnded>((resolve, reject) => waiting.set(attemptId, { resolve, reject }))
            : Promise.resolve(earlyEnd)
          // A rejection that nobody waits for must not end the process.
          end.catch(() => undefined)
          return end
        })
      } finally {
        starting -= 1
        if (starting === 0) early.clear()
      }
    },
    close: () => {
      for (const { reject } of waiting.values()) reject(new Error("The engine was closed before the call ended"))
      waiting.clear()
    }
  }
}

const callFields: Fields<NewCall> = {
  agent: true,
  version: true,
  to: true,
  from: true,
  line: true,
  variables: true,
  user_identifier: true,
  answer_handling: true,
  webhook: true
}

const browserCallFields: Fields<NewBrowserCall> = {
  agent: true,
  version: true,
  variables: true,
  overrides: true,
  user_identifier: true,
  user_phone_number: true,
  max_duration_seconds: true,
  webhook: true
}

/** Fails at calls with unknown fields, or without an agent: what the engine does not check by itself. */
const checkCall = <A extends { readonly agent: string }>(
  call: A,
  { fields, needed }: { readonly fields: Fields<A>; readonly needed: string }
): Effect.Effect<void, Invalid> => {
  if (!Predicate.isReadonlyRecord(call ?? {})) {
    return Invalid.at(["call"], "object_type", `Must be an object with ${needed}`)
  }
  return Effect.zipRight(
    knownFields(call ?? {}, fields, []),
    Schema.is(AppId)(call?.agent)
      ? Effect.void
      : Effect.fail(Invalid.at(["agent"], "value_error", "Name an agent by its app_id"))
  )
}

const liveFields: Fields<NonNullable<Parameters<Live>[0]>> = { ...optionFields, campaign: true, ongoing: true }

/** Finds the version and the line of a call that names none. */
const defaultsOf = (call: NewCall, workspace: string) =>
  Effect.gen(function*() {
    const agents = yield* AgentCatalog
    const connections = yield* Connections
    const scope = (yield* callerOf(workspace)).workspace
    const agent = yield* agents.find(scope, AppId.make(call.agent))
    const { versions } = yield* Effect.mapError(agent, () => new NotFound({ resource: "agent", id: call.agent }))
    const numbers = versions.filter((version) => version.committed).map(({ app_version }) => app_version)
    const [first] = yield* connections.list
    const line = call.line ?? first?.connection_id ?? ""
    const connection = yield* connections.find(scope, ConnectionId.make(line))
    const { phone_numbers } = yield* Effect.mapError(connection, () => new NotFound({ resource: "line", id: line }))
    return {
      app_version: call.version ?? Math.max(...numbers, 1),
      connection_config: { connection_id: line, agent_phone_number: call.from ?? phone_numbers[0] ?? "" }
    }
  })

/** The end of a call that another process dials. */
const endedElsewhere = (): Promise<CallEnded> => {
  const end = Promise.reject(new Error("The call ends in a process with the role dial: use onCallEnded"))
  // A rejection that nobody waits for must not end the process.
  end.catch(() => undefined)
  return end
}

/** Makes the methods of calls. */
export const makeCalls = (
  { run }: Runner,
  { browserCalls, defaultWorkspace, dialsHere, endedCalls, outbounds }: {
    readonly browserCalls: BrowserCalls
    readonly defaultWorkspace: string
    /** False when other processes dial, so that calls end there. */
    readonly dialsHere: boolean
    readonly endedCalls: EndedCalls
    readonly outbounds: Outbounds
  }
): Calls => ({
  create: async (call, options = {}) => {
    const { app_version, connection_config } = await run(
      Effect.gen(function*() {
        yield* checkCall(call, { fields: callFields, needed: "agent and to" })
        yield* checkCallOptions(options, { fields: optionFields })
        return yield* defaultsOf(call, options.workspace ?? defaultWorkspace)
      }),
      signalOf(options)
    )
    const body = {
      app_config: {
        app_id: call.agent,
        app_version,
        connection_config,
        agent_variables: call.variables ?? {},
        answer_handling: call.answer_handling ?? null
      },
      user_config: {
        user_phone_number: call.to,
        ...(call.user_identifier !== undefined && { user_identifier: call.user_identifier })
      },
      webhook_config: call.webhook ?? null
    }
    return endedCalls.during(async (endOf) => {
      const { attempt_id } = await outbounds.start(body, options).catch((error: unknown) => {
        throw shownStack["node-do-not-add-exception-line"](withCallPaths(error))
      })
      return { attempt_id, ended: dialsHere ? endOf(attempt_id) : endedElsewhere() }
    })
  },
  talk: async (call, options = {}) => {
    await run(checkCall(call, { fields: browserCallFields, needed: "agent" }), signalOf(options))
    const { agent, overrides, variables, version, webhook, ...rest } = call
    const body = {
      ...rest,
      app_id: agent,
      ...(version !== undefined && { app_version: version }),
      ...(variables !== undefined && { agent_variables: variables }),
      ...(overrides !== undefined && { app_overrides: overrides }),
      ...(webhook !== undefined && { webhook_config: webhook })
    }
    return browserCalls.create(body, options).catch((error: unknown) => {
      throw shownStack["node-do-not-add-exception-line"](withBrowserCallPaths(error))
    })
  }
})

const encodeEvent = Schema.encodeSync(LiveEvent)

/** Makes the subscription to live events. */
export const makeLive = ({ iterate }: Runner, defaultWorkspace: string): Live => (options = {}) => {
  const { campaign, ongoing, workspace } = options ?? {}
  const signal = signalOf(options ?? {})
  const events = Stream.unwrapScoped(
    Effect.gen(function*() {
      yield* checkCallOptions(options, { at: [], fields: liveFields })
      if (campaign !== undefined && typeof campaign !== "string") {
        return yield* Invalid.at(["campaign"], "string_type", "Must be the id of a campaign, as a string")
      }
      if (ongoing !== undefined && typeof ongoing !== "boolean") {
        return yield* Invalid.at(["ongoing"], "bool_type", "Must be true or false")
      }
      const { campaigns, live } = yield* Engine
      const { workspace: scope } = yield* callerOf(workspace ?? defaultWorkspace)
      // A campaign that does not exist has no events, which would be waited for without end.
      if (campaign !== undefined) yield* campaigns.get(scope, CampaignId.make(campaign, unchecked))
      return yield* live.watch(scope, { ongoing })
    })
  ).pipe(
    Stream.filter((event) => campaign === undefined || isEventOf(event, campaign)),
    Stream.map(encodeEvent)
  )
  return iterate(
    signal === undefined
      ? events
      : Stream.interruptWhen(
        events,
        Effect.async<void>((resume) => {
          if (signal.aborted) return resume(Effect.void)
          const stop = () => resume(Effect.void)
          signal.addEventListener("abort", stop, { once: true })
          return Effect.sync(() => signal.removeEventListener("abort", stop))
        })
      )
  )
}
