import type { Unavailable } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { type FoundPassage, type KnowledgeQuestion, maxQuestionLength } from "@trunkline/knowledge"
import type { ModelTool } from "@trunkline/models"
import { Context, Effect, Schema } from "effect"
import type { AgentVersion } from "./AgentVersion.js"
import { ToolFailed, type ToolHandlers, type ToolResult, wrongArguments } from "./DefineAgent.js"

/** Name of the tool by which agents look things up. */
const knowledgeTool = "search_knowledge"

/** Passages that a model gets. */
const maxPassages = 4

/** Characters of their texts together, so that a long answer does not crowd out the conversation. */
const maxCharacters = 6_000

const Question = Schema.Struct({ question: Schema.String.pipe(Schema.nonEmptyString()) })

const decodeQuestion = Schema.decodeUnknown(Question)

const tool: ModelTool = {
  name: knowledgeTool,
  description:
    "Finds passages of our documents about a question. Use it before you state a fact about our products, prices, "
    + "rules or opening hours, and answer only from the passages. Ask in the words of the caller, in their language.",
  parameters: {
    type: "object",
    properties: { question: { type: "string", description: "What the caller wants to know, as a whole sentence" } },
    required: ["question"]
  }
}

/** Searches knowledge on behalf of agents; by default nothing is known. */
export class AgentKnowledge extends Context.Reference<AgentKnowledge>()("@trunkline/agents/AgentKnowledge", {
  defaultValue: (): AgentKnowledge.Service => ({ search: () => Effect.succeed([]) })
}) {}

export declare namespace AgentKnowledge {
  /** Service of the reference. */
  export interface Service {
    /** The most relevant passages first. */
    readonly search: (
      scope: Scope,
      question: KnowledgeQuestion
    ) => Effect.Effect<ReadonlyArray<FoundPassage>, Unavailable>
  }
}

/** The tool that a version with knowledge offers to its model. */
export const knowledgeToolsOf = ({ knowledge }: AgentVersion): ReadonlyArray<ModelTool> =>
  knowledge.length === 0 ? [] : [tool]

/** Passages with their sources, as the model and the record of the call have them. */
const toldOf = (passages: ReadonlyArray<FoundPassage>): ToolResult["content"] => {
  let left = maxCharacters
  const entries = passages.flatMap(({ document_id, heading, page, score, text, title }) => {
    const shownText = text.slice(0, left)
    left -= shownText.length
    return shownText === "" ? [] : [{
      document: title,
      ...(heading !== "" && { heading }),
      ...(page !== null && { page }),
      text: shownText,
      score: Math.round(score * 100) / 100,
      document_id
    }]
  })
  return entries.length === 0
    ? { passages: [], note: "Our documents say nothing about this. Tell the caller so, and do not guess." }
    : { passages: entries }
}

/** The handler of the tool for a version with knowledge; none for others. */
export const knowledgeHandlers = (
  { knowledge: collections }: AgentVersion,
  { search }: AgentKnowledge.Service
): ToolHandlers =>
  collections.length === 0 ? {} : {
    [knowledgeTool]: (input, { scope }) =>
      decodeQuestion(input).pipe(
        Effect.mapError((error) => new ToolFailed({ kind: "arguments", message: wrongArguments(error) })),
        Effect.flatMap(({ question }) =>
          Effect.mapError(
            search(scope, { question: question.slice(0, maxQuestionLength), collections, limit: maxPassages }),
            (cause) => new ToolFailed({ message: cause.message, cause })
          )
        ),
        Effect.map((passages) => ({ content: toldOf(passages) }))
      )
  }
