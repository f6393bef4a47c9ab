import type { Either } from "effect"
import { isHosted } from "./HostedProviders.js"

/** Reads the options of a line; on the left, one line for each problem. */
export type LineCheck = (
  line: { readonly options: Record<string, unknown> },
  environment: Readonly<Record<string, string | undefined>>
) => Either.Either<unknown, ReadonlyArray<string>>

/**
 * The check of the options of lines of a provider; undefined for the simulated network and for carriers of the host. Carriers are
 * loaded for their own lines only.
 */
export const lineCheckOf = async (provider: string): Promise<LineCheck | undefined> => {
  if (provider === "http") return (await import("@trunkline/carrier-http")).connectionSettings
  if (provider === "sip") return (await import("@trunkline/carrier-sip")).connectionSettings
  if (!isHosted(provider)) return undefined
  const { connectionSettings } = await import("@trunkline/carrier-media-websocket")
  return (line, environment) => connectionSettings({ ...line, provider }, environment)
}
