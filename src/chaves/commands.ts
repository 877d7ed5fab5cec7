import { Command } from 'commander'
import { LEGACY_SCOPES, PRESETS, SCOPES } from '../auth/scopes.ts'
import { OperatorError } from '../errors.ts'
import { print, table, type WithDatabase } from '../terminal.ts'
import { createChave, listChaves, revokeChave } from './chaves.ts'

export function chavesCommands(withDatabase: WithDatabase): Command {
  const chaves = new Command('chaves').description('The API keys of a company.')
  const scopeList = [...SCOPES, ...LEGACY_SCOPES].join(', ')

  chaves
    .command('create')
    .description('Create a key. It is shown once and cannot be read again.')
    .requiredOption('--empresa <id>', 'the company it opens')
    .option('--scopes <list>', `with commas between them: ${scopeList}`)
    .option('--preset <name>', `a ready set of scopes: ${Object.keys(PRESETS).join(', ')}`)
    .option('--nome <name>', 'what a person knows it by')
    .option('--expires-at <when>', 'a day (to its end, in the company) or an RFC 3339 instant')
    .option('--json', 'print {"id": "…", "key": "svc_live_…"}')
    .action(({ json, preset, scopes, ...chave }) => {
      const chosen = chooseScopes(scopes, preset)
      return withDatabase(async (db) => {
        const { id, key } = await createChave(db, { ...chave, scopes: chosen })
        print(json, { id, key }, `Created key ${id}. Keep it now, it is not shown again:\n${key}`)
      })
    })

  chaves
    .command('list')
    .description('List the keys of a company, the oldest first.')
    .requiredOption('--empresa <id>', 'the company')
    .option('--json', 'print them as one JSON array')
    .action(({ json, empresa }) =>
      withDatabase(async (db) => {
        const all = await listChaves(db, empresa)
        const rows = all.map((chave) => [
          chave.id,
          chave.nome ?? '',
          `…${chave.final}`,
          chave.revogada_em ? 'revoked' : (chave.expira_em ?? 'no expiry'),
          chave.scopes.join(','),
        ])
        print(json, all, table(['ID', 'NOME', 'KEY', 'VALID UNTIL', 'SCOPES'], rows))
      }),
    )

  chaves
    .command('revoke')
    .description('Revoke a key: within a second it opens nothing, on any instance.')
    .argument('<id>', 'the key')
    .option('--json', 'print {"id": "…"}')
    .action((id: string, { json }) =>
      withDatabase(async (db) => {
        await revokeChave(db, id)
        print(json, { id }, `Revoked key ${id}.`)
      }),
    )

  return chaves
}

function chooseScopes(scopes: string | undefined, preset: string | undefined): string[] {
  if ((scopes === undefined) === (preset === undefined)) {
    throw new OperatorError('Choose the scopes with either --scopes or --preset.')
  }
  if (scopes !== undefined) return [...new Set(scopes.split(',').map((scope) => scope.trim()))]
  const chosen = PRESETS[preset!]
  if (!chosen) {
    const known = Object.keys(PRESETS).join(', ')
    throw new OperatorError(`There is no preset ${preset}. There are: ${known}.`)
  }
  return chosen
}
