import { type AnalystQuestion, dayOf, distinct, groups, indianWhen, inOrder, isConnected, whenOf } from "../Question.js"

/** Volume of calls over time. */
export const volumeQuestions: ReadonlyArray<AnalystQuestion> = [
  {
    question: "How many calls were there?",
    sql: "SELECT count(*) FROM EngagementFactsBoardsView",
    expected: (facts) => [[facts.length]]
  },
  {
    question: "How many on each Indian day?",
    sql: "SELECT effective_date, count(*) AS calls FROM EngagementFactsBoardsView GROUP BY effective_date ORDER BY 1",
    expected: (facts) => groups(facts, dayOf).map(([day, of]) => [day, of.length])
  },
  {
    question: "How many in one week?",
    sql: `SELECT count(*) FROM EngagementFactsBoardsView
      WHERE effective_datetime >= ? AND effective_datetime < ?`,
    parameters: ["2026-01-11T18:30:00.000Z", "2026-01-18T18:30:00.000Z"],
    expected: (facts) => [[
      facts.filter((fact) => whenOf(fact) >= "2026-01-11T18:30:00.000Z" && whenOf(fact) < "2026-01-18T18:30:00.000Z")
        .length
    ]]
  },
  {
    question: "Which are the three busiest hours of the day?",
    sql: `SELECT effective_hour, count(*) AS calls FROM EngagementFactsBoardsView
      GROUP BY effective_hour ORDER BY calls DESC, effective_hour LIMIT 3`,
    expected: (facts) =>
      groups(facts, (fact) => Number(indianWhen(fact).slice(11, 13)))
        .map(([hour, of]) => [hour, of.length] as const)
        .sort(([a, most], [b, more]) => inOrder(more, most) || inOrder(a, b))
        .slice(0, 3)
  },
  {
    question: "How does each day compare with the day before?",
    sql: `WITH days AS (SELECT effective_date AS day, count(*) AS calls FROM EngagementFactsBoardsView GROUP BY 1)
      SELECT day, calls, calls - lag(calls) OVER (ORDER BY day) AS change FROM days ORDER BY day`,
    expected: (facts) =>
      groups(facts, dayOf).map(([day, of], index, groupList) => {
        const before = groupList[index - 1]
        return [day, of.length, before === undefined ? null : of.length - before[1].length]
      })
  },
  {
    question: "How many calls had there been by the end of each day?",
    sql: `SELECT effective_date, sum(count(*)) OVER (ORDER BY effective_date) FROM EngagementFactsBoardsView
      GROUP BY effective_date ORDER BY effective_date`,
    expected: (facts) => groups(facts, dayOf).map(([day]) => [day, facts.filter((fact) => dayOf(fact) <= day).length])
  },
  {
    question: "Which of the days from 3 to 8 January had no calls at all?",
    sql: `WITH RECURSIVE days(day) AS (
        SELECT '2026-01-03' UNION ALL SELECT date(day, '+1 day') FROM days WHERE day < '2026-01-08'
      )
      SELECT day FROM days WHERE day NOT IN (SELECT effective_date FROM EngagementFactsBoardsView) ORDER BY day`,
    expected: () => [["2026-01-03"], ["2026-01-04"]]
  },
  {
    question: "How many calls are inbound, of campaigns, and single?",
    sql: `SELECT count(*) FILTER (WHERE direction = 'inbound'), count(*) FILTER (WHERE direction = 'campaign'),
      count(*) FILTER (WHERE direction = 'outbound') FROM EngagementFactsBoardsView`,
    expected: (facts) => [
      ["inbound", "campaign", "outbound"].map((direction) =>
        facts.filter((fact) => fact.direction === direction).length
      )
    ]
  },
  {
    question: "What share of each agent's calls is connected, in percent?",
    sql: `SELECT app_id, round(100.0 * avg(v2v_connectivity_status IS 'connected'), 1) AS "connected %"
      FROM EngagementFactsBoardsView GROUP BY app_id ORDER BY app_id COLLATE NOCASE`,
    expected: (facts) =>
      groups(facts, ({ app_id }) => app_id).map(([app, of]) => [
        app,
        Math.round(1000 * of.filter(isConnected).length / of.length) / 10
      ])
  },
  {
    question: "How many calls on working days and on weekends?",
    sql: `SELECT CASE WHEN strftime('%w', effective_date) IN ('0', '6') THEN 'weekend' ELSE 'working day' END AS kind,
        count(*) AS "count"
      FROM EngagementFactsBoardsView GROUP BY kind ORDER BY kind; -- Saturday and Sunday`,
    expected: (facts) =>
      groups(facts, (fact) => [0, 6].includes(new Date(dayOf(fact)).getUTCDay()) ? "weekend" : "working day")
        .map(([kind, of]) => [kind, of.length])
  },
  {
    question: "How many calls, contacts and agents were there in each week?",
    sql: `SELECT strftime('%Y-%W', effective_date) AS week, count(*), count(DISTINCT user_contact_hashed),
        count(DISTINCT app_id)
      FROM EngagementFactsBoardsView GROUP BY 1 HAVING count(*) > 10 ORDER BY 1`,
    expected: (facts) =>
      groups(facts, (fact) => {
        const day = new Date(dayOf(fact))
        const days = Math.round((day.getTime() - new Date("2026-01-05").getTime()) / 86_400_000)
        return `2026-${String(1 + Math.floor(days / 7)).padStart(2, "0")}`
      }).filter(([, of]) => of.length > 10).map(([week, of]) => [
        week,
        of.length,
        distinct(of.map(({ user_contact_hashed }) => user_contact_hashed)),
        distinct(of.map(({ app_id }) => app_id))
      ])
  }
]
