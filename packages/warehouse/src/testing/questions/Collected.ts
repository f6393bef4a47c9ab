import { type AnalystQuestion, groups, isConnected, sum } from "../Question.js"

const isTrue = (value: unknown): value is true => value === true

/** Variables known to and collected by agents: JSON columns. */
export const collectedQuestions: ReadonlyArray<AnalystQuestion> = [
  {
    question: "How many contacts promised to pay?",
    sql: "SELECT count(*) FROM EngagementFactsBoardsView WHERE output_agent_variables ->> 'promised' = 1",
    expected: (facts) => [[facts.filter((fact) => isTrue(fact.output_agent_variables?.["promised"])).length]]
  },
  {
    question: "How much was promised in each city?",
    sql: `SELECT on_start_agent_variables ->> '$.city' AS city, sum(output_agent_variables ->> 'amount') AS amount
      FROM EngagementFactsBoardsView WHERE json_extract(output_agent_variables, '$.promised') GROUP BY city ORDER BY city`,
    expected: (facts) =>
      groups(
        facts.filter((fact) => isTrue(fact.output_agent_variables?.["promised"])),
        (fact) => String(fact.initial_agent_variables?.["city"])
      ).map(([city, of]) => [city, sum(of.map((fact) => Number(fact.output_agent_variables?.["amount"])))])
  },
  {
    question: "Which variables were known at the start, and how often?",
    sql: `SELECT j.key, count(*) FROM EngagementFactsBoardsView AS v, json_each(v.on_start_agent_variables) AS j
      GROUP BY j.key ORDER BY j.key`,
    expected: (facts) =>
      ["city", "name", "score", "vip"].map((key) => [
        key,
        facts.filter(({ initial_agent_variables }) => initial_agent_variables?.[key] !== undefined).length
      ])
  },
  {
    question: "How many calls did मीना answer?",
    sql: `SELECT count(*) AS "कॉल" FROM EngagementFactsBoardsView AS कॉल
      WHERE कॉल.on_end_agent_variables ->> 'name' = 'मीना'`,
    expected: (facts) => [[facts.filter((fact) => fact.final_agent_variables?.["name"] === "मीना").length]]
  },
  {
    question: "How does a score relate to success?",
    sql: `SELECT CAST(initial_agent_variables ->> 'score' AS INTEGER) AS score,
        sum(completion_status = 'completed') AS done, total(completion_status = 'failed') AS failed
      FROM EngagementFactsBoardsView WHERE direction != 'inbound' GROUP BY score ORDER BY score DESC`,
    expected: (facts) =>
      groups(
        facts.filter(({ direction }) => direction !== "inbound"),
        (fact) => Number(fact.initial_agent_variables?.["score"])
      ).toReversed().map(([score, of]) => [
        score,
        of.filter(({ completion_status }) => completion_status === "completed").length,
        of.filter(({ completion_status }) => completion_status === "failed").length
      ])
  },
  {
    question: "Which tags do calls of campaigns carry?",
    sql: `SELECT t.value AS tag, count(*) FROM EngagementFactsBoardsView, json_each(metadata, '$.tags') AS t
      WHERE campaign_id IS NOT NULL GROUP BY tag ORDER BY tag`,
    expected: (facts) => {
      const tags = facts.filter(({ campaign_id }) => campaign_id !== null).flatMap(({ metadata }) => {
        const of = metadata?.["tags"]
        return Array.isArray(of) ? of.map(String) : []
      })
      return [...new Set(tags)].toSorted().map((tag) => [tag, tags.filter((other) => other === tag).length])
    }
  },
  {
    question: "In which conversations is a note missing?",
    sql: `SELECT count(*) FROM EngagementFactsBoardsView
      WHERE interaction_id IS NOT NULL AND output_agent_variables ->> 'note' IS NULL`,
    expected: (facts) => [[
      facts.filter((fact) => isConnected(fact) && fact.output_agent_variables?.["note"] === null).length
    ]]
  },
  {
    question: "How many calls belong to each batch, those without one included?",
    sql: `SELECT ifnull(metadata ->> 'batch', 'none') AS batch, count(*) FROM EngagementFactsBoardsView
      GROUP BY batch ORDER BY batch`,
    expected: (facts) =>
      groups(facts, ({ metadata }) => String(metadata?.["batch"] ?? "none")).map(([batch, of]) => [batch, of.length])
  },
  {
    question: "Which campaigns have a quote or a percent sign in their name?",
    sql: `SELECT DISTINCT campaign_name FROM EngagementFactsBoardsView
      WHERE campaign_name LIKE '%"%' OR campaign_name LIKE '%\\%%' ESCAPE '\\' /* both; "names" here */`,
    expected: () => [["Fee \"due\" today"]]
  },
  {
    question: "How many test calls and calls with faulty logs must be left out?",
    sql: `SELECT sum(is_debug_call), sum(has_log_issues), sum(is_debug_call AND has_log_issues), count(*)
      FROM EngagementFactsBoardsView WHERE is_debug_call OR has_log_issues`,
    expected: (facts) => [[
      facts.filter((fact) => fact.is_debug_call === 1).length,
      facts.filter((fact) => fact.has_log_issues === 1).length,
      facts.filter((fact) => fact.is_debug_call === 1 && fact.has_log_issues === 1).length,
      facts.filter((fact) => fact.is_debug_call === 1 || fact.has_log_issues === 1).length
    ]]
  },
  {
    question: "How many turns are there in a conversation of the agent's chosen languages, side by side?",
    sql: `SELECT language_name, avg(num_messages), avg(CASE WHEN user_turns > agent_turns THEN 1 ELSE 0 END)
      FROM EngagementFactsBoardsView WHERE language_name IN (VALUES ('Hindi'), ('Tamil'))
      GROUP BY language_name ORDER BY 1`,
    expected: (facts) =>
      groups(
        facts.filter(({ language_name }) => language_name === "Hindi" || language_name === "Tamil"),
        ({ language_name }) => language_name
      ).map(([language, of]) => [language, sum(of.map(({ num_messages }) => num_messages)) / of.length, 0])
  }
]
