import { type ClientOptions, createClient, type TrunklineClient } from "@trunkline/client"

/** Makes the client of the tools; a text says what is wrong with its options. */
export const makeOperatorClient = (options: ClientOptions): TrunklineClient | string => {
  try {
    return createClient(options)
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^createClient: /, "") : String(error)
  }
}
