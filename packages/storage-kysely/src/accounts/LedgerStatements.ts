import type { SqlDialect } from "../sql/SqlDialect.js"

/** Statements of the credit ledger. Their texts are built once, because building them takes longer than running them. */
export const ledgerStatements = ({ sumOfFields }: SqlDialect) => ({
  appendEntry: `
    insert into credit_entries (account_id, reference, kind, amount, at) values (?, ?, ?, ?, ?)
    on conflict (account_id, reference) do nothing
  `,
  addToBalance: `
    insert into credit_balances (account_id, balance) values (?, ?)
    on conflict (account_id) do update set balance = credit_balances.balance + excluded.balance
  `,
  balance: "select balance from credit_balances where account_id = ?",
  putReservation: `
    insert into credit_reservations (request_id, account_id, key_id, api, amount, expires_at) values (?, ?, ?, ?, ?, ?)
    on conflict (request_id) do update set
      account_id = excluded.account_id,
      key_id = excluded.key_id,
      api = excluded.api,
      amount = excluded.amount,
      expires_at = excluded.expires_at
  `,
  findReservation: `
    select request_id, account_id, key_id, api, amount, expires_at from credit_reservations where request_id = ?
  `,
  deleteReservation: "delete from credit_reservations where request_id = ?",
  deleteExpired: "delete from credit_reservations where expires_at <= ?",
  reservedByAccount: "select coalesce(sum(amount), 0) as amount from credit_reservations where account_id = ?",
  reservedByKey:
    "select coalesce(sum(amount), 0) as amount from credit_reservations where account_id = ? and key_id = ?",
  /** Adds the counts of a line, and its units one by one. */
  addUsage: `
    insert into credit_usage (account_id, day, api, key_id, requests, units, cost, charged) values (?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (account_id, day, api, key_id) do update set
      requests = credit_usage.requests + excluded.requests,
      units = ${sumOfFields("credit_usage.units", "excluded.units")},
      cost = credit_usage.cost + excluded.cost,
      charged = credit_usage.charged + excluded.charged
  `
})
