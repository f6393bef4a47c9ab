import { Duration, Effect, FiberSet, type Scope } from "effect"
import { type LuaScript, luaScript, type ScriptInput } from "./LuaScripts.js"

/** The required part of a `redis` client, pool, cluster or sentinel. */
export interface ScriptClient {
  readonly isReady?: boolean
  readonly eval: (script: string, input: ScriptInput) => Promise<unknown>
  readonly evalSha: (sha: string, input: ScriptInput) => Promise<unknown>
}

/** Runs scripts and tracks whether Redis is available. */
export interface ScriptRunner {
  /**
   * Runs a script in one round trip and calls `onReply` once with the result: undefined when Redis does not respond correctly in
   * time, and immediately while it is unavailable.
   */
  readonly run: (
    script: LuaScript,
    input: ScriptInput,
    onReply: (reply: ReadonlyArray<number> | undefined) => void
  ) => void
  /** Reports a lost connection. */
  readonly reportLost: (error: unknown) => void
}

/** Maximum number of unanswered commands. */
const maxPending = 10_000

/** Maximum delay of `setTimeout` in milliseconds. */
const maxTimer = 2 ** 31 - 1

const probeInterval = Duration.millis(250)

/** Probes with a write, because a read-only Redis is not usable. */
const probeScript = luaScript("redis.call('SET', KEYS[1], '', 'PX', 1) return {1}")

/** Errors that concern one request; others may still succeed. */
const requestErrors = ["CROSSSLOT", "MOVED", "ASK", "TRYAGAIN", "WRONGTYPE", "ERR"]

const evaluate = async (client: ScriptClient, script: LuaScript, input: ScriptInput): Promise<unknown> => {
  try {
    return await client.evalSha(script.sha, input)
  } catch (error) {
    if (errorCodeOf(error) !== "NOSCRIPT") throw error
    return await client.eval(script.text, input)
  }
}

const isReply = (reply: unknown): reply is ReadonlyArray<number> =>
  Array.isArray(reply) && reply.every((item) => typeof item === "number")

/**
 * Makes a script runner over a client. The first failure makes Redis unavailable for all requests; it is probed immediately
 * and then every 250 ms, one command at a time, until it responds. Each outage logs one warning, and one line on recovery.
 */
export const makeScriptRunner = (
  options: { readonly client: ScriptClient; readonly prefix: string; readonly timeout: Duration.DurationInput }
): Effect.Effect<ScriptRunner, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { client, prefix } = options
    const timeout = Math.min(Duration.toMillis(options.timeout), maxTimer)
    const runFork = yield* FiberSet.makeRuntime<never>()
    const loggedMessages = new Set<string>()
    let isAway = false
    let pending = 0

    const probe = Effect.async<boolean>((resume) => {
      if (client.isReady === false) return resume(Effect.succeed(false))
      const startedAt = performance.now()
      evaluate(client, probeScript, { keys: [`${prefix}probe`], arguments: [] }).then(
        () => resume(Effect.succeed(performance.now() - startedAt <= timeout)),
        () => resume(Effect.succeed(false))
      )
    })

    const outage = (reason: string) =>
      Effect.logWarning(`Redis is unavailable (${reason}): limits are counted in this process until it recovers`).pipe(
        Effect.zipRight(Effect.repeat(Effect.tap(probe, (back) => back ? Effect.void : Effect.sleep(probeInterval)), {
          until: (back) => back
        })),
        Effect.zipRight(Effect.sync(() => {
          isAway = false
        })),
        Effect.zipRight(Effect.logInfo("Redis is available again: limits are counted there"))
      )

    const markAway = (reason: string) => {
      if (isAway) return
      isAway = true
      runFork(outage(reason))
    }

    const logRejection = (reason: string) => {
      if (loggedMessages.has(reason)) return
      loggedMessages.add(reason)
      runFork(Effect.logWarning(`Redis rejects some requests (${reason}): these are counted in this process`))
    }

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        isAway = true
      })
    )

    return {
      reportLost: (error) => markAway(errorCodeOf(error)),
      run: (script, input, onReply) => {
        if (!isAway && client.isReady === false) markAway("not connected")
        if (!isAway && pending >= maxPending) markAway("too many unanswered requests")
        if (isAway) return onReply(undefined)
        pending++
        let isPending = true
        const settle = (reply: ReadonlyArray<number> | undefined) => {
          if (!isPending) return
          isPending = false
          clearTimeout(timer)
          onReply(reply)
        }
        // A busy process first reads the responses that have arrived.
        const timer = setTimeout(() =>
          setImmediate(() => {
            if (isPending) markAway(`no response in ${timeout} ms`)
            settle(undefined)
          }), timeout)
        evaluate(client, script, input).then((reply) => {
          pending--
          if (isReply(reply)) return settle(reply)
          logRejection("an invalid response")
          settle(undefined)
        }, (error: unknown) => {
          pending--
          const reason = errorCodeOf(error)
          if (requestErrors.includes(reason)) logRejection(reason)
          else markAway(reason)
          settle(undefined)
        })
      }
    }
  })

/**
 * The kind of an error: a system or Redis error code such as `ECONNREFUSED` or `WRONGPASS`, otherwise the name of its
 * class. Never its message, which may contain addresses and credentials.
 */
export const errorCodeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  if ("code" in error && typeof error.code === "string") return error.code
  return /^[A-Z]{2,}(?= )/.exec(error.message)?.[0] ?? error.constructor.name
}
