/** How voices are spoken with. */
export interface SpeechOptions {
  /**
   * Whether an engine that matches pitch and rate alone may stand in for one that clones. It does not sound like the
   * speaker, so it may not unless this is set (decisions 14).
   */
  readonly allowPitchRateMatch?: boolean
  /** Whether numbers and the like become words where a request does not say; default true. */
  readonly normalize?: boolean
}
