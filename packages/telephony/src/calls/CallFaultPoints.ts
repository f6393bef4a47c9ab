/** The moments of a call at which a test may let the engine crash; each is named after what has just happened. */
export const callFaultPoints = [
  /** The provider is asked next. */
  "dial.sent",
  /** The provider has answered; the accept is not kept yet. */
  "dial.taken",
  "accept.kept",
  /** The conversation is over, or nobody was reached; the result is not kept yet. */
  "call.over",
  /** After a restart: the provider was asked what became of a call. */
  "recover.looked",
  /** After a restart: an attempt was placed again under its key. */
  "recover.dialled"
] as const
