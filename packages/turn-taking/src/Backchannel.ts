const backchannels = new Set(
  "yes yeah yep okay ok right sure mm mhm mm-hmm uh-huh hmm ah oh i see हाँ हां जी अच्छा ठीक है हम्म".split(" ")
)

/** Most words of a backchannel. */
const maxWords = 3

/**
 * Returns true for words with which a listener only shows that they listen, such as "okay" or "mm-hmm", and for no words.
 * They do not interrupt the agent.
 */
export const isBackchannel = (words: string): boolean => {
  const parts = words.toLowerCase().match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'-]*/gu) ?? []
  return parts.length <= maxWords && parts.every((part) => backchannels.has(part))
}
