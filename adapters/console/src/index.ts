export { type Console, type ConsoleOptions, makeConsole } from "./Console.js"
export type { ConsoleLink, ConsolePage } from "./HostPages.js"
