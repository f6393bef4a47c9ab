export type { CommandContext, CommandResult } from "./Execute.js"
export { runCommand } from "./Main.js"
