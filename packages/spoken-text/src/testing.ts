export { textNormalizerLaws } from "./testing/TextNormalizer.laws.js"
