export { type CommandContext, type CommandResult, main, runCommand } from "./Main.js"
