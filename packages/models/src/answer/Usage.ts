/** Tokens taken up. Cached ones are part of the input, those of thinking part of the output. */
export interface Usage {
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}
