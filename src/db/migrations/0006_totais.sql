-- Totals that are kept with each write, so that no figure needs a scan of the entries.
-- Each entry counts under its own cost centre, as '=' and its text, and under '*', which is all of them:
-- no cost centre can be written like that.

-- Per day. soma is what was paid (valor + juros - desconto) of paid entries, valor of the others.
create table totais_dia (
  tenant_id uuid not null,
  centro text not null,
  data date not null,
  tipo text not null,
  status text not null,
  quantidade bigint not null,
  soma bigint not null,
  primary key (tenant_id, centro, data, tipo, status)
) with (fillfactor = 70);

-- Per due date, of open entries.
create table totais_vencimento (
  tenant_id uuid not null,
  centro text not null,
  vencimento date not null,
  tipo text not null,
  quantidade bigint not null,
  soma bigint not null,
  primary key (tenant_id, centro, vencimento, tipo)
) with (fillfactor = 70);

alter table totais_dia enable row level security;
alter table totais_dia force row level security;
alter table totais_vencimento enable row level security;
alter table totais_vencimento force row level security;
grant select, insert, update, delete on totais_dia, totais_vencimento to lastro_app;
create policy company on totais_dia to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on totais_vencimento to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));

create function centros_de(centro_custo text) returns text[] language sql immutable as $$
  select case when centro_custo is null then array['*'] else array['*', '=' || centro_custo] end
$$;

create function soma_de(status text, valor bigint, juros bigint, desconto bigint) returns bigint
language sql immutable as $$
  select case when status = 'pago' then valor + juros - desconto else valor end
$$;

create function totais_on_insert() returns trigger language plpgsql as $$
begin
  insert into totais_dia as t
  select n.tenant_id, centro, n.data, n.tipo, n.status, count(*),
    sum(soma_de(n.status, n.valor, n.juros, n.desconto))
  from new_rows n, unnest(centros_de(n.centro_custo)) as centro
  group by n.tenant_id, centro, n.data, n.tipo, n.status
  on conflict (tenant_id, centro, data, tipo, status) do update
  set quantidade = t.quantidade + excluded.quantidade, soma = t.soma + excluded.soma;

  insert into totais_vencimento as t
  select n.tenant_id, centro, n.vencimento, n.tipo, count(*), sum(n.valor)
  from new_rows n, unnest(centros_de(n.centro_custo)) as centro
  where n.status = 'em_aberto'
  group by n.tenant_id, centro, n.vencimento, n.tipo
  on conflict (tenant_id, centro, vencimento, tipo) do update
  set quantidade = t.quantidade + excluded.quantidade, soma = t.soma + excluded.soma;
  return null;
end
$$;

-- A row that is left with no entries goes in the same statement that empties it.
create function totais_on_delete() returns trigger language plpgsql as $$
begin
  with gone as (
    select o.tenant_id, centro, o.data, o.tipo, o.status, count(*) as quantidade,
      sum(soma_de(o.status, o.valor, o.juros, o.desconto))::bigint as soma
    from old_rows o, unnest(centros_de(o.centro_custo)) as centro
    group by o.tenant_id, centro, o.data, o.tipo, o.status
  ), emptied as (
    delete from totais_dia t using gone g
    where (t.tenant_id, t.centro, t.data, t.tipo, t.status)
        = (g.tenant_id, g.centro, g.data, g.tipo, g.status)
      and t.quantidade = g.quantidade
  )
  update totais_dia t set quantidade = t.quantidade - g.quantidade, soma = t.soma - g.soma
  from gone g
  where (t.tenant_id, t.centro, t.data, t.tipo, t.status)
      = (g.tenant_id, g.centro, g.data, g.tipo, g.status)
    and t.quantidade <> g.quantidade;

  with gone as (
    select o.tenant_id, centro, o.vencimento, o.tipo, count(*) as quantidade,
      sum(o.valor)::bigint as soma
    from old_rows o, unnest(centros_de(o.centro_custo)) as centro
    where o.status = 'em_aberto'
    group by o.tenant_id, centro, o.vencimento, o.tipo
  ), emptied as (
    delete from totais_vencimento t using gone g
    where (t.tenant_id, t.centro, t.vencimento, t.tipo)
        = (g.tenant_id, g.centro, g.vencimento, g.tipo)
      and t.quantidade = g.quantidade
  )
  update totais_vencimento t set quantidade = t.quantidade - g.quantidade, soma = t.soma - g.soma
  from gone g
  where (t.tenant_id, t.centro, t.vencimento, t.tipo)
      = (g.tenant_id, g.centro, g.vencimento, g.tipo)
    and t.quantidade <> g.quantidade;
  return null;
