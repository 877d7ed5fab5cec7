import assert from 'node:assert/strict'
import dns from 'node:dns'
import { Resolver as DnsResolver } from 'node:dns/promises'
import { describe, mock, test } from 'node:test'
import fc from 'fast-check'
import { AddressGuard, AddressRefused } from './address-guard.ts'

type Answer = string[] | Error | 'never'

const PUBLIC = ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2001:4860:4860::8888', '2804:14c::1']

const NOT_PUBLIC = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  'link-local': ['169.254.0.1', 'fe80::1', 'febf::1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  broadcast: ['255.255.255.255'],
  documentation: [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '2001:db8::1',
    '3fff::1',
    '3fff:fff::1',
  ],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  reserved: ['240.0.0.1', '254.1.1.1', '192.0.0.1', '192.0.0.192'],
  'outside of 2000::/3': ['4000::1', '5f00::1', '100::1', 'e000::1', '1fff::1'],
  '6to4': ['2002:7f00:1::1', '2002:808:808::1', '192.88.99.1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ORCHID: ['2001:10::1', '2001:1f::1', '2001:20::1', '2001:2f::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:7f00:1'],
  'IPv4-compatible': ['::7f00:1', '::a00:1', '::808:808'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1', '64:ff9b:1:ffff::1'],
  'unique-local': ['fc00::1', 'fd12:3456::1'],
  'site-local': ['fec0::1', 'feff::1'],
  'cloud metadata': ['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254'],
}

/** Stands for DNS: answers from a table that a test may change, and keeps what it was asked. */
function fakeDns(answers: { v4?: Answer; v6?: Answer } = {}) {
  const asked: string[] = []
  const answer = (family: 'v4' | 'v6') => (name: string) => {
    asked.push(`${family} ${name}`)
    const given = answers[family] ?? dnsError('ENODATA')
    if (given === 'never') return new Promise<string[]>(() => {})
    return given instanceof Error ? Promise.reject(given) : Promise.resolve(given)
  }
  return { answers, asked, resolver: { resolve4: answer('v4'), resolve6: answer('v6') } }
}

const dnsError = (code: string) => Object.assign(new Error(code), { code })
const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)
const asAnswer = (address: string) =>
  address.includes(':') ? { v6: [address] } : { v4: [address] }

function refused(work: Promise<unknown>, reason: RegExp, message = ''): Promise<void> {
  const isRefusal = (error: unknown) => {
    assert.ok(error instanceof AddressRefused, `${message}: ${error}`)
    assert.match(error.reason, reason, message)
    assert.match(error.reason, /^[AO] .*\.$/)
    return true
  }
  return assert.rejects(work, isRefusal, message)
}

/** Refused at subscription and at an attempt, and nothing is asked of DNS. */
async function refusedUnasked(url: string, reason: RegExp, devTargets: string[] = []) {
  const { resolver, asked } = fakeDns({ v4: ['8.8.8.8'] })
  const guard = new AddressGuard({ resolver, devTargets })
  await refused(guard.checkSubscription(url), reason, url)
  if (URL.canParse(url)) await refused(guard.addressesOf(new URL(url)), reason, url)
  assert.deepEqual(asked, [], url)
}

/** Accepted at both, with these addresses, and nothing is asked of DNS. */
async function acceptedUnasked(url: string, addresses: string[], devTargets: string[] = []) {
  const { resolver, asked } = fakeDns({ v4: ['10.0.0.1'] })
  const guard = new AddressGuard({ resolver, devTargets })
  await guard.checkSubscription(url)
  assert.deepEqual(await guard.addressesOf(new URL(url)), addresses, url)
  assert.deepEqual(asked, [], url)
}

async function withClock(work: () => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    await work()
  } finally {
    mock.timers.reset()
  }
}

