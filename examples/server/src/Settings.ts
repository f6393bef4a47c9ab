import { Schema } from "effect"

/** A setting that has a value of its own when it is left out. */
export const optional = <A, I>(schema: Schema.Schema<A, I>, value: () => A) =>
  Schema.optionalWith(schema, { exact: true, default: value })

const isHttpUrl = (text: string): boolean => {
  try {
    const { password, protocol, username } = new URL(text)
    return /^https?:$/.test(protocol) && username === "" && password === ""
  } catch {
    return false
  }
}

/** Where a server is. */
export const HttpUrl = Schema.String.pipe(
  Schema.filter(isHttpUrl, { message: () => "Must be an http or https URL without user and password" })
)
