import type { TestService } from './service.ts'

export interface RecordedEvent {
  kind: string
  seq: bigint
  /** The resource that the event is of, under its name. */
  data: Record<string, { id: string }>
}

/** What has happened in a company, in order. */
export async function eventsOf(service: TestService, empresa: string): Promise<RecordedEvent[]> {
  const rows = await service.db
    .reader(empresa)
    .query<{ kind: string; seq: bigint; data: string }>(
      'select kind, seq, data from events where tenant_id = $1 order by seq',
      [empresa],
    )
  return rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) }))
}
