import { Data, type Duration, type Effect } from "effect"

/** A caller could not do what the script says: the agent did not say some words, or the call was over. */
export class CallerStuck extends Data.TaggedError("CallerStuck")<{ readonly message: string }> {}

/** Words that a caller waits for: a part of the text, in any case of letters, or a pattern. */
export type Words = string | RegExp

/** Options of words. */
export interface SayOptions {
  /** Pause after the agent's last word; 700 ms by default, and a little more or less by the seed. */
  readonly pause?: Duration.DurationInput
  /** English name of the language; that of the agent's last words by default. */
  readonly language?: string
  /** Text in English, where it is in another language. */
  readonly english?: string
}

/** Options of an interruption. */
export interface InterruptOptions extends Omit<SayOptions, "pause"> {
  /** Time since the agent began to speak; 1 second by default. */
  readonly after?: Duration.DurationInput
}

/** Options of `hears`. */
export interface HearOptions {
  /** Time that the agent has to say the words; 30 seconds by default. */
  readonly within?: Duration.DurationInput
}

/**
 * A caller on a line. Actions happen one after the other. One that cannot happen fails with `CallerStuck`.
 */
export interface Caller {
  /** Waits until the agent has said the words, after those that were waited for before. Returns all words of that turn. */
  readonly hears: (words: Words, options?: HearOptions) => Effect.Effect<string, CallerStuck>
  /** Waits until the agent is silent and listens. Returns all that it has said since the caller's last words; empty for nothing. */
  readonly listens: Effect.Effect<string, CallerStuck>
  /** Speaks once the agent is silent and listens. */
  readonly says: (text: string, options?: SayOptions) => Effect.Effect<void, CallerStuck>
  /** Speaks while the agent speaks. */
  readonly interrupts: (text: string, options?: InterruptOptions) => Effect.Effect<void, CallerStuck>
  /** Presses keys (`0` to `9`, `*`, `#`), 100 ms apart, once the agent is silent, or so long after it began to speak. */
  readonly presses: (
    keys: string,
    options?: { readonly after?: Duration.DurationInput }
  ) => Effect.Effect<void, CallerStuck>
  /** Does nothing for a time. */
  readonly waits: (time: Duration.DurationInput) => Effect.Effect<void, CallerStuck>
  /** Holds the call for a time. */
  readonly holds: (time: Duration.DurationInput) => Effect.Effect<void, CallerStuck>
  /** Makes noise without words, such as a cough, for 1 second by default. */
  readonly makesNoise: (time?: Duration.DurationInput) => Effect.Effect<void, CallerStuck>
  /** From now on loses this share of the words, 0 to 1, on their way to the agent. */
  readonly hasBadLine: (loss: number) => Effect.Effect<void>
  /** Hangs up: at once, or so long after the agent began to speak. */
  readonly hangsUp: (options?: { readonly after?: Duration.DurationInput }) => Effect.Effect<void, CallerStuck>
  /** True once the call is over. */
  readonly isOver: () => boolean
}
