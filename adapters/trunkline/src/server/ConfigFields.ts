import { Schema } from "effect"

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A setting with a default. */
export const optional = <A, I>(schema: Schema.Schema<A, I>, value: () => A) =>
  Schema.optionalWith(schema, { exact: true, default: value })

const isUrlOf = (schemes: RegExp) => (text: string): boolean => {
  try {
    const { password, protocol, username } = new URL(text)
    return schemes.test(protocol) && username === "" && password === ""
  } catch {
    return false
  }
}

/** Address of a server. */
export const HttpUrl = Schema.String.pipe(
  Schema.filter(isUrlOf(/^https?:$/), { message: () => "Must be an http or https URL without user and password" })
)

/** Address of a WebSocket. */
export const WebSocketUrl = Schema.String.pipe(
  Schema.filter(isUrlOf(/^wss?:$/), { message: () => "Must be a ws or wss URL without user and password" })
)
