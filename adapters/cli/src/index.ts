export type { CommandContext, CommandResult } from "./Execute.js"
export { main, runCommand } from "./Main.js"
