export { callTracesLaws } from "./testing/CallTraces.laws.js"
