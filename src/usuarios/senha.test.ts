import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { describe, test } from 'node:test'
import { hashSenha, isSenha } from './senha.ts'

const SENHA = 'correto cavalo bateria'
const kept = await hashSenha(SENHA)

describe('a password', () => {
  test('is kept as Argon2id of version 19, with at least the cost that OWASP asks for', () => {
    const [, kind, version, cost, nonce, hash] = kept.split('$')
    assert.deepEqual([kind, version], ['argon2id', 'v=19'])
    const [, memory, passes, lanes] = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(cost!)!.map(Number)
    assert.ok(memory! >= 19_456 && passes! >= 2 && lanes! >= 1, kept)
    assert.equal(Buffer.from(nonce!, 'base64').length, 16)
    assert.equal(Buffer.from(hash!, 'base64').length, 32)
    assert.doesNotMatch(`${nonce}${hash}`, /=/)
  })

  test('is hashed with a salt of its own each time', async () => {
    assert.notEqual(await hashSenha(SENHA), kept)
  })

  test('is known again, and no other is', async () => {
    assert.equal(await isSenha(SENHA, kept), true)
    assert.equal(await isSenha(`${SENHA} `, kept), false)
    assert.equal(await isSenha(SENHA.toUpperCase(), kept), false)
  })

  test('is the same however its accents are typed', async () => {
    const accented = await hashSenha('coração épico'.normalize('NFC'))
    assert.equal(await isSenha('coração épico'.normalize('NFD'), accented), true)
    assert.equal(await isSenha('coracao epico', accented), false)
  })

  test('is known by the cost that it was kept with, not by today’s', async () => {
    const nonce = Buffer.alloc(16, 7)
    const cost = { memory: 64, passes: 1, parallelism: 2 }
    const hash = argon2Sync('argon2id', { message: SENHA, nonce, tagLength: 32, ...cost })
    const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
    const old = `$argon2id$v=19$m=64,t=1,p=2$${text(nonce)}$${text(hash)}`
    assert.equal(await isSenha(SENHA, old), true)
    assert.equal(await isSenha('outra senha qualquer', old), false)
  })

  test('of nobody is never right', async () => {
    assert.equal(await isSenha(SENHA, undefined), false)
    assert.equal(await isSenha('', undefined), false)
  })
})
