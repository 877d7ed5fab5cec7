-- The calls of each key in its window, counted for all instances together. UNLOGGED: a commit waits for no
-- disk, and after a crash of PostgreSQL every window begins anew. Nothing indexes what changes with every
-- call, and the room left in its pages keeps that cheap.
create unlogged table rate_windows (
  tenant_id uuid not null,
  chave_id uuid not null,
  calls bigint not null,
  since timestamptz not null,
  primary key (tenant_id, chave_id)
) with (fillfactor = 50);

alter table rate_windows enable row level security;
alter table rate_windows force row level security;
grant select, insert, update, delete on rate_windows to lastro_auth;
create policy count_calls on rate_windows to lastro_auth using (true);
