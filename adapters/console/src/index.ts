export type { ConsoleLink } from "./Answer.js"
export { type Console, type ConsoleOptions, makeConsole } from "./Console.js"
