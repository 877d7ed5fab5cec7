import pg from 'pg'

/** Tables of history, one partition a month. */
const HISTORY = ['events', 'webhook_deliveries', 'webhook_attempts']

/** Makes the partitions of the coming year that are missing. Two at once do not harm each other. */
export async function makePartitions(client: pg.Client): Promise<void> {
  await client.query(
    'select make_partitions(history::regclass) from unnest($1::text[]) as history',
    [HISTORY],
  )
}

/** The same on a connection of its own: a service that runs for months makes them in time. */
export async function makePartitionsOn(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await makePartitions(client)
  } finally {
    await client.end()
  }
}
