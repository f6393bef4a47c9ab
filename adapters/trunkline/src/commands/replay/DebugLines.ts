import { contentText, type Message } from "@trunkline/models"
import type { DebuggedCall, DebuggedTurn, Debugger } from "@trunkline/replay"
import { Effect } from "effect"

/** Result of a line of a debugger. */
export interface DebugAnswer {
  /** Lines for a person. */
  readonly text: ReadonlyArray<string>
  /** The same for a program. */
  readonly json: Readonly<Record<string, unknown>>
  readonly isOver: boolean
}

/** Commands of a debugger, with what they do. */
const help = [
  `say "…"      the caller says it`,
  "press 12#    the caller presses keys",
  "wait         the caller is silent until the agent stops listening",
  "hangup       the caller hangs up",
  "sent         what the model was sent last",
  "tools        the tools that were offered, used, and not run",
  "variables    variables and outputs",
  "history      the conversation as the model knows it",
  "back [n]     take back the last move, or the last n",
  "restart      begin the call again",
  "quit         end the debugger"
]

const turnText = ({ role, text, tool }: DebuggedTurn): string =>
  tool === undefined ? `${role}: ${text}` : `tool ${tool.name}(${tool.arguments}) ${tool.outcome}: ${text}`

const messageText = (message: Message): ReadonlyArray<string> => [
  ...message.content === null ? [] : [`${message.role}: ${contentText(message.content)}`],
  ...message.role === "assistant"
    ? message.toolRequests.map(({ arguments: args, name }) => `${message.role} uses ${name}(${args})`)
    : []
]

const stateText = ({ ended, seconds }: DebuggedCall): ReadonlyArray<string> =>
  ended === null
    ? []
    : [
      `The call is over after ${Math.round(seconds)} s: ${ended.completion_status}, ended by ${ended.ended_by}${
        ended.fault === null ? "" : `, ${ended.fault}`
      }`
    ]

const stateJson = ({ app_id, ended, moves, outputs, seconds, step, turns, variables }: DebuggedCall) => ({
  app_id,
  turns,
  variables,
  outputs,
  step,
  seconds,
  moves,
  ended
})

const wordsOf = (rest: string): string => {
  const quotedMatch = /^"(.*)"$/su.exec(rest)
  return quotedMatch?.[1] ?? rest
}

/** Reads the lines of a debugger one by one. */
export const makeDebugLines = (debug: Debugger) => {
  let cursor = 0
  let call: DebuggedCall | null = null

  const answer = (now: DebuggedCall): DebugAnswer => {
    call = now
    const text = [...now.turns.slice(cursor).map(turnText), ...stateText(now)]
    cursor = now.turns.length
    return { text, json: stateJson(now), isOver: false }
  }

  const answerOf = (text: ReadonlyArray<string>, json: Readonly<Record<string, unknown>>): DebugAnswer => ({
    text: text.length === 0 ? ["(nothing)"] : text,
    json,
    isOver: false
  })

  const refuse = (error: string): DebugAnswer => ({ text: [error], json: { error }, isOver: false })

  const tryMove = (move: Parameters<Debugger["move"]>[0]): Effect.Effect<DebugAnswer> =>
    Effect.map(
      debug.move(move),
      (now) => now === null ? refuse("The call is over: back or restart goes on") : answer(now)
    )

  const again = (next: Effect.Effect<DebuggedCall>): Effect.Effect<DebugAnswer> =>
    Effect.map(next, (now) => {
      cursor = 0
      return answer(now)
    })

  const show = (state: DebuggedCall, command: string): DebugAnswer => {
    const { history, outputs, sent, tools_not_run, turns, variables } = state
    switch (command) {
      case "sent":
        return answerOf(
          sent === null
            ? ["The model was sent nothing since the last start or step back"]
            : [
              `model: ${sent.model}`,
              ...sent.messages.flatMap(messageText),
              `tools: ${(sent.tools ?? []).map(({ name }) => name).join(", ")}`
            ],
          { sent }
        )
      case "tools": {
        const used = turns.flatMap(({ tool }) => tool ?? [])
        const offered = (sent?.tools ?? []).map(({ description = "", name }) => ({ name, description }))
        return answerOf([
          ...offered.map(({ description, name }) => `${name}: ${description}`),
          ...used.map(({ arguments: args, name, outcome }) => `used ${name}(${args}) ${outcome}`),
          ...tools_not_run.map(({ arguments: args, name }) => `not run: ${name}(${args})`)
        ], { offered, used, not_run: tools_not_run })
      }
      case "variables":
        return answerOf(
          Object.entries(variables).map(([name, value]) =>
            `${name} = ${JSON.stringify(value)}${Object.hasOwn(outputs, name) ? " (output)" : ""}`
          ),
          { variables, outputs }
        )
      default:
        return answerOf(history.flatMap(messageText), { history })
    }
  }

  /** Begins the call. */
  const begin = again(debug.start)

  /** Does what a line says. */
  const read = (line: string): Effect.Effect<DebugAnswer> =>
    Effect.suspend(() => {
      const [, command = "", rest = ""] = /^\s*(\S*)\s*(.*?)\s*$/su.exec(line) ?? []
      switch (command.toLowerCase()) {
        case "say":
          return rest === ""
            ? Effect.succeed(refuse(`Write what the caller says: say "hello"`))
            : tryMove({ _tag: "Say", text: wordsOf(rest) })
        case "press":
          return /^[0-9*#A-D]{1,64}$/.test(rest)
            ? tryMove({ _tag: "Press", keys: rest })
            : Effect.succeed(refuse("Write keys, such as press 12#"))
        case "wait":
          return tryMove({ _tag: "Wait" })
        case "hangup":
          return tryMove({ _tag: "HangUp" })
        case "back": {
          const count = rest === "" ? 1 : Number(rest)
          if (!(Number.isInteger(count) && count > 0)) {
            return Effect.succeed(refuse("Write a number of moves, such as back 2"))
          }
          return call?.moves === 0 ? Effect.succeed(refuse("There is no move to take back")) : again(debug.back(count))
        }
        case "restart":
          return begin
        case "sent":
        case "tools":
        case "variables":
        case "history":
          return Effect.succeed(call === null ? refuse("There is no call yet") : show(call, command.toLowerCase()))
        case "quit":
        case "exit":
          return Effect.succeed({ text: [], json: {}, isOver: true })
        case "":
          return Effect.succeed({ text: [], json: {}, isOver: false })
        case "help":
          return Effect.succeed({ text: help, json: { help }, isOver: false })
        default:
          return Effect.succeed(refuse(`There is no command ${command}: help lists them`))
      }
    })
  return { begin, read }
}
