import { Effect } from "effect"

/** Calls back in the next macrotask, after every promise that is ready has run; the result calls it off. */
export const onMacroTask = (callback: () => void): () => void => {
  const handle = setImmediate(callback)
  return () => clearImmediate(handle)
}

/** Waits for the next macrotask. */
export const macroTask: Effect.Effect<void> = Effect.async((resume) => {
  const cancel = onMacroTask(() => resume(Effect.void))
  return Effect.sync(cancel)
})
