/** How many tokens a text is about, by the length of its UTF-8. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / 4)
