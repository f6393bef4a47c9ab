import { type CompiledQuery, type DatabaseConnection, type Dialect, SelectQueryNode } from "kysely"

/** Texts of statements that only read. */
const reading = /^\s*(?:select|pragma|explain)\b/i

/** Whether a statement may change something: any that is not known to read only. */
export const mayWrite = ({ query, sql }: CompiledQuery): boolean => !SelectQueryNode.is(query) && !reading.test(sql)

const nothing = () => Promise.resolve()
const refused = () => Promise.reject(new Error("Transactions begin with Sql.transaction"))

/** A dialect on a connection that is open already and that somebody else closes. */
export const dialectOn = (connection: DatabaseConnection, dialect: Dialect): Dialect => ({
  createDriver: () => ({
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: nothing,
    beginTransaction: refused,
    commitTransaction: refused,
    rollbackTransaction: refused,
    destroy: nothing
  }),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db)
})
