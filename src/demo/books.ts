/** Who the demonstration company deals with. The documents are well-formed and belong to nobody. */
export const PARCEIROS = [
  cliente('Padaria Bom Dia Ltda', '10000001000190'),
  cliente('Construtora Horizonte S.A.', '20000002000198'),
  cliente('Clínica Vida Plena', '30000003000196'),
  cliente('Escola Pequeno Príncipe', '40000004000194'),
  cliente('Mercado do Bairro ME', '50000005000192'),
  cliente('Transportes Rápido Sul', '1A2B3C4D000179'),
  fornecedor('Imobiliária Central', '60000006000190'),
  fornecedor('Imobiliária Barão', '70000007000199'),
  fornecedor('Companhia de Energia', '80000008000197'),
  fornecedor('Telefonia Integrada', '90000009000195'),
  fornecedor('Escritório Contábil Silva', '11000011000198'),
  fornecedor('Agência Digital Norte', '12000012000103'),
  fornecedor('Entregas Expressas', '13000013000102'),
]

function cliente(nome: string, documento: string) {
  return { nome, documento, tipo: 'cliente' as const }
}

function fornecedor(nome: string, documento: string) {
  return { nome, documento, tipo: 'fornecedor' as const }
}

/** Areas, each with its subcategories. */
export const CATEGORIAS: Record<string, string[]> = {
  Receitas: ['Contratos', 'Vendas'],
  Pessoal: ['Salários'],
  Ocupação: ['Aluguel', 'Energia', 'Telefonia'],
  Impostos: ['Simples Nacional'],
  'Serviços de terceiros': ['Contabilidade', 'Publicidade', 'Logística'],
}
