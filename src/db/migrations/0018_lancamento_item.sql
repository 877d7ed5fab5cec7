-- An entry as the API shows it, worded once when it is written instead of each time that it is read. Entries
-- from before have none, and are worded when they are read. A later version that shows something else drops
-- the column and adds another: neither touches a row.
alter table lancamentos add column item text;

-- None of these claims to be steadier than what it calls: else it would be called, and not be put in place.
create function reais(centavos bigint) returns text language sql immutable as $$
  select trim_scale(centavos / 100.0)::text
$$;

create function json_texto(texto text) returns text language sql stable as $$
  select coalesce(to_json(texto)::text, 'null')
$$;

create function json_instante(instante timestamptz) returns text language sql stable as $$
  select to_char(instante at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\""')
$$;

create function lancamento_item(l lancamentos) returns text language sql stable as $$
  select concat(
    '{"id":"', l.id,
    '","data":"', to_char(l.data, 'YYYY-MM-DD'),
    '","descricao":', json_texto(l.descricao),
    ',"tipo":"', l.tipo,
    '","valor":', reais(l.valor),
    ',"status":"', l.status,
    '","vencimento":"', to_char(l.vencimento, 'YYYY-MM-DD'),
    '","data_pagamento":', json_texto(to_char(l.data_pagamento, 'YYYY-MM-DD')),
    ',"juros":', reais(l.juros),
    ',"desconto":', reais(l.desconto),
    ',"valor_pago":', case when l.status = 'pago' then reais(l.valor + l.juros - l.desconto) else 'null' end,
    ',"contraparte":', json_texto(l.contraparte),
    ',"centro_custo":', json_texto(l.centro_custo),
    ',"observacoes":', json_texto(l.observacoes),
    ',"parceiro_id":', json_texto(l.parceiro_id::text),
    ',"categoria_id":', json_texto(l.categoria_id::text),
    ',"conta_bancaria_id":', json_texto(l.conta_bancaria_id::text),
    ',"criado_em":', json_instante(l.criado_em),
    ',"atualizado_em":', json_instante(l.atualizado_em),
    '}')
$$;

create function lancamento_item_on_write() returns trigger language plpgsql as $$
begin
  new.item := lancamento_item(new);
  return new;
end
$$;

create trigger lancamento_item_on_write before insert or update on lancamentos
  for each row execute function lancamento_item_on_write();
