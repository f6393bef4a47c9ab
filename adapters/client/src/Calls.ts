import type { AttemptDetail, Attempts, Lines, Outbounds, OutboundsStartBody } from "./generated/Types.js"
import { readOptions } from "./Invocation.js"
import type { CallOptions } from "./Results.js"
import { pause } from "./Transport.js"
import { type FieldError, TrunklineError } from "./TrunklineError.js"

type AppConfig = OutboundsStartBody["app_config"]

/** A call to start. */
export interface NewCall {
  /** `app_id` of the agent. */
  readonly agent: string
  /** Version of the agent, which must be committed. */
  readonly version: number
  /** Number to call: in E.164, or a bare Indian number of ten digits. */
  readonly to: string
  /** Number to call from; by default the first number of the line. */
  readonly from?: string
  /** `connection_id` of the line; the first line by default. */
  readonly line?: string
  /** Variables of the conversation. */
  readonly variables?: NonNullable<AppConfig["agent_variables"]>
  /** Your own id of the person; the number by default. */
  readonly user_identifier?: string
  /** Webhook that receives the result of this call. */
  readonly webhook?: NonNullable<OutboundsStartBody["webhook_config"]>
}

/** A call that was started. */
export interface StartedCall {
  readonly attempt_id: string
  /**
   * Resolves when the call has ended, answered or not, with its record. The record is asked for from the first use of `ended` on,
   * at most every five seconds, until the signal of the options aborts.
   */
  readonly ended: Promise<AttemptDetail>
}

/** Calls. */
export interface Calls {
  /** Starts a call. It waits when all lines are busy. */
  create(call: NewCall, options?: CallOptions): Promise<StartedCall>
}

/** Options of a call by their places in the body of an outbound. */
const callOptions: ReadonlyArray<readonly [place: string, option: string]> = [
  ["app_config.app_id", "agent"],
  ["app_config.app_version", "version"],
  ["app_config.agent_variables", "variables"],
  ["app_config.connection_config.connection_id", "line"],
  ["app_config.connection_config.agent_phone_number", "from"],
  ["user_config.user_phone_number", "to"],
  ["user_config.user_identifier", "user_identifier"],
  ["webhook_config", "webhook"]
]

const names = callOptions.map(([, option]) => option)

const moved = (issue: FieldError): FieldError => {
  const path = issue.loc.join(".")
  const entry = callOptions.find(([place]) => path === place || path.startsWith(`${place}.`))
  return entry === undefined ? issue : { ...issue, loc: [entry[1], ...issue.loc.slice(entry[0].split(".").length)] }
}

/** A failure whose issues name the options of a call. */
const withCallPaths = (error: unknown): unknown => {
  if (!(error instanceof TrunklineError) || error.issues.length === 0) return error
  const { code, message, requestId, retryAfter, status } = error
  return new TrunklineError({ code, message, requestId, retryAfter, status, issues: error.issues.map(moved) })
}

/** Milliseconds before the record of a call is asked for again, at first and at most. */
const firstWait = 1_000
const longestWait = 5_000

/** Resources that calls are made of. */
interface CallParts {
  readonly attempts: Attempts
  readonly lines: Lines
  readonly outbounds: Outbounds
}

/** Makes the methods of calls. */
export const makeCalls = ({ attempts, lines, outbounds }: CallParts): Calls => {
  const ended = async (attemptId: string, options: CallOptions): Promise<AttemptDetail> => {
    for (let wait = firstWait;; wait = Math.min(longestWait, wait * 1.5)) {
      try {
        return await attempts.get(attemptId, options)
      } catch (error) {
        // There is no record before the call has ended.
        if (!(error instanceof TrunklineError) || error.status !== 404) throw error
      }
      await pause(wait, options.signal)
    }
  }

  /** The line and the number to call from. */
  const lineOf = async ({ from, line }: NewCall, options: CallOptions) => {
    if (line !== undefined && from !== undefined) return { connection_id: line, agent_phone_number: from }
    const { items } = await lines.list(options)
    const item = line === undefined ? items[0] : items.find(({ connection_id }) => connection_id === line)
    return {
      connection_id: line ?? item?.connection_id ?? "",
      agent_phone_number: from ?? item?.phone_numbers[0] ?? ""
    }
  }

  return {
    create: async (call, options = {}) => {
      readOptions(call, names)
      const connection_config = await lineOf(call, options)
      const { attempt_id } = await outbounds.start({
        app_config: {
          app_id: call.agent,
          app_version: call.version,
          connection_config,
          agent_variables: call.variables ?? {}
        },
        user_config: {
          user_phone_number: call.to,
          ...(call.user_identifier !== undefined && { user_identifier: call.user_identifier })
        },
        webhook_config: call.webhook ?? null
      }, options).catch((error: unknown) => {
        throw withCallPaths(error)
      })
      let waiting: Promise<AttemptDetail> | undefined
      return {
        attempt_id,
        get ended() {
          return waiting ??= ended(attempt_id, options)
        }
      }
    }
  }
}
