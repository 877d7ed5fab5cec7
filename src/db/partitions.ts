import type pg from 'pg'

/** Tables of history, one partition a month. */
export const HISTORY = ['events', 'webhook_deliveries', 'webhook_attempts']

/** Makes the partitions of the coming year that are missing. Two at once do not harm each other. */
export async function makePartitions(client: pg.Client): Promise<void> {
  await client.query(
    'select make_partitions(history::regclass) from unnest($1::text[]) as history',
    [HISTORY],
  )
}

/** Makes those of given months (`2026-06-01`) of each table: a backup brings months that have long passed. */
export async function makePartitionsOf(
  client: pg.Client,
  months: Record<string, string[]>,
): Promise<void> {
  for (const [history, days] of Object.entries(months)) {
    await client.query('select make_partition($1::regclass, day) from unnest($2::date[]) as day', [
      history,
      days,
    ])
  }
}