describe('the URL', () => {
  test('has to be one', async () => {
    for (const text of [
      '',
      'exemplo.com.br',
      '//exemplo.com.br/',
      'https://',
      'https://exemplo.com.br:65536/',
      'https://256.1.1.1/',
      'https://1.2.3.4.5/',
      'https://4294967296/',
      'https://exemplo.1/',
      'https://٠.1.1.1/',
      'https://local host/',
      'https://localhost%00.exemplo.com/',
      'https://[::1/',
      'https://[fe80::1%eth0]/',
      'https://[fe80::1%25eth0]/',
      'https://[2606:4700::1111%25eth0]/',
    ]) {
      await refusedUnasked(text, /não é uma URL válida/)
    }
  })

  test('is https', async () => {
    for (const scheme of ['http:', 'HTTP:', 'ftp:', 'ws:', 'wss:', 'file:', 'gopher:', 'x:']) {
      await refusedUnasked(`${scheme}//exemplo.com.br/`, /https/)
    }
    for (const text of ['http://8.8.8.8/', 'http://localhost/', 'javascript:1', 'data:,x']) {
      await refusedUnasked(text, /https/)
    }
  })

  test('holds no user and no password', async () => {
    for (const user of ['user:pass@', 'user@', ':pass@', 'user:@', '8.8.8.8@', 'a@b@', '%40@']) {
      await refusedUnasked(`https://${user}exemplo.com.br/`, /usuário nem senha/)
    }
    const { resolver } = fakeDns({ v4: ['8.8.8.8'] })
    const guard = new AddressGuard({ resolver })
    for (const text of [
      'https://@exemplo.com.br/',
      'https://:@exemplo.com.br',
      'https:@exemplo.com.br/',
      'https:\\\\@exemplo.com.br/',
      ' \thttps:/\n/\r@exemplo.com.br/',
    ]) {
      await refused(guard.checkSubscription(text), /usuário nem senha/, text)
    }
  })

  test('may have any port, path, query and fragment', async () => {
    const { resolver } = fakeDns({ v4: ['8.8.8.8'] })
    const guard = new AddressGuard({ resolver })
    for (const text of [
      'https://exemplo.com.br',
      'HTTPS://EXEMPLO.COM.BR/',
      'https://exemplo.com.br:443/',
      'https://exemplo.com.br:8443/',
      'https://exemplo.com.br:22/a/@b?c=@d#e@f',
      'https://exemplo.com.br:65535?x=a@b',
      'https://exemplo.com.br#a@b',
      'https://exemplo.com.br\\@10.0.0.1/',
      'https://_x.exemplo.com.br./',
      'https://ação.exemplo.com.br/',
    ]) {
      await guard.checkSubscription(text)
      assert.deepEqual(await guard.addressesOf(new URL(text)), ['8.8.8.8'], text)
    }
  })
})

