import { Array, Option } from "effect"

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

/**
 * The one key that a request presents; none without a key, and none when its headers hold two different ones.
 * `X-API-Key` counts everywhere but on the `main` routes (shapes 14.2).
 */
export const presentedKey = (presented: PresentedKeys, family: RouteFamily): Option.Option<string> => {
  const { bearer, subscriptionKey, xApiKey } = presented
  const texts = [subscriptionKey, bearer, family === "main" ? null : xApiKey].filter((text) =>
    text !== null && text !== ""
  )
  const [key, ...others] = Array.dedupe(texts)
  return others.length === 0 ? Option.fromNullable(key) : Option.none()
}
