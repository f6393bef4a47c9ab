import { Duration, Effect, FiberSet, type Scope } from "effect"
import { type LuaScript, luaScript, type ScriptInput } from "./LuaScript.js"
import { troubleOf } from "./Trouble.js"

/** What is needed of a client of the `redis` library: a single one, a pool, a cluster or a sentinel. */
export interface ScriptClient {
  readonly isReady?: boolean
  readonly eval: (script: string, input: ScriptInput) => Promise<unknown>
  readonly evalSha: (sha: string, input: ScriptInput) => Promise<unknown>
}

/** Runs scripts while Redis is there, and knows when it is not. */
export interface RedisLink {
  /**
   * Runs a script in one round trip and gives its answer to `done`, once; undefined when Redis did not answer in time or
   * not as it should, and at once while it is away.
   */
  readonly run: (
    script: LuaScript,
    input: ScriptInput,
    done: (reply: ReadonlyArray<number> | undefined) => void
  ) => void
  /** Tells the link that the connection is lost, as the client sees it. */
  readonly lost: (error: unknown) => void
}

/** Commands without an answer, after which no more are sent. */
const mostPending = 10_000

/** What `setTimeout` can wait, in milliseconds. */
const longestTimer = 2 ** 31 - 1

const probePause = Duration.millis(250)

/** Writes, since a Redis that only lets read is of no use here. */
const probeScript = luaScript("redis.call('SET', KEYS[1], '', 'PX', 1) return {1}")

/** Errors that are about what was asked, not about Redis: other asks may well succeed. */
const aboutTheAsk = ["CROSSSLOT", "MOVED", "ASK", "TRYAGAIN", "WRONGTYPE", "ERR"]

const evaluate = async (client: ScriptClient, script: LuaScript, input: ScriptInput): Promise<unknown> => {
  try {
    return await client.evalSha(script.sha, input)
  } catch (error) {
    if (troubleOf(error) !== "NOSCRIPT") throw error
    return await client.eval(script.text, input)
  }
}

const isReply = (reply: unknown): reply is ReadonlyArray<number> =>
  Array.isArray(reply) && reply.every((item) => typeof item === "number")

/**
 * A link over a client. The first trouble makes Redis away for every ask; it is tried again at once and then every
 * 250 ms, with one command at a time, until it answers. Each outage is one warning in the log, and its end one line.
 */
export const makeLink = (
  options: { readonly client: ScriptClient; readonly prefix: string; readonly timeout: Duration.DurationInput }
): Effect.Effect<RedisLink, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { client, prefix } = options
    const timeout = Math.min(Duration.toMillis(options.timeout), longestTimer)
    const runFork = yield* FiberSet.makeRuntime<never>()
    const told = new Set<string>()
    let away = false
    let pending = 0

    const probe = Effect.async<boolean>((resume) => {
      if (client.isReady === false) return resume(Effect.succeed(false))
      const begun = performance.now()
      evaluate(client, probeScript, { keys: [`${prefix}probe`], arguments: [] }).then(
        () => resume(Effect.succeed(performance.now() - begun <= timeout)),
        () => resume(Effect.succeed(false))
      )
    })

    const outage = (trouble: string) =>
      Effect.logWarning(`Redis is away (${trouble}): limits are counted in this process until it is back`).pipe(
        Effect.zipRight(Effect.repeat(Effect.tap(probe, (back) => back ? Effect.void : Effect.sleep(probePause)), {
          until: (back) => back
        })),
        Effect.zipRight(Effect.sync(() => {
          away = false
        })),
        Effect.zipRight(Effect.logInfo("Redis is back: limits are counted there again"))
      )

    const goAway = (trouble: string) => {
      if (away) return
      away = true
      runFork(outage(trouble))
    }

    const refuse = (trouble: string) => {
      if (told.has(trouble)) return
      told.add(trouble)
      runFork(Effect.logWarning(`Redis refuses some asks (${trouble}): those are counted in this process`))
    }

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        away = true
      })
    )

    return {
      lost: (error) => goAway(troubleOf(error)),
      run: (script, input, done) => {
        if (!away && client.isReady === false) goAway("not connected")
        if (!away && pending >= mostPending) goAway("too many asks without an answer")
        if (away) return done(undefined)
        pending++
        let open = true
        const settle = (reply: ReadonlyArray<number> | undefined) => {
          if (!open) return
          open = false
          clearTimeout(timer)
          done(reply)
        }
        // A process that was busy itself reads what has arrived before it calls anything late.
        const timer = setTimeout(() =>
          setImmediate(() => {
            if (open) goAway(`no answer in ${timeout} ms`)
            settle(undefined)
          }), timeout)
        evaluate(client, script, input).then((reply) => {
          pending--
          if (isReply(reply)) return settle(reply)
          refuse("an unknown answer")
          settle(undefined)
        }, (error: unknown) => {
          pending--
          const trouble = troubleOf(error)
          if (aboutTheAsk.includes(trouble)) refuse(trouble)
          else goAway(trouble)
          settle(undefined)
        })
      }
    }
  })
