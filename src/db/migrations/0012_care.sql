-- Care: what an operator does with the data of all companies at once, such as a backup. It holds what this
-- role may write: a later table gets the same grant and, of company data, the same policy.
do $$
declare
  company_data regclass;
begin
  for company_data in
    select c.oid from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
  loop
    execute format('grant select, insert, update, delete on %s to lastro_care', company_data);
    execute format('create policy care on %s to lastro_care using (true) with check (true)', company_data);
  end loop;
end
$$;
grant select on migrations to lastro_care;

-- What happened to one record, and what it was before.
create index events_of_record on events (tenant_id, record_id, seq);

-- Makes the partition of one month, counted in UTC: a backup brings months that have long passed.
create function make_partition(history regclass, month date) returns void language plpgsql as $$
declare
  partition text := format('%s_%s', history, to_char(month, 'YYYY_MM'));
begin
  if to_regclass(partition) is not null then return; end if;
  -- Instances that start at once, or a day apart, make each partition once.
  perform pg_advisory_xact_lock(hashtext('make_partitions'));
  if to_regclass(partition) is not null then return; end if;
  -- Made first and attached then, which keeps nobody from reading or writing meanwhile. Room in each page
  -- lets a row that changes stay where it is, and its indexes as they are.
  execute format('create table %I (like %s including all) with (fillfactor = 80)', partition, history);
  execute format('alter table %s attach partition %I for values from (%L) to (%L)', history, partition,
    uuid_v7_floor(month::timestamp at time zone 'UTC'),
    uuid_v7_floor((month + interval '1 month') at time zone 'UTC'));
  -- Nobody but the owner is granted a partition; this stands behind that.
  execute format('alter table %I enable row level security', partition);
  execute format('alter table %I force row level security', partition);
end
$$;