describe('a name', () => {
  test('of an inner network is refused before DNS, however it is written', async () => {
    const names = [
      'localhost',
      'a.localhost',
      'a.b.localhost',
      'receiver',
      'x',
      'local',
      'internal',
    ]
    names.push('printer.local', 'host.localdomain', 'localhost.localdomain', 'a.internal')
    names.push('metadata.google.internal', 'home.arpa', 'nas.home.arpa', '.localhost')
    for (const name of names) {
      for (const host of [name, `${name}.`, `${name}..`, name.toUpperCase(), `${name}:8443`]) {
        await refusedUnasked(`https://${host}/`, /nome do host/)
      }
    }
    for (const host of [
      '%6cocalhost',
      'ⓛocalhost',
      'ｌｏｃａｌｈｏｓｔ',
      'loc\u00ADalhost',
      'a。local',
      '.',
    ]) {
      await refusedUnasked(`https://${host}/`, /nome do host/)
    }
  })

  test('that only looks like one of an inner network is asked of DNS', async () => {
    for (const name of [
      'localhost.com',
      'mylocal.com',
      'notlocal.net',
      'xhome.arpa',
      'a.local.br',
    ]) {
      const { resolver, asked } = fakeDns({ v4: ['8.8.8.8'] })
      await new AddressGuard({ resolver }).checkSubscription(`https://${name.toUpperCase()}./`)
      assert.deepEqual(asked, [`v4 ${name}`, `v6 ${name}`])
    }
  })

  test('of a million dots takes no time', async () => {
    const host = `a${'.'.repeat(1_000_000)}b.localhost`
    await refusedUnasked(`https://${host}/`, /nome do host/)
  })

  test('is refused for any address that is not public, of either family', async () => {
    for (const [kind, addresses] of Object.entries(NOT_PUBLIC)) {
      for (const address of addresses) {
        const bad = asAnswer(address)
        for (const answers of [
          bad,
          { v4: ['8.8.8.8'], v6: ['2606:4700::1111'], ...bad },
          { v4: ['8.8.8.8', ...(bad.v4 ?? [])], v6: ['2606:4700::1111', ...(bad.v6 ?? [])] },
          { v4: dnsError('ESERVFAIL'), v6: dnsError('ESERVFAIL'), ...bad },
        ]) {
          const guard = new AddressGuard({ resolver: fakeDns(answers).resolver })
          const work = guard.checkSubscription('https://exemplo.com.br/')
          await refused(work, /leva a um endereço/, `${kind} ${address}`)
          const attempt = guard.addressesOf(new URL('https://exemplo.com.br/'))
          await refused(attempt, /leva a um endereço/, `${kind} ${address}`)
        }
      }
    }
  })

  test('is refused for an answer that is no plain address', async () => {
    for (const odd of [
      '',
      '0177.0.0.1',
      '2130706433',
      '127.1',
      '2606:4700::1%eth0',
      'a.b',
      '::x',
    ]) {
      for (const answers of [{ v4: [odd] }, { v6: [odd] }]) {
        const guard = new AddressGuard({
          resolver: fakeDns(answers).resolver,
          devTargets: ['0.0.0.0/0', '::/0'],
        })
        await refused(guard.checkSubscription('https://exemplo.com.br/'), /endereço/, odd)
        await refused(guard.addressesOf(new URL('https://exemplo.com.br/')), /endereço/, odd)
      }
    }
  })

  test('does not tell the subscriber what DNS answered', async () => {
    const { resolver } = fakeDns({ v4: ['10.1.2.3'] })
    const work = new AddressGuard({ resolver }).checkSubscription('https://exemplo.com.br/')
    await assert.rejects(work, (error) => !String(error).includes('10.1.2.3'))
  })

  test('that does not resolve can be subscribed', async () => {
    for (const answers of [
      {},
      { v4: [], v6: [] },
      { v4: dnsError('ENOTFOUND'), v6: dnsError('ENOTFOUND') },
      { v4: dnsError('ESERVFAIL'), v6: [] },
      { v4: ['8.8.8.8'], v6: dnsError('ETIMEOUT') },
    ]) {
      const { resolver, asked } = fakeDns(answers)
      await new AddressGuard({ resolver }).checkSubscription('https://exemplo.com.br/')
      assert.equal(asked.length, 2)
    }
  })

  test('that never answers can be subscribed after 2 s, not before', async () => {
    for (const answers of [
      { v4: 'never', v6: 'never' },
      { v4: 'never', v6: ['2606:4700::1111'] },
      { v4: ['8.8.8.8'], v6: 'never' },
    ] as const) {
      await withClock(async () => {
        const { resolver } = fakeDns({ ...(answers as { v4: Answer; v6: Answer }) })
        let accepted = false
        const work = new AddressGuard({ resolver })
          .checkSubscription('https://exemplo.com.br/')
          .then(() => {
            accepted = true
          })
        mock.timers.tick(1_999)
        await new Promise(setImmediate)
        assert.equal(accepted, false)
        mock.timers.tick(1)
        await work
      })
    }
  })

  test('is refused at once for one family, though the other never answers', async () => {
    for (const answers of [
      { v4: ['10.0.0.1'], v6: 'never' },
      { v4: 'never', v6: ['::1'] },
    ] as { v4: Answer; v6: Answer }[]) {
      await withClock(async () => {
        const guard = new AddressGuard({ resolver: fakeDns(answers).resolver })
        await refused(guard.checkSubscription('https://exemplo.com.br/'), /leva a um endereço/)
      })
    }
  })
})

