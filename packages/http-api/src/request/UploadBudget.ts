import { Overloaded } from "@trunkline/errors"
import { Duration, Effect, Option, type Scope, Stream } from "effect"
import type { FormPart, FormReader } from "./FormReader.js"

/** A form whose content fails with `Overloaded` when the budget is exhausted. */
export interface BudgetedForm extends Pick<FormReader, "drain"> {
  readonly next: Effect.Effect<
    Option.Option<Omit<FormPart, "content"> & { readonly content: BudgetedContent }>,
    Effect.Effect.Error<FormReader["next"]>
  >
}

type BudgetedContent = Stream.Stream<Uint8Array, Stream.Stream.Error<FormPart["content"]> | Overloaded>

/** Memory budget for uploaded forms, shared by all requests. */
export interface UploadBudget {
  /**
   * Counts the bytes that are read from the form against the budget, and releases them when the scope closes. Content
   * fails with `Overloaded` once the budget is exceeded.
   */
  readonly charge: (form: FormReader) => Effect.Effect<BudgetedForm, never, Scope.Scope>
}

const overload = new Overloaded({
  message: "Too many files are being uploaded at the moment. Try again.",
  retryAfter: Duration.seconds(5)
})

/** Makes a budget of `limitBytes`. Only bytes that have arrived count, so slow clients do not block others. */
export const makeUploadBudget = (limitBytes: number): UploadBudget => {
  let used = 0
  return {
    charge: ({ drain, next }) =>
      Effect.map(
        Effect.acquireRelease(Effect.sync(() => ({ bytes: 0 })), ({ bytes }) => Effect.sync(() => used -= bytes)),
        (share) => {
          const charge = (content: FormPart["content"]): BudgetedContent =>
            Stream.tap(content, ({ length }) =>
              Effect.suspend(() => {
                share.bytes += length
                used += length
                return used > limitBytes ? overload : Effect.void
              }))
          return { drain, next: Effect.map(next, Option.map((part) => ({ ...part, content: charge(part.content) }))) }
        }
      )
  }
}
