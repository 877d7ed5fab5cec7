import pg from 'pg'
import type { Logger } from '../logger.ts'
import { makePartitions } from './partitions.ts'
import { dropHistory } from './retention.ts'

/** Makes the months to come in time, and drops those that are no longer to be kept, if any are. */
export async function keepHistory(
  connection: pg.ClientConfig,
  retentionMonths: number | undefined,
  logger: Logger,
): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await makePartitions(client)
    if (retentionMonths === undefined) return
    const { dropped, held } = await dropHistory(client, retentionMonths)
    if (dropped.length > 0) logger.info({ tables: dropped }, 'old history was dropped')
    if (held) logger.warn(held, 'old history is kept: deliveries of it are pending')
  } finally {
    await client.end()
  }
}
