import { createHash } from "node:crypto"

/** A script for Redis, and the name that Redis knows it by. It answers with an array of whole numbers. */
export interface LuaScript {
  readonly text: string
  readonly sha: string
}

/** What a script is given. */
export interface ScriptInput {
  readonly keys: Array<string>
  readonly arguments: Array<string>
}

/** The script of this text. */
export const luaScript = (text: string): LuaScript => ({
  text,
  sha: createHash("sha1").update(text).digest("hex")
})

/**
 * Defines `now`, the time of the server in microseconds since 1970, and `digits`, which writes a number in full: what
 * Lua does by itself keeps 14 digits in older versions of Redis, and the time has 16.
 */
export const serverTime = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function digits(number) return string.format('%.0f', number) end
`
