import { Clock, Duration, Effect } from "effect"

/** The time between two messages to one chat webhook (design: boards 6). */
export const CHAT_INTERVAL = Duration.seconds(1)

/** Turns for messages to chat webhooks: one a second for each, in the order in which they ask, in this process. */
export const makeChatTurns = () => {
  const freeAt = new Map<string, number>()
  /** Waits for the next turn of an address. */
  return (url: string): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      for (const [known, at] of freeAt) if (at <= now) freeAt.delete(known)
      const at = freeAt.get(url) ?? now
      freeAt.set(url, at + Duration.toMillis(CHAT_INTERVAL))
      return at > now ? Effect.sleep(at - now) : Effect.void
    })
}
