-- Since when history is complete, once some of it was dropped: one row, and none while nothing was.
create table retention (
  only_row boolean primary key default true check (only_row),
  complete_since timestamptz(3) not null
);
grant select on retention to lastro_app;
grant select, insert, update, delete on retention to lastro_care;

-- For the age of the oldest charge that is being issued, across companies.
create index cobrancas_emitindo on cobrancas (criado_em) where status = 'emitindo';

-- Made as others are, from this month to a year ahead; months are UTC's, whatever the session's time zone.
create or replace function make_partitions(history regclass) returns void language plpgsql as $$
declare
  first_month timestamp := date_trunc('month', now() at time zone 'UTC');
begin
  for ahead in 0..12 loop
    perform make_partition(history, (first_month + make_interval(months => ahead))::date);
  end loop;
end
$$;
