export { type ClauseCutter, makeClauseCutter } from "./clauses/ClauseCutter.js"
export { splitClauses } from "./clauses/SplitClauses.js"
export { isoCode, LanguageCode, languageCodeOf } from "./LanguageCode.js"
export { comparableText, TextNormalizer } from "./TextNormalizer.js"
