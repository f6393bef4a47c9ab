import { Array, type Option } from "effect"

/** The groups of routes that take keys (specification, Authentication): `main` is chat, responses, voices and models. */
export type RouteFamily = "main" | "orgs" | "analytics" | "boards"

/** What a request's headers hold; null or empty where there is nothing. */
export interface PresentedKeys {
  /** `api-subscription-key`. */
  readonly subscriptionKey: string | null
  /** What follows `Bearer ` in `Authorization`. */
  readonly bearer: string | null
  /** `X-API-Key`. */
  readonly xApiKey: string | null
}

/** The headers that may hold the key, by the group of routes; the first that holds one decides. */
const headersOf: { readonly [F in RouteFamily]: ReadonlyArray<keyof PresentedKeys> } = {
  main: ["subscriptionKey", "bearer"],
  orgs: ["subscriptionKey", "xApiKey", "bearer"],
  analytics: ["subscriptionKey", "xApiKey", "bearer"],
  boards: ["xApiKey", "subscriptionKey", "bearer"]
}

/**
 * The key that a request presents; none without one. Of several headers the preferred one decides and the others are
 * not looked at: `api-subscription-key`, on boards `X-API-Key`. `X-API-Key` counts everywhere but on the `main` routes,
 * and `Authorization` comes last, since many clients always send one.
 */
export const presentedKey = (presented: PresentedKeys, family: RouteFamily): Option.Option<string> =>
  Array.findFirst(
    headersOf[family].map((header) => presented[header] ?? ""),
    (text) => text !== ""
  )
