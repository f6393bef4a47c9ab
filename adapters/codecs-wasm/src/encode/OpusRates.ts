/** The rates that Opus takes as they are. */
export const opusRates = [8_000, 16_000, 24_000, 48_000] as const
