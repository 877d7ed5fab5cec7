// `node bench/scale.ts`: from what one database does to what so many companies need. Everything is arithmetic
// on the figures of the last table in bench/README.md; each can be given: `-- --companies 50000 --posts 1200`.
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    /** Companies; left out, four steps up to a million. */
    companies: { type: 'string' },
    /** What a company does in a working day of ten hours. */
    entries: { type: 'string', default: '20' },
    reads: { type: 'string', default: '200' },
    subscriptions: { type: 'string', default: '1' },
    /** How much busier the busiest minute is than the day. */
    peak: { type: 'string', default: '5' },
    /** What one two-core machine does a second, everything on it. */
    posts: { type: 'string', default: '1200' },
    gets: { type: 'string', default: '4400' },
    deliveries: { type: 'string', default: '5100' },
    /** Of the work of a request, the part that is done in PostgreSQL and not in an instance. */
    database: { type: 'string', default: '0.5' },
    /** Bytes that an entry takes with its event, its delivery and its totals. */
    bytes: { type: 'string', default: '4000' },
    /** Cores of the database server, and what it can hold. */
    cores: { type: 'string', default: '32' },
    terabytes: { type: 'string', default: '8' },
    years: { type: 'string', default: '5' },
  },
})
const given = Object.fromEntries(
  Object.entries(values).map(([name, text]) => [name, Number(text)]),
) as Record<keyof typeof values, number>

const DAY_SECONDS = 10 * 3600
const WORKING_DAYS = 250
/** Both cores of the machine that was measured. */
const coreSeconds = (perSecond: number) => 2 / perSecond

function need(companies: number) {
  const perSecond = (perDay: number) => (companies * perDay * given.peak) / DAY_SECONDS
  const [posts, gets] = [perSecond(given.entries), perSecond(given.reads)]
  const deliveries = posts * given.subscriptions
  const cores =
    posts * coreSeconds(given.posts) +
    gets * coreSeconds(given.gets) +
    deliveries * coreSeconds(given.deliveries)
  const databaseCores = cores * given.database
  const instances = Math.ceil((cores - databaseCores) / 2)
  const terabytes =
    (companies * given.entries * WORKING_DAYS * given.years * given.bytes) / 1024 ** 4
  const byWork = databaseCores / given.cores
  const bySpace = terabytes / given.terabytes
  const databases = Math.max(1, Math.ceil(Math.max(byWork, bySpace)))
  return { companies, posts, gets, deliveries, databaseCores, instances, terabytes, databases }
}

const steps = values.companies ? [given.companies] : [1_000, 10_000, 100_000, 1_000_000]
const rows = steps.map(need)
const columns: [string, (row: ReturnType<typeof need>) => string][] = [
  ['companies', (row) => row.companies.toLocaleString('en')],
  ['POST/s', (row) => row.posts.toFixed(0)],
  ['GET/s', (row) => row.gets.toFixed(0)],
  ['deliveries/s', (row) => row.deliveries.toFixed(0)],
  ['instances of 2 cores', (row) => String(Math.max(1, row.instances))],
  ['database cores', (row) => row.databaseCores.toFixed(1)],
  [`TiB in ${given.years} years`, (row) => row.terabytes.toFixed(2)],
  [`databases of ${given.cores} cores, ${given.terabytes} TiB`, (row) => String(row.databases)],
]
for (const [name, show] of columns) {
  process.stdout.write(`${name.padEnd(32)}${rows.map((row) => show(row).padStart(12)).join('')}\n`)
}
