/** Hosted providers whose calls are streamed over WebSockets, as lines name them; their package is loaded for them only. */
export const hostedProviders = [
  "exotel",
  "plivo",
  "telnyx",
  "twilio",
  "twilio-relay",
  "vobiz"
] as const

/** True for a line of a hosted provider. */
export const isHosted = (provider: string): boolean => hostedProviders.some((hosted) => hosted === provider)
