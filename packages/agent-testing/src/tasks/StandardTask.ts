// Tasks in the form of the files of τ²-bench (github.com/sierra-research/tau2-bench, `data/tau2/domains/*/tasks.json`): the form
// is read, and none of the files is here. A field that the form does not have is an error in what is scored, which it would change.
// Elsewhere it is told and ignored, as published files have some.

import { Data, Either, ParseResult, Schema } from "effect"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(Schema.NullOr(schema), { default: () => null })

const Arguments = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const Side = Schema.Literal("assistant", "user")

/** A use of a tool that a task expects. */
const Action = Schema.Struct({
  action_id: Schema.String,
  /** Side that uses the tool: the agent (`assistant`), or the caller. */
  requestor: Schema.optionalWith(Side, { default: () => "assistant" as const }),
  name: Schema.NonEmptyString,
  arguments: Arguments,
  info: maybe(Schema.String),
  /** Names of the arguments that count; null for all of them. */
  compare_args: maybe(Schema.Array(Schema.String))
})
export type TaskAction = typeof Action.Type

const Instructions = Schema.Struct({
  domain: Schema.String,
  reason_for_call: Schema.String,
  known_info: maybe(Schema.String),
  unknown_info: maybe(Schema.String),
  task_instructions: Schema.String
})

const Scenario = Schema.Struct({
  persona: maybe(Schema.String),
  instructions: Schema.Union(Schema.String, Instructions)
})

const Description = Schema.Struct({
  purpose: maybe(Schema.String),
  relevant_policies: maybe(Schema.String),
  notes: maybe(Schema.String)
})

/** Part of a score that must be met: the state of the environment, words, actions, or rules in words. */
const Basis = Schema.Literal("DB", "ENV_ASSERTION", "NL_ASSERTION", "ACTION", "COMMUNICATE")
export type TaskBasis = typeof Basis.Type

const Criteria = Schema.Struct({
  actions: maybe(Schema.Array(Action)),
  env_assertions: maybe(Schema.Array(Schema.Struct({
    env_type: Side,
    func_name: Schema.String,
    arguments: Arguments,
    assert_value: Schema.optionalWith(Schema.Boolean, { default: () => true }),
    message: maybe(Schema.String)
  }))),
  communicate_info: maybe(Schema.Array(Schema.String)),
  nl_assertions: maybe(Schema.Array(Schema.String)),
  reward_basis: Schema.optionalWith(Schema.Array(Basis), { default: () => ["DB", "COMMUNICATE"] as const })
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/** A task of an agent, with its caller and its score. */
const StandardTask = Schema.Struct({
  id: Schema.NonEmptyString,
  description: maybe(Description),
  user_scenario: Scenario,
  ticket: maybe(Schema.String),
  initial_state: maybe(Schema.Struct({
    initialization_data: maybe(Schema.Unknown),
    initialization_actions: maybe(Schema.Array(Schema.Unknown)),
    message_history: maybe(Schema.Array(Schema.Unknown))
  })),
  evaluation_criteria: maybe(Criteria),
  issues: maybe(Schema.Unknown),
  required_documents: maybe(Schema.Array(Schema.String)),
  user_tools: maybe(Schema.Array(Schema.String)),
  annotations: maybe(Schema.Unknown)
})
export type StandardTask = typeof StandardTask.Type

/** A text has no tasks in this form. */
class TasksUnreadable extends Data.TaggedError("TasksUnreadable")<{
  /** Path of the fault, such as `3.evaluation_criteria.actions.0.name`; empty for the whole file. */
  readonly place: string
  readonly reason: string
}> {
  override get message() {
    return this.place === "" ? this.reason : `${this.place}: ${this.reason}`
  }
}

const decode = Schema.decodeUnknownEither(StandardTask)

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Paths of the fields of a task, beside its score, that the form does not have. */
const unknownFields = (task: unknown): ReadonlyArray<string> => {
  const scenario = fieldOf(task, "user_scenario")
  const parts: ReadonlyArray<readonly [string, unknown, object]> = [
    ["", task, StandardTask.fields],
    ["description.", fieldOf(task, "description"), Description.fields],
    ["user_scenario.", scenario, Scenario.fields],
    ["user_scenario.instructions.", fieldOf(scenario, "instructions"), Instructions.fields]
  ]
  return parts.flatMap(([path, value, fields]) =>
    typeof value !== "object" || value === null
      ? []
      : Object.keys(value).filter((name) => !Object.hasOwn(fields, name)).map((name) => `${path}${name}`)
  )
}

/** Tasks of a file. */
export interface TaskFile {
  readonly tasks: ReadonlyArray<StandardTask>
  /** Paths of fields that the form does not have, such as `3.user_scenario.person`. */
  readonly ignored: ReadonlyArray<string>
}

const unreadable = (place: string, reason: string) => Either.left(new TasksUnreadable({ place, reason }))

const jsonOf = (text: string): Either.Either<unknown, TasksUnreadable> =>
  Either.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) =>
      new TasksUnreadable({ place: "", reason: `it is no JSON: ${error instanceof Error ? error.message : "unknown"}` })
  })

/** The fault at the deepest place: of a value that may have several forms, that of the nearest one. */
const deepest = (error: ParseResult.ParseError) =>
  ParseResult.ArrayFormatter.formatErrorSync(error).toSorted((one, other) => other.path.length - one.path.length)[0]

/** Reads the tasks of a file: a list of tasks, or one task. */
export const decodeTasks = (text: string): Either.Either<TaskFile, TasksUnreadable> => {
  const json = jsonOf(text)
  if (Either.isLeft(json)) return Either.left(json.left)
  const isList = Array.isArray(json.right)
  const items: ReadonlyArray<unknown> = Array.isArray(json.right) ? json.right : [json.right]
  if (items.length === 0) return unreadable("", "it has no task")
  const tasks: Array<StandardTask> = []
  const ignored: Array<string> = []
  for (const [index, value] of items.entries()) {
    const place = (path: ReadonlyArray<PropertyKey>) => [...isList ? [index] : [], ...path].map(String).join(".")
    const task = decode(value)
    if (Either.isLeft(task)) {
      const issue = deepest(task.left)
      return unreadable(place(issue?.path ?? []), issue?.message ?? "it is no task")
    }
    const same = tasks.findIndex(({ id }) => id === task.right.id)
    if (same >= 0) return unreadable(place(["id"]), `"${task.right.id}" is the id of task ${same}, too`)
    tasks.push(task.right)
    ignored.push(...unknownFields(value).map((path) => place([path])))
  }
  return Either.right({ tasks, ignored })
}