end
$$;

-- Only what an update moves is touched: an edited description changes no total.
create function totais_on_update() returns trigger language plpgsql as $$
begin
  insert into totais_dia as t
  select tenant_id, centro, data, tipo, status, sum(sinal),
    sum(sinal * soma_de(status, valor, juros, desconto))
  from (select 1 as sinal, n.* from new_rows n union all select -1, o.* from old_rows o) as moved,
    unnest(centros_de(centro_custo)) as centro
  group by tenant_id, centro, data, tipo, status
  having sum(sinal) <> 0 or sum(sinal * soma_de(status, valor, juros, desconto)) <> 0
  on conflict (tenant_id, centro, data, tipo, status) do update
  set quantidade = t.quantidade + excluded.quantidade, soma = t.soma + excluded.soma;

  delete from totais_dia t using old_rows o, unnest(centros_de(o.centro_custo)) as left_centro
  where (t.tenant_id, t.centro, t.data, t.tipo, t.status)
      = (o.tenant_id, left_centro, o.data, o.tipo, o.status)
    and t.quantidade = 0;

  insert into totais_vencimento as t
  select tenant_id, centro, vencimento, tipo, sum(sinal), sum(sinal * valor)
  from (select 1 as sinal, n.* from new_rows n union all select -1, o.* from old_rows o) as moved,
    unnest(centros_de(centro_custo)) as centro
  where status = 'em_aberto'
  group by tenant_id, centro, vencimento, tipo
  having sum(sinal) <> 0 or sum(sinal * valor) <> 0
  on conflict (tenant_id, centro, vencimento, tipo) do update
  set quantidade = t.quantidade + excluded.quantidade, soma = t.soma + excluded.soma;

  delete from totais_vencimento t
  using old_rows o, unnest(centros_de(o.centro_custo)) as left_centro
  where (t.tenant_id, t.centro, t.vencimento, t.tipo)
      = (o.tenant_id, left_centro, o.vencimento, o.tipo)
    and t.quantidade = 0;
  return null;
end
$$;

create trigger totais_on_insert after insert on lancamentos
  referencing new table as new_rows
  for each statement execute function totais_on_insert();
create trigger totais_on_delete after delete on lancamentos
  referencing old table as old_rows
  for each statement execute function totais_on_delete();
create trigger totais_on_update after update on lancamentos
  referencing old table as old_rows new table as new_rows
  for each statement execute function totais_on_update();

-- What a company had before there were totals is counted now, company by company, as that company.
do $$
declare
  company uuid;
begin
  set local role lastro_operator;
  for company in select tenant_id from empresas loop
    perform set_config('role', 'lastro_app', true), set_config('app.tenant', company::text, true);
    insert into totais_dia
    select tenant_id, centro, data, tipo, status, count(*),
      sum(soma_de(status, valor, juros, desconto))
    from lancamentos, unnest(centros_de(centro_custo)) as centro
    group by tenant_id, centro, data, tipo, status;
    insert into totais_vencimento
    select tenant_id, centro, vencimento, tipo, count(*), sum(valor)
    from lancamentos, unnest(centros_de(centro_custo)) as centro
    where status = 'em_aberto'
    group by tenant_id, centro, vencimento, tipo;
  end loop;
  reset role;
end
$$;

-- The open entries, for overdue figures together with a filter on the entry's own date.
create index lancamentos_open on lancamentos
  (tenant_id, data desc, id desc) include (vencimento, tipo, valor, centro_custo)
  where status = 'em_aberto';
create index lancamentos_by_centro on lancamentos (tenant_id, centro_custo, data desc, id desc)
  where centro_custo is not null;
