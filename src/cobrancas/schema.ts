import { type Static, Type } from 'typebox'
import { Day, Enum, Exactly, Id, Instant, Nullable, PAGE, Reais, Text } from '../http/schemas.ts'
import { FORMAS } from '../providers/provider.ts'

export const STATUS = [
  'emitindo',
  'pendente',
  'paga',
  'vencida',
  'cancelada',
  'estornada',
  'falhou',
] as const

const valor = Reais(0.01, { description: 'Valor em reais.' })
const vencimento = Day({ description: 'Vencimento: hoje ou depois.' })
const forma = Enum(FORMAS, {
  description: 'Como se paga; com UNDEFINED, quem paga escolhe.',
  examples: ['UNDEFINED'],
})
const descricao = Nullable(Text(1, 500), {
  description: 'O que se cobra; quem paga lê.',
  examples: ['Mensalidade de junho'],
})
const parceiroId = Nullable(Id(), { description: 'O parceiro de quem se cobra.' })
const lancamentoId = Nullable(Id(), {
  description: 'Uma receita em aberto, que é paga quando a cobrança é paga.',
})
const address = (description: string) => Nullable(Type.String(), { description })

export const Cobranca = Exactly(
  {
    id: Id(),
    status: Enum(STATUS, {
      description: 'Situação. vencida: não foi paga e o vencimento passou; ainda pode ser paga.',
    }),
    valor,
    vencimento,
    forma,
    descricao,
    parceiro_id: parceiroId,
    lancamento_id: lancamentoId,
    invoice_url: address('A página em que se paga.'),
    bank_slip_url: address('O boleto.'),
    linha_digitavel: address('A linha digitável do boleto, 47 dígitos.'),
    codigo_barras: address('O código de barras do boleto, 44 dígitos.'),
    pix_copia_e_cola: address('O PIX copia e cola.'),
    provedor: Type.String({ description: 'Quem emite.', examples: ['sandbox'] }),
    provedor_id: address('O id da cobrança no provedor.'),
    pago_em: Nullable(Day(), { description: 'Dia do pagamento.' }),
    valor_pago: Nullable(Type.Number(), { description: 'Quanto foi pago, em reais.' }),
    criado_em: Instant(),
    atualizado_em: Instant(),
  },
  {
    $id: 'Cobranca',
    title: 'Cobrança',
    examples: [
      {
        id: '019ef8a1-7b3c-7c2d-9a54-3f6f0c1d2e4b',
        status: 'pendente',
        valor: 1234.56,
        vencimento: '2026-07-10',
        forma: 'PIX',
        descricao: 'Mensalidade de junho',
        parceiro_id: null,
        lancamento_id: null,
        invoice_url: 'https://exemplo.com.br/pagar/019ef8a1',
        bank_slip_url: null,
        linha_digitavel: null,
        codigo_barras: null,
        pix_copia_e_cola: '00020126580014br.gov.bcb.pix…6304ABCD',
        provedor: 'sandbox',
        provedor_id: 'sbx_019ef8a1-7b3c-7c2d-9a54-3f6f0c1d2e4b',
        pago_em: null,
        valor_pago: null,
        criado_em: '2026-06-22T14:03:07.123Z',
        atualizado_em: '2026-06-22T14:03:07.123Z',
      },
    ],
  },
)
export type Cobranca = Static<typeof Cobranca>

export const NewCobranca = Exactly(
  {
    valor,
    vencimento,
    forma: Type.Optional(Nullable(forma, { default: 'UNDEFINED' })),
    descricao: Type.Optional(descricao),
    parceiro_id: Type.Optional(parceiroId),
    lancamento_id: Type.Optional(lancamentoId),
  },
  {
    examples: [
      { valor: 1234.56, vencimento: '2099-07-10', forma: 'PIX', descricao: 'Mensalidade de junho' },
      { valor: 350, vencimento: '2099-07-10' },
    ],
  },
)
export type NewCobranca = Static<typeof NewCobranca>

export const CobrancaFilter = Exactly({
  status: Type.Optional(Enum(STATUS, { examples: ['pendente'] })),
  parceiro_id: Type.Optional(Id({ examples: ['019ef8a1-7b3c-7c2d-9a54-3f6f0c1d2e4b'] })),
  ...PAGE,
})
export type CobrancaFilter = Static<typeof CobrancaFilter>
