-- Ids made from database time: the partitions below are cut by it.
create function uuid_v7() returns uuid language sql volatile as $$
  select encode(set_byte(bytes, 6, (get_byte(bytes, 6) & 15) | 112), 'hex')::uuid
  from (select overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
    from 1 for 6) as bytes) as stamped
$$;

-- The least UUID v7 of a moment.
create function uuid_v7_floor(moment timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Everything that has happened, in the order in which it was committed: seq has no gaps in a company.
-- data is the resource as the API showed it then, kept as the text that is delivered.
create table events (
  tenant_id uuid not null,
  id uuid not null,
  seq bigint not null,
  kind text not null,
  record_id uuid not null,
  actor_kind text not null check (actor_kind in ('chave', 'usuario', 'sistema')),
  actor_id uuid,
  request_id text,
  data text not null,
  recorded_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id)
) partition by range (id);
create index events_in_order on events (tenant_id, seq);

alter table events enable row level security;
alter table events force row level security;
grant select, insert on events to lastro_app;
create policy company on events to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));

-- Makes the monthly partitions of a history table, from this month to a year ahead.
create function make_partitions(history regclass) returns void language plpgsql as $$
declare
  first_month timestamptz := date_trunc('month', now(), 'UTC');
  month timestamptz;
  partition text;
begin
  for ahead in 0..12 loop
    month := first_month + make_interval(months => ahead);
    partition := format('%s_%s', history, to_char(month at time zone 'UTC', 'YYYY_MM'));
    continue when to_regclass(partition) is not null;
    -- Instances that start at once, or a day apart, make each partition once.
    perform pg_advisory_xact_lock(hashtext('make_partitions'));
    continue when to_regclass(partition) is not null;
    -- Room in each page lets a row that changes stay where it is, and its indexes as they are.
    execute format('create table %I partition of %s for values from (%L) to (%L) with (fillfactor = 80)',
      partition, history, uuid_v7_floor(month), uuid_v7_floor(month + interval '1 month'));
    -- Nobody but the owner is granted a partition; this stands behind that.
    execute format('alter table %I enable row level security', partition);
    execute format('alter table %I force row level security', partition);
  end loop;
end
$$;
