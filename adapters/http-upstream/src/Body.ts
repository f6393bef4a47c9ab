import { Effect } from "effect"

/** What is posted: a form, or a value that is written as JSON. */
export type Body = FormData | Readonly<Record<string, unknown>>

/** A body as it travels. */
interface Written {
  readonly type: string
  readonly bytes: string | Uint8Array
}

const written = async (form: FormData): Promise<Written> => {
  const wrapped = new Response(form)
  return { type: wrapped.headers.get("content-type") ?? "", bytes: new Uint8Array(await wrapped.arrayBuffer()) }
}

/** Writes a body whole, so that its length is known and it can be sent once more. */
export const writtenBody = (body: Body): Effect.Effect<Written> =>
  body instanceof FormData
    ? Effect.promise(() => written(body))
    : Effect.sync(() => ({ type: "application/json", bytes: JSON.stringify(body) }))
