import type { NamedFact } from "../LawFixtures.js"
import { type AnalystQuestion, dayOf, distinct, groups, inOrder, isConnected, whenOf } from "../Question.js"

const byTime = (a: NamedFact, b: NamedFact) => inOrder(whenOf(a), whenOf(b)) || inOrder(a.attempt_id, b.attempt_id)

/** Contacts, their attempts and outcomes. */
export const contactQuestions: ReadonlyArray<AnalystQuestion> = [
  {
    question: "How many contacts were reached at least once?",
    sql: `SELECT count(DISTINCT user_identifier) FROM EngagementFactsBoardsView
      WHERE v2v_connectivity_status = 'connected'`,
    expected: (facts) => [[distinct(facts.filter(isConnected).map(({ user_identifier }) => user_identifier))]]
  },
  {
    question: "Which contacts were called from 19 January on and never reached?",
    sql: `SELECT DISTINCT v.user_identifier FROM EngagementFactsBoardsView AS v
      WHERE v.effective_date >= '2026-01-19' AND NOT EXISTS (
        SELECT 1 FROM EngagementFactsBoardsView AS w WHERE w.user_identifier = v.user_identifier
          AND w.v2v_connectivity_status = 'connected' AND w.effective_date >= '2026-01-19'
      ) ORDER BY v.user_identifier`,
    expected: (facts) =>
      groups(facts.filter((fact) => dayOf(fact) >= "2026-01-19"), ({ user_identifier }) => user_identifier)
        .filter(([, of]) => !of.some(isConnected)).map(([user]) => [user])
  },
  {
    question: "Which five contacts were called most?",
    sql: `SELECT user_identifier, count(*) AS calls FROM EngagementFactsBoardsView
      GROUP BY user_identifier ORDER BY calls DESC, user_identifier ASC LIMIT 5`,
    expected: (facts) =>
      groups(facts, ({ user_identifier }) => user_identifier).map(([user, of]) => [user, of.length] as const)
        .toSorted(([a, most], [b, more]) => inOrder(more, most) || inOrder(a, b)).slice(0, 5)
  },
  {
    question: "What was the newest outcome of each of three contacts?",
    sql: `SELECT user_identifier, completion_status, effective_datetime FROM (
        SELECT *, row_number() OVER (PARTITION BY user_identifier ORDER BY effective_datetime DESC, attempt_id DESC) AS n
        FROM EngagementFactsBoardsView
      ) WHERE n = 1 AND user_identifier IN (?, ?, ?) ORDER BY user_identifier`,
    parameters: ["user-1", "user-2", "user-30"],
    expected: (facts) =>
      groups(
        facts.filter(({ user_identifier }) => ["user-1", "user-2", "user-30"].includes(user_identifier)),
        ({ user_identifier }) => user_identifier
      ).map(([user, of]) => {
        const newest = of.toSorted(byTime).at(-1)
        return [user, newest?.completion_status ?? null, newest === undefined ? null : whenOf(newest)]
      })
  },
  {
    question: "How many contacts were reached at the first contact?",
    sql: `WITH firsts AS (
        SELECT user_identifier, min(effective_datetime) AS at FROM EngagementFactsBoardsView GROUP BY user_identifier
      )
      SELECT count(*) FROM firsts AS f JOIN EngagementFactsBoardsView AS v
        ON v.user_identifier = f.user_identifier AND v.effective_datetime = f.at
      WHERE v.v2v_connectivity_status = 'connected'`,
    expected: (facts) => [[
      groups(facts, ({ user_identifier }) => user_identifier)
        .filter(([, of]) => of.toSorted(byTime).slice(0, 1).some(isConnected)).length
    ]]
  },
  {
    question: "How many attempts does it take until a contact is reached?",
    sql: `SELECT tries, count(*) FROM (
        SELECT v.user_identifier, count(*) + 1 AS tries FROM EngagementFactsBoardsView v
        WHERE v.effective_datetime < (
          SELECT min(effective_datetime) FROM EngagementFactsBoardsView
          WHERE user_identifier = v.user_identifier AND connectivity_status = 'connected'
        ) GROUP BY v.user_identifier
      ) GROUP BY tries ORDER BY tries`,
    expected: (facts) => {
      const tries = groups(facts, ({ user_identifier }) => user_identifier)
        .map(([, of]) => of.toSorted(byTime).findIndex(isConnected)).filter((before) => before > 0)
      return [...new Set(tries)].toSorted(inOrder).map((before) => [
        before + 1,
        tries.filter((other) => other === before).length
      ])
    }
  },
  {
    question: "Which contacts did both a campaign reach and call in themselves?",
    sql: `SELECT user_identifier FROM EngagementFactsBoardsView WHERE direction = 'campaign' AND interaction_id NOT NULL
      INTERSECT SELECT user_identifier FROM EngagementFactsBoardsView WHERE direction = 'inbound' ORDER BY 1`,
    expected: (facts) =>
      groups(facts, ({ user_identifier }) => user_identifier).filter(([, of]) =>
        of.some((fact) => fact.direction === "campaign" && fact.interaction_id !== null) &&
        of.some(({ direction }) => direction === "inbound")
      ).map(([user]) => [user])
  },
  {
    question: "How many calls of each cohort wait for another attempt?",
    sql: `SELECT cohort_name, count(next_action_status) FROM EngagementFactsBoardsView
      WHERE cohort_id IS NOT NULL GROUP BY cohort_name ORDER BY cohort_name`,
    expected: (facts) =>
      groups(facts, ({ cohort_name }) => cohort_name).map(([cohort, of]) => [
        cohort,
        of.filter(({ next_action_status }) => next_action_status !== null).length
      ])
  },
  {
    question: "Which languages does each agent speak?",
    sql: `SELECT app_name, group_concat(DISTINCT language_name) FROM (
        SELECT app_name, language_name FROM EngagementFactsBoardsView WHERE language_name <> '' ORDER BY language_name
      ) GROUP BY app_name ORDER BY app_name LIMIT ?`,
    parameters: [1],
    expected: (facts) =>
      groups(facts, ({ app_name }) => app_name).slice(0, 1).map(([app, of]) => [
        app,
        groups(of, ({ language_name }) => language_name).map(([language]) => language).join(",")
      ])
  },
  {
    question: "How do the calls of contacts spread over quarters of how often they are called?",
    sql: `WITH people AS (SELECT user_contact_hashed, count(*) AS calls FROM EngagementFactsBoardsView GROUP BY 1),
      quarters AS (SELECT calls, ntile(4) OVER (ORDER BY calls, user_contact_hashed) AS quarter FROM people)
      SELECT quarter, sum(calls) FROM quarters GROUP BY quarter ORDER BY quarter`,
    expected: (facts) => {
      const calls = groups(facts, ({ user_contact_hashed }) => user_contact_hashed)
        .map(([key, of]) => [key, of.length] as const)
        .toSorted(([a, few], [b, less]) => inOrder(few, less) || inOrder(a, b)).map(([, calls]) => calls)
      const size = Math.floor(calls.length / 4)
      const larger = calls.length % 4
      return [0, 1, 2, 3].map((quarter) => {
        const start = quarter * size + Math.min(quarter, larger)
        const part = calls.slice(start, start + size + (quarter < larger ? 1 : 0))
        return [quarter + 1, part.reduce((a, b) => a + b, 0)]
      })
    }
  }
]
