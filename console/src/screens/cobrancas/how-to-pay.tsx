import type { Cobranca } from '../../../../src/cobrancas/schema.ts'
import { Card } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { buttonLook } from '../../ui/look.ts'
import { QrCode } from '../../ui/qr-code.tsx'

/** What is sent to whoever pays. */
export function HowToPay({ cobranca }: { cobranca: Cobranca }) {
  const { invoice_url, linha_digitavel, pix_copia_e_cola } = cobranca
  return (
    <Card title="Para pagar" lead="Envie a página, ou só o código, a quem vai pagar.">
      {invoice_url && /^https?:\/\//.test(invoice_url) && (
        <>
          <Copyable label="Página de pagamento" value={invoice_url} />
          <div>
            <a
              href={invoice_url}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonLook()}
            >
              Abrir a página de pagamento
              <span className="sr-only"> em outra aba</span>
            </a>
          </div>
        </>
      )}
      {linha_digitavel && <Copyable label="Linha digitável do boleto" value={linha_digitavel} />}
      {pix_copia_e_cola && (
        <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
          <Copyable label="PIX copia e cola" value={pix_copia_e_cola} lines={4} />
          <QrCode label="QR do PIX" text={pix_copia_e_cola} />
        </div>
      )}
    </Card>
  )
}
