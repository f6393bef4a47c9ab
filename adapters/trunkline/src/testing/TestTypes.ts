import type { TestedCall } from "../generated/Testing.js"
import type { AgentOptions, ToolContext, Variables } from "../options/AgentOptions.js"
import type { Model } from "../options/ModelOptions.js"

/** Words to look for: a part of a text, in any case of letters, or a pattern. */
export type Words = string | RegExp

/** Options of words. */
export interface SaysOptions {
  /** Seconds after the agent's last word; 0.5 to 0.9 by default, as the seed has it. */
  readonly pause?: number
  /** English name of the language, such as `Hindi`; by default that of the agent's last words. */
  readonly language?: string
  /** Text in English, where it is in another language. */
  readonly english?: string
}

/** Options of an interruption. */
export interface InterruptsOptions extends Omit<SaysOptions, "pause"> {
  /** Seconds since the agent began to speak; 1 by default. */
  readonly after?: number
}

/**
 * The caller of a test. Actions happen one after the other, also without `await`. One that cannot happen rejects, and the
 * call with it: the agent did not say some words in time, or the call was over.
 */
export interface TestCaller {
  /**
   * Waits until the agent has said the words, after those that were waited for before, within so many seconds; 30 by default.
   * Resolves with all words of that turn.
   */
  readonly hears: (words: Words, options?: { readonly within?: number }) => Promise<string>
  /** Waits until the agent is silent and listens. Resolves with all that it has said since the caller's last words. */
  readonly listens: () => Promise<string>
  /** Speaks once the agent is silent and listens. */
  readonly says: (text: string, options?: SaysOptions) => Promise<void>
  /** Speaks while the agent speaks. */
  readonly interrupts: (text: string, options?: InterruptsOptions) => Promise<void>
  /**
   * Presses keys (`0` to `9`, `*`, `#`), 100 ms apart: once the agent is silent, or so many seconds after it began to speak.
   */
  readonly presses: (keys: string, options?: { readonly after?: number }) => Promise<void>
  /** Does nothing for some seconds. */
  readonly waits: (seconds: number) => Promise<void>
  /** Holds the call for some seconds. */
  readonly holds: (seconds: number) => Promise<void>
  /** Makes noise without words, such as a cough, for some seconds; 1 by default. */
  readonly makesNoise: (seconds?: number) => Promise<void>
  /** Has a bad line from now on: this share of the words, 0 to 1, does not reach the agent. */
  readonly hasBadLine: (loss: number) => Promise<void>
  /** Hangs up: at once, or so many seconds after the agent began to speak. */
  readonly hangsUp: (options?: { readonly after?: number }) => Promise<void>
  /** True once the call is over. */
  readonly isOver: () => boolean
}

/** Plays the caller of a call. The call goes on after it until both sides are silent, or the agent hangs up. */
export type CallerScript = (caller: TestCaller) => unknown

/** A call in which a tool of a test is used. */
export interface MockContext extends ToolContext {
  /** Virtual time. */
  readonly now: Date
}

/** A function in place of a tool; its result is that of the tool. */
export type MockFunction = (input: Readonly<Record<string, unknown>>, call: MockContext) => unknown

/** A tool that takes time: the result of `slowTool`. */
export interface SlowTool {
  readonly seconds: number
  readonly answer: unknown
}

/** Names of the rules that hold in every call. */
export type CallRule =
  | "silence"
  | "tool-twice"
  | "loop"
  | "ends"
  | "after-goodbye"
  | "record"
  | "interruption"
  | "failure"

/** Rules that hold in every call. */
export interface CallRules {
  /** Longest silence of both sides, in seconds; 12 by default. */
  readonly silence?: number
  /** Times after which an answer that stays the same is a loop; 3 by default. */
  readonly repeats?: number
  /** Rules that need not hold. */
  readonly except?: ReadonlyArray<CallRule>
}

/** Options of one call. */
export interface TestCallOptions {
  /** Variables that the call begins with; none by default. */
  readonly variables?: Variables
  /** `outbound` by default. */
  readonly direction?: "inbound" | "outbound"
  /** Number of the caller, in E.164; `+919800000001` by default. */
  readonly phoneNumber?: string
  /** English name of the language that the call begins in; by default the first one of the agent. */
  readonly language?: string
  /** State of the agent, or step of its script, in which the call begins. */
  readonly state?: string
  /** Text in place of the agent's first message. */
  readonly firstMessage?: string
  /** Moment of the answer: a date, or a text such as `2026-11-30T09:00+05:30`; Monday 5 January 2026, 10:00 in India by default. */
  readonly at?: string | Date
  /** Seed of what is left to chance: pauses of the caller, words that a bad line loses, answers of models; 1 by default. */
  readonly seed?: number
  /**
   * Lets the call carry sound: the caller speaks and hears with voices whose words are exact, and turn-taking decides as in
   * production when a turn is over. False by default: the call is text, which is faster.
   */
  readonly sound?: boolean
  /** Rules that hold in every call; false for none. */
  readonly rules?: CallRules | false
  /**
   * Seconds of silence of both sides after the script, after which the caller hangs up; 3 by default. `Infinity`: the caller stays
   * silent until the agent ends the call.
   */
  readonly lastSilence?: number
}

/** Options of a tested agent, and of all its calls. */
export interface TestAgentOptions extends TestCallOptions {
  /**
   * Tools in place of those of the agents, by name: functions, or their results. Those that are requests over HTTP need one.
   */
  readonly tools?: Readonly<Record<string, unknown>>
  /** Language model, as in `createTrunkline`; the scripted one by default. */
  readonly model?: Model
  /** Version of an agent that has several; the last committed one by default. */
  readonly version?: number
  /** Other agents, to which calls may be handed over. */
  readonly agents?: ReadonlyArray<AgentOptions>
}

/** An agent under test. */
export interface TestedAgent {
  /**
   * Lets the agent hold a call with a caller, in virtual time. Rejects when the script rejects, and with a `CallError` that shows the
   * call when the call breaks a rule.
   */
  readonly call: (script: CallerScript, options?: TestCallOptions) => Promise<TestedCall>
}
