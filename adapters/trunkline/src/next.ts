/** Configuration of Next.js, as far as it concerns packages that stay outside of its bundles. */
interface NextConfig {
  readonly serverExternalPackages?: ReadonlyArray<string>
}

/** Packages with native code or worker threads, which a bundle cannot hold. */
const externalPackages = ["trunkline", "better-sqlite3"]

/**
 * Adds to a configuration of Next.js what Trunkline needs: it stays outside of the server's bundles.
 *
 * @example
 * ```ts
 * // next.config.mjs
 * import { withTrunkline } from "trunkline/next"
 *
 * export default withTrunkline({})
 * ```
 */
export const withTrunkline = <Config extends object>(
  config: Config & NextConfig
): Config & { serverExternalPackages: Array<string> } => ({
  ...config,
  serverExternalPackages: Array.from(new Set([...config.serverExternalPackages ?? [], ...externalPackages]))
})
