import { Context, Effect } from "effect"

/** A piece of a transcript in a language other than English. */
export interface Foreign {
  readonly text: string
  /** English name of its language. */
  readonly language_name: string
}

/** Puts transcripts into English after a call. By default the original text stands for its translation. */
export class Translate extends Context.Reference<Translate>()("@trunkline/conversation/Translate", {
  defaultValue: (): Translate.Service => ({ toEnglish: ({ text }) => Effect.succeed(text) })
}) {}

export declare namespace Translate {
  /** What a translator does. */
  export interface Service {
    /** The text in English. A translator that cannot gives back the original. */
    readonly toEnglish: (foreign: Foreign) => Effect.Effect<string>
  }
}
