import { Duration } from "effect"

/** What a provider offers so that one attempt is dialled once, even by someone who lost sight of it (decisions 10). */
export type Dedupe =
  /**
   * Placing the same attempt again within `ttl` of the first time is answered with the same call. `settle` is there when
   * calls can be found by their attempts too, as with `Lookup`; it is what a key that is too old falls back on.
   */
  | { readonly _tag: "Key"; readonly ttl: Duration.Duration; readonly settle?: Duration.Duration }
  /** Calls can be found by their attempts; all that were taken are visible once `settle` has passed since the request. */
  | { readonly _tag: "Lookup"; readonly settle: Duration.Duration }
  /** Nothing: whether a lost request was dialled cannot be known. */
  | { readonly _tag: "None" }

/** How long a provider may need until a call that it has taken can be found, unless it says otherwise (reliability 8). */
export const DEFAULT_SETTLE = Duration.seconds(60)
