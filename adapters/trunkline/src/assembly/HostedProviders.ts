/** Hosted providers whose calls are streamed over WebSockets, as lines name them; their package is loaded for them only. */
const hostedProviders = [
  "exotel",
  "plivo",
  "smartflo",
  "telnyx",
  "telnyx-relay",
  "twilio",
  "twilio-relay",
  "vobiz"
] as const

/** All providers that a line may name without a carrier of its own. */
export const builtInProviders = ["simulator", "http", "sip", ...hostedProviders] as const

/** True for a provider that a line may name without a carrier of its own. */
export const isBuiltIn = (provider: string): boolean => builtInProviders.some((builtIn) => builtIn === provider)

/** True for a line of a hosted provider. */
export const isHosted = (provider: string): boolean => hostedProviders.some((hosted) => hosted === provider)

/** True for a line whose sound we hear and speak ourselves: a provider that hears and speaks for us, and a simulator, send words. */
export const carriesSound = (provider: string): boolean =>
  provider === "sip" || (isHosted(provider) && !provider.endsWith("-relay"))
