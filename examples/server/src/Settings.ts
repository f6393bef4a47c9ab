import { Schema } from "effect"

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A setting with a default. */
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

/** Address of a server. */
export const HttpUrl = Schema.String.pipe(
  Schema.filter(isHttpUrl, { message: () => "Must be an http or https URL without user and password" })
)
