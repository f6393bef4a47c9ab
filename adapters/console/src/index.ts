export type { ConsoleLink } from "./Answer.js"
export { type Console, makeConsole, type ConsoleOptions } from "./Console.js"
