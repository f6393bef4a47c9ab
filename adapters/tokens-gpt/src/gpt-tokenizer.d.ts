/** The part of gpt-tokenizer in use. The package has 30 MB, so that only `test/clients` installs it. */
declare module "gpt-tokenizer/encoding/*" {
  export const countTokens: (text: string, options: { readonly disallowedSpecial: Set<string> }) => number
  export const setMergeCacheSize: (words: number) => void
}
