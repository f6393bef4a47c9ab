import { type AnalystQuestion, dayOf, groups, inOrder, isConnected, mean, nonNulls, sum } from "../Question.js"

/** Success, duration and cost. */
export const qualityQuestions: ReadonlyArray<AnalystQuestion> = [
  {
    question: "What is the funnel from dialled to completed?",
    sql: `SELECT 'dialled' AS step, count(*) AS calls FROM EngagementFactsBoardsView
      UNION ALL SELECT 'connected', count(*) FROM EngagementFactsBoardsView WHERE v2v_connectivity_status = 'connected'
      UNION ALL SELECT 'completed', count(*) FROM EngagementFactsBoardsView WHERE completion_status = 'completed'`,
    expected: (facts) => [
      ["dialled", facts.length],
      ["connected", facts.filter(isConnected).length],
      ["completed", facts.filter(({ completion_status }) => completion_status === "completed").length]
    ]
  },
  {
    question: "How were the calls answered?",
    sql: `SELECT coalesce(connectivity_status, 'unknown') AS answer, count(*) AS calls FROM EngagementFactsBoardsView
      GROUP BY answer ORDER BY answer`,
    expected: (facts) =>
      groups(facts, ({ connectivity_status }) => connectivity_status ?? "unknown").map(([key, of]) => [key, of.length])
  },
  {
    question: "How long are conversations on average, by language?",
    sql: `SELECT language, avg(duration) FROM EngagementFactsBoardsView WHERE duration IS NOT NULL
      GROUP BY language ORDER BY language`,
    expected: (facts) =>
      groups(facts.filter(isConnected), ({ language_name }) => language_name)
        .map(([language, of]) => [language, mean(of.map(({ duration }) => duration))])
  },
  {
    question: "What are the median and the longest conversation of each agent?",
    sql: `SELECT app_id, median(audio_duration), max(audio_duration) FROM EngagementFactsBoardsView
      GROUP BY app_id ORDER BY app_id`,
    expected: (facts) =>
      groups(facts, ({ app_id }) => app_id).map(([app, of]) => {
        const durations = nonNulls(of.map(({ duration }) => duration)).toSorted(inOrder)
        const middle = [
          durations[Math.floor((durations.length - 1) / 2)] ?? 0,
          durations[Math.ceil((durations.length - 1) / 2)] ?? 0
        ]
        return [app, sum(middle) / 2, durations.at(-1) ?? null]
      })
  },
  {
    question: "How many conversations end within 30, 60 and 120 seconds, or later?",
    sql: `WITH bands(band, least, most) AS (VALUES ('a: under 30 s', 0, 30), ('b: under 60 s', 30, 60),
        ('c: under 120 s', 60, 120), ('d: longer', 120, 1e9))
      SELECT band, count(duration) FROM bands
      LEFT JOIN EngagementFactsBoardsView ON duration >= least AND duration < most GROUP BY band ORDER BY band`,
    expected: (facts) =>
      ([["a: under 30 s", 0, 30], ["b: under 60 s", 30, 60], ["c: under 120 s", 60, 120], [
        "d: longer",
        120,
        1e9
      ]] as const)
        .map(([band, least, most]) => [
          band,
          nonNulls(facts.map(({ duration }) => duration)).filter((duration) => duration >= least && duration < most)
            .length
        ])
  },
  {
    question: "Why do calls fail, most frequent reason first?",
    sql: `SELECT failure_reason AS reason, count(*) AS calls,
        rank() OVER (ORDER BY count(*) DESC) AS place
      FROM EngagementFactsBoardsView WHERE failure_reason IS NOT NULL GROUP BY failure_reason ORDER BY place, reason`,
    expected: (facts) => {
      const counts = groups(facts, ({ failure_reason }) => failure_reason)
        .map(([reason, of]) => [reason, of.length] as const)
      return counts.toSorted(([a, most], [b, more]) => inOrder(more, most) || inOrder(a, b))
        .map(([reason, calls]) => [reason, calls, 1 + counts.filter(([, other]) => other > calls).length])
    }
  },
  {
    question: "What did each campaign cost, and what a completed call of it?",
    sql: `SELECT campaign_name, sum(cost_amount) AS cost,
        sum(cost_amount) / count(*) FILTER (WHERE completion_status = 'completed') AS "cost per success"
      FROM EngagementFactsBoardsView WHERE campaign_id IS NOT NULL GROUP BY campaign_name ORDER BY campaign_name`,
    expected: (facts) =>
      groups(facts, ({ campaign_name }) => campaign_name).map(([campaign, of]) => {
        const cost = sum(of.map(({ cost_amount }) => cost_amount))
        return [campaign, cost, cost / of.filter(({ completion_status }) => completion_status === "completed").length]
      })
  },
  {
    question: "How long did contacts wait until the conversation began, at the 50th and the 100th percentile?",
    sql: "SELECT percentile(ring_seconds, 50), percentile(ring_seconds, 100) FROM EngagementFactsBoardsView",
    expected: (facts) => {
      const seconds = nonNulls(facts.map(({ ring_seconds }) => ring_seconds)).toSorted(inOrder)
      const middle = (seconds.length - 1) / 2
      return [[((seconds[Math.floor(middle)] ?? 0) + (seconds[Math.ceil(middle)] ?? 0)) / 2, seconds.at(-1) ?? null]]
    }
  },
  {
    question: "Which side ends the calls, in percent of all conversations?",
    sql: `SELECT hangup_by, round(100.0 * count(*) / sum(count(*)) OVER (), 2) FROM EngagementFactsBoardsView
      WHERE interaction_id IS NOT NULL GROUP BY hangup_by ORDER BY hangup_by`,
    expected: (facts) => {
      const conversations = facts.filter(({ interaction_id }) => interaction_id !== null)
      return groups(conversations, ({ ended_by }) => ended_by)
        .map(([by, of]) => [by, Math.round(10_000 * of.length / conversations.length) / 100])
    }
  },
  {
    question: "On which days were fewer than 70 % of the calls connected?",
    sql: `SELECT effective_date FROM EngagementFactsBoardsView GROUP BY effective_date
      HAVING sum(iif(v2v_connectivity_status = 'connected', 1, 0)) * 10 < count(*) * 7 ORDER BY effective_date DESC`,
    expected: (facts) =>
      groups(facts, dayOf).filter(([, of]) => of.filter(isConnected).length * 10 < of.length * 7)
        .map(([day]) => [day]).toReversed()
  },
  {
    question: "Did the second version of the agents answer faster than the first?",
    sql: `SELECT app_version, round(avg(average_agent_response_time_in_seconds), 3) AS seconds
      FROM EngagementFactsBoardsView WHERE app_version BETWEEN 1 AND 2 GROUP BY app_version ORDER BY app_version`,
    expected: (facts) =>
      groups(facts.filter(({ app_version }) => app_version < 3), ({ app_version }) => app_version).map((
        [version, of]
      ) => [
        version,
        Math.round(1000 * (mean(of.map((fact) => fact.average_agent_response_time_in_seconds)) ?? 0)) / 1000
      ])
  }
]