describe('an attempt', () => {
  const url = new URL('https://exemplo.com.br:8443/hook')

  test('gets every address once, IPv4 first, in the order of DNS', async () => {
    const { resolver, asked } = fakeDns({
      v4: ['8.8.8.8', '1.1.1.1', '8.8.8.8'],
      v6: ['2606:4700::1111', '2001:4860:4860::8888'],
    })
    assert.deepEqual(await new AddressGuard({ resolver }).addressesOf(url), [
      '8.8.8.8',
      '1.1.1.1',
      '2606:4700::1111',
      '2001:4860:4860::8888',
    ])
    assert.deepEqual(asked, ['v4 exemplo.com.br', 'v6 exemplo.com.br'])
  })

  test('is content with one family where the other fails or has none', async () => {
    for (const none of [[], dnsError('ENODATA'), dnsError('ESERVFAIL')]) {
      const v4 = new AddressGuard({ resolver: fakeDns({ v4: ['8.8.8.8'], v6: none }).resolver })
      assert.deepEqual(await v4.addressesOf(url), ['8.8.8.8'])
      const v6 = new AddressGuard({ resolver: fakeDns({ v4: none, v6: ['2a00::1'] }).resolver })
      assert.deepEqual(await v6.addressesOf(url), ['2a00::1'])
    }
  })

  test('fails with the error of the resolver where there is no address', async () => {
    const [gone, broken, none] = ['ENOTFOUND', 'ESERVFAIL', 'ENODATA'].map(dnsError)
    for (const [v4, v6, expected] of [
      [gone, gone, gone],
      [none, none, none],
      [none, broken, broken],
      [broken, none, broken],
      [[], broken, broken],
    ] as [Answer, Answer, Error][]) {
      const guard = new AddressGuard({ resolver: fakeDns({ v4, v6 }).resolver })
      await assert.rejects(guard.addressesOf(url), (error) => error === expected)
    }
    const empty = new AddressGuard({ resolver: fakeDns({ v4: [], v6: [] }).resolver })
    await assert.rejects(empty.addressesOf(url), { code: 'ENOTFOUND' })
  })

  test('does not wait for ever', async () => {
    await withClock(async () => {
      const silent = new AddressGuard({ resolver: fakeDns({ v4: 'never', v6: 'never' }).resolver })
      const half = new AddressGuard({
        resolver: fakeDns({ v4: ['8.8.8.8'], v6: 'never' }).resolver,
      })
      const nothing = assert.rejects(silent.addressesOf(url), { code: 'ETIMEOUT' })
      const something = half.addressesOf(url)
      mock.timers.tick(5_000)
      await nothing
      assert.deepEqual(await something, ['8.8.8.8'])
    })
  })

  test('sees a name that was rebound since the subscription, or since the last attempt', async () => {
    for (const rebound of [
      { v4: ['127.0.0.1'] },
      { v4: ['8.8.8.8', '169.254.169.254'] },
      { v4: ['8.8.8.8'], v6: ['::ffff:10.0.0.1'] },
    ]) {
      const { resolver, answers, asked } = fakeDns({ v4: ['8.8.8.8'] })
      const guard = new AddressGuard({ resolver })
      await guard.checkSubscription(url.href)
      Object.assign(answers, rebound)
      await refused(guard.addressesOf(url), /leva a um endereço/)
      Object.assign(answers, { v4: ['1.1.1.1'], v6: [] })
      assert.deepEqual(await guard.addressesOf(url), ['1.1.1.1'])
      Object.assign(answers, rebound)
      await refused(guard.addressesOf(url), /leva a um endereço/)
      assert.equal(asked.length, 8)
    }
  })

  test('asks once for each family: what was judged is what is dialled', async () => {
    let calls = 0
    const resolve4 = async () => [calls++ === 0 ? '8.8.8.8' : '127.0.0.1']
    const guard = new AddressGuard({ resolver: { resolve4, resolve6: async () => [] } })
    assert.deepEqual(await guard.addressesOf(url), ['8.8.8.8'])
    assert.equal(calls, 1)
    await refused(guard.addressesOf(url), /leva a um endereço/)
  })
})

