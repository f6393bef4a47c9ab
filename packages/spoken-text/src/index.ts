export { splitClauses } from "./clauses/SplitClauses.js"
export { isoCode, LanguageCode } from "./LanguageCode.js"
export { comparableText, TextNormalizer } from "./TextNormalizer.js"