describe('an address in the URL', () => {
  test('is refused where it is not public', async () => {
    for (const addresses of Object.values(NOT_PUBLIC)) {
      for (const address of addresses) {
        await refusedUnasked(`https://${inUrl(address)}/`, /O endereço .* não é público/)
        await refusedUnasked(`https://${inUrl(address)}:8443/x`, /não é público/)
      }
    }
  })

  test('is refused in every spelling', async () => {
    for (const host of [
      '2130706433',
      '0x7f000001',
      '017700000001',
      '0x7f.1',
      '0x7F.0.0.0x1',
      '0177.0.0.1',
      '00000177.0.0.1',
      '127.1',
      '127.0.1',
      '127.0.0.1.',
      '127.0.0.1..',
      '0',
      '0x',
      '１２７.０.０.１',
      '127。0。0。1',
      '①②⑦.0.0.1',
      '%31%32%37.0.0.1',
      '2852039166',
      '0xa9fea9fe',
      '0xa9.254.0251.0xfe',
      '3232235521',
      '10.1',
      '168.63.33040',
      '[::FFFF:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:7f00:0001]',
      '[::127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[0000:0000::0001]',
      '[FE80::1]',
    ]) {
      await refusedUnasked(`https://${host}/`, /não é público/)
    }
  })

  test('is accepted where it is public, and dialled as it is', async () => {
    for (const address of PUBLIC) await acceptedUnasked(`https://${inUrl(address)}:444/`, [address])
    await acceptedUnasked('https://134744072/', ['8.8.8.8'])
    await acceptedUnasked('https://0x08.8.2056/', ['8.8.8.8'])
    await acceptedUnasked('https://[2606:4700:0:0::1111]/', ['2606:4700::1111'])
    for (const edge of ['172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '11.0.0.1']) {
      await acceptedUnasked(`https://${edge}/`, [edge])
    }
    for (const edge of ['223.255.255.255', '198.17.0.1', '198.20.0.1', '168.63.129.17']) {
      await acceptedUnasked(`https://${edge}/`, [edge])
    }
  })
})

describe('development targets', () => {
  const loopback = ['127.0.0.0/8', '::1/128']

  test('may be called, with http too, by an address that is inside', async () => {
    for (const scheme of ['http', 'https']) {
      await acceptedUnasked(`${scheme}://127.0.0.1:4000/`, ['127.0.0.1'], loopback)
      await acceptedUnasked(`${scheme}://2130706433/`, ['127.0.0.1'], loopback)
      await acceptedUnasked(`${scheme}://[::1]:4000/`, ['::1'], loopback)
      await acceptedUnasked(`${scheme}://10.1.2.3/`, ['10.1.2.3'], ['10.1.0.0/16'])
      await acceptedUnasked(`${scheme}://[fd12::1]/`, ['fd12::1'], ['fd12::/16'])
    }
  })

  test('open localhost as far as they go', async () => {
    for (const url of ['http://localhost:4000/', 'https://LOCALHOST./']) {
      await acceptedUnasked(url, ['127.0.0.1', '::1'], loopback)
      await acceptedUnasked(url, ['127.0.0.1'], ['127.0.0.1/32'])
      await acceptedUnasked(url, ['::1'], ['::1/128'])
    }
    await refusedUnasked('https://localhost/', /nome do host/, ['10.0.0.0/8'])
    await refusedUnasked('http://localhost/', /https/, ['10.0.0.0/8'])
  })

  test('open nothing else', async () => {
    await refusedUnasked('https://10.0.0.1/', /não é público/, loopback)
    await refusedUnasked('https://[::ffff:127.0.0.1]/', /não é público/, loopback)
    await refusedUnasked('https://[::7f00:1]/', /não é público/, loopback)
    await refusedUnasked('https://[::2]/', /não é público/, loopback)
    await refusedUnasked('http://8.8.8.8/', /https/, loopback)
    await refusedUnasked('http://exemplo.com.br/', /https/, loopback)
    await refusedUnasked('ftp://127.0.0.1/', /https/, loopback)
    await refusedUnasked('http://user@127.0.0.1/', /usuário/, loopback)
    await refusedUnasked('https://a.localhost/', /nome do host/, loopback)
    await refusedUnasked('https://receiver/', /nome do host/, loopback)
    await acceptedUnasked('https://8.8.8.8/', ['8.8.8.8'], loopback)
  })

  test('may be what a name leads to, with https', async () => {
    const { resolver, answers } = fakeDns({ v4: ['127.0.0.2', '8.8.8.8'] })
    const guard = new AddressGuard({ resolver, devTargets: loopback })
    const url = new URL('https://exemplo.com.br/')
    await guard.checkSubscription(url.href)
    assert.deepEqual(await guard.addressesOf(url), ['127.0.0.2', '8.8.8.8'])
    answers.v4 = ['127.0.0.2', '10.0.0.1']
    await refused(guard.checkSubscription(url.href), /leva a um endereço/)
    await refused(guard.addressesOf(url), /leva a um endereço/)
  })

  test('have to be ranges', () => {
    for (const text of ['', 'localhost', '127.0.0.1', '127.0.0.0/33', '::1/129']) {
      assert.throws(() => new AddressGuard({ devTargets: [text] }), text)
    }
  })
})

test('by default DNS itself is asked, never the look-up of the system', async () => {
  const never = mock.method(dns, 'lookup', () => assert.fail('dns.lookup'))
  const neither = mock.method(dns.promises, 'lookup', () => assert.fail('dns.promises.lookup'))
  const v4 = mock.method(DnsResolver.prototype, 'resolve4', async () => ['8.8.8.8'])
  const v6 = mock.method(DnsResolver.prototype, 'resolve6', async () => ['2606:4700::1111'])
  try {
    const guard = new AddressGuard()
    await guard.checkSubscription('https://exemplo.com.br/')
    const found = await guard.addressesOf(new URL('https://exemplo.com.br/'))
    assert.deepEqual(found, ['8.8.8.8', '2606:4700::1111'])
    const counts = [v4, v6, never, neither].map((method) => method.mock.callCount())
    assert.deepEqual(counts, [2, 2, 0, 0])
  } finally {
    mock.restoreAll()
  }
})

describe('whatever the address', () => {
  /** Any address of a range, written out by this test, not by the library under the guard. */
  const v4In = (base: number, bits: number) =>
    fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((rest) => base + rest)
  const dotted = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.')
  const groups = (length: number) =>
    fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: length, maxLength: length })
  const asV6 = (parts: number[]) => parts.map((part) => part.toString(16)).join(':')

  const privateV4 = fc.oneof(
    v4In(0, 8),
    v4In(0x0a000000, 8),
    v4In(0x64400000, 10),
    v4In(0x7f000000, 8),
    v4In(0xa9fe0000, 16),
    v4In(0xac100000, 12),
    v4In(0xc0000000, 24),
    v4In(0xc0a80000, 16),
    v4In(0xc6120000, 15),
    v4In(0xe0000000, 3),
  )
  const spelt = (n: number) =>
    fc.constantFrom(
      dotted(n),
      String(n),
      `0x${n.toString(16)}`,
      `0${n.toString(8)}`,
      `${n >>> 24}.${n & 0xffffff}`,
      `0x${(n >>> 24).toString(16)}.0${((n >>> 16) & 255).toString(8)}.${n & 0xffff}`,
    )

  const holds = (work: fc.IAsyncPropertyWithHooks<[string]>) => fc.assert(work, { numRuns: 500 })

  test('no private IPv4 passes, in any spelling', async () => {
    const hosts = privateV4.chain(spelt)
    await holds(fc.asyncProperty(hosts, (host) => refusedUnasked(`https://${host}/`, /público/)))
  })

  test('no private IPv4 passes as the answer of DNS', async () => {
    await holds(
      fc.asyncProperty(privateV4.map(dotted), async (address) => {
        const guard = new AddressGuard({ resolver: fakeDns({ v4: ['8.8.8.8', address] }).resolver })
        await refused(guard.addressesOf(new URL('https://exemplo.com.br/')), /público/)
      }),
    )
  })

  test('no IPv4 passes inside of an IPv6, were it public itself', async () => {
    const wrapped = fc
      .tuple(groups(2), groups(1))
      .chain(([v4, other]) =>
        fc.constantFrom(
          asV6([0, 0, 0, 0, 0, 0, ...v4]),
          asV6([0, 0, 0, 0, 0, 0xffff, ...v4]),
          asV6([0, 0, 0, 0, 0xffff, 0, ...v4]),
          asV6([0x64, 0xff9b, 0, 0, 0, 0, ...v4]),
          asV6([0x64, 0xff9b, 1, ...other, 0, 0, ...v4]),
          asV6([0x2002, ...v4, ...other, 0, 0, 0, 1]),
          asV6([0x2001, 0, ...v4, ...other, 0, 0, 1]),
        ),
      )
    await holds(fc.asyncProperty(wrapped, (v6) => refusedUnasked(`https://[${v6}]/`, /público/)))
  })

  test('no IPv6 outside of 2000::/3 passes', async () => {
    const outside = groups(8).filter(([first]) => first! >>> 13 !== 1)
    const hosts = outside.map((parts) => `https://[${asV6(parts)}]/`)
    await holds(fc.asyncProperty(hosts, (url) => refusedUnasked(url, /público/)))
  })

  test('public ones pass', async () => {
    const v4 = fc.oneof(v4In(0x08000000, 8), v4In(0x01000000, 8), v4In(0xc8000000, 8)).map(dotted)
    const v6 = groups(6).map((rest) => asV6([0x2606, 0x4700, ...rest]))
    await holds(
      fc.asyncProperty(fc.oneof(v4, v6), async (address) => {
        const guard = new AddressGuard({ resolver: fakeDns(asAnswer(address)).resolver })
        await guard.checkSubscription(`https://${inUrl(address)}/`)
        const found = await guard.addressesOf(new URL('https://exemplo.com.br/'))
        assert.deepEqual(found, [address])
      }),
    )
  })
})
