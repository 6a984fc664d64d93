import dns from 'node:dns';
import { type LookupFunction, Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isPublicAddress, validateUrl } from '../../shared/messaging/webhooks/destination.ts';
import { send } from '../../shared/messaging/webhooks/send.ts';

/** Every HTTP and HTTPS connection of this process calls this method. */
const connect = vi.spyOn(Socket.prototype, 'connect');
const threadLookup = vi.spyOn(dns, 'lookup');

beforeEach(() => {
  connect.mockReset().mockImplementation(function (this: Socket) {
    setImmediate(() => this.destroy(new Error('No test of this file may open a connection.')));
    return this;
  });
  threadLookup.mockClear();
  vi.stubEnv('STAGE', 'prod');
});
afterEach(() => vi.unstubAllEnvs());

/** The options of `connect`. */
type Connection = { lookup: LookupFunction; host: string };

const post = (url: string, ...answers: string[][]) => {
  const resolve = vi.fn(async () => answers.shift() ?? []);
  return { resolve, sent: send({ url, headers: {}, body: Buffer.from('{}') }, { resolve }) };
};

const urls = (text: string) => text.trim().split(/\s+/);
/** URLs that are refused without a lookup. */
const forbiddenUrls: Record<string, string[]> = {
  'a private address': urls(`
    https://10.0.0.1/ https://10.255.255.255/ https://172.16.0.1/ https://172.31.255.254/
    https://192.168.1.1/hook https://100.64.0.1/ https://[fc00::1]/ https://[fd12:3456:789a::1]/`),
  loopback: urls(`
    https://127.0.0.1/ https://127.8.9.10/ https://[::1]/ https://localhost/ https://LOCALHOST/
    https://app.localhost/ https://0.0.0.0/ https://[::]/`),
  'a link-local address': ['https://169.254.0.1/', 'https://[fe80::1]/', 'https://[febf::1]/'],
  'a metadata address': urls(`
    https://169.254.169.254/latest/meta-data/ https://169.254.170.2/v2/credentials/
    https://[fd00:ec2::254]/latest/meta-data/ https://metadata.google.internal/computeMetadata/v1/
    https://100.100.100.200/latest/meta-data/ https://192.0.0.192/opc/v2/instance/
    https://168.63.129.16/machine`),
  'IPv4 inside IPv6': urls(`
    https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[::ffff:169.254.169.254]/
    https://[::127.0.0.1]/ https://[64:ff9b::7f00:1]/ https://[64:ff9b::169.254.169.254]/
    https://[64:ff9b:1::a00:1]/ https://[2002:7f00:1::]/ https://[2002:a9fe:a9fe::1]/
    https://[2001:0:7f00:1::1]/ https://[::ffff:0:127.0.0.1]/`),
  'another notation of an address': urls(`
    https://2130706433/ https://0x7f000001/ https://0x7f.1/ https://017700000001/ https://0177.0.0.1/
    https://127.1/ https://2852039166/ https://①②⑦.⓪.⓪.①/ https://127%2e0%2e0%2e1/ https://127。0。0。1/
    https://①⑥⑨.②⑤④.①⑥⑨.②⑤④/`),
  'a dot at the end': [
    'https://127.0.0.1./',
    'https://localhost./',
    'https://metadata.google.internal./',
    'https://10.0.0.1./',
  ],
  'user info': [
    'https://user@hooks.example.com/',
    'https://user:secret@hooks.example.com/',
    'https://hooks.example.com@127.0.0.1/',
    'https://:secret@hooks.example.com/',
  ],
  'another port': [
    'https://hooks.example.com:8443/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:80/',
    'https://8.8.8.8:6379/',
  ],
  'another scheme': urls(`
    http://hooks.example.com/ http://hooks.example.com:443/ ftp://hooks.example.com/ file:///etc/passwd
    gopher://127.0.0.1:6379/_INFO data:text/plain,hello wss://hooks.example.com/`),
  'a private name': urls(`
    https://intranet/ https://printer.local/ https://router.home.arpa/ https://ip-10-0-0-1.ec2.internal/
    https://hidden.onion/`),
  'a reserved block': urls(`
    https://192.0.2.1/ https://198.51.100.7/ https://203.0.113.7/ https://198.18.0.1/ https://192.88.99.1/
    https://224.0.0.1/ https://255.255.255.255/ https://[2001:db8::1]/ https://[3fff::1]/ https://[ff02::1]/
    https://[4000::1]/`),
  'Lambda’s runtime API': [
    'http://127.0.0.1:9001/2018-06-01/runtime/invocation/next',
    'https://127.0.0.1:9001/',
    'http://localhost:9001/2018-06-01/runtime/invocation/next',
  ],
  'not a URL': ['', 'hooks.example.com', 'https://', 'https://[::1', 'https://a b/', 'https:///'],
};

describe('a forbidden destination opens no socket', () => {
  const cases = Object.entries(forbiddenUrls).flatMap(([why, all]) => all.map((url) => [why, url] as const));

  test('at least sixty URLs are tested', () => {
    expect(new Set(cases.map(([, url]) => url)).size).toBeGreaterThanOrEqual(60);
  });

  test.each(cases)('%s: %s is refused by validation and on each attempt', async (_why, url) => {
    expect(validateUrl(url)).toEqual(expect.arrayContaining([{ field: 'url', message: expect.any(String) }]));
    const { sent, resolve } = post(url, ['8.8.8.8']);
    expect(await sent).toMatchObject({ error: 'url_forbidden' });
    expect(resolve).not.toHaveBeenCalled();
    expect(connect).not.toHaveBeenCalled();
  });

  test.each([
    ['private', ['10.0.0.5']],
    ['loopback', ['127.0.0.1']],
    ['loopback of IPv6', ['::1']],
    ['metadata', ['169.254.169.254']],
    ['metadata by IPv6', ['fd00:ec2::254']],
    ['mapped', ['::ffff:169.254.169.254']],
    ['translated', ['64:ff9b::a9fe:a9fe']],
    ['6to4', ['2002:a9fe:a9fe::1']],
    ['public first, then private', ['8.8.8.8', '192.168.0.1']],
    ['private first, then public', ['192.168.0.1', '8.8.8.8']],
    ['public IPv4 and private IPv6', ['8.8.8.8', 'fd00::1']],
    ['with a zone', ['fe80::1%eth0']],
    ['not addresses', ['localhost']],
  ])('a name whose addresses are %s is refused on the attempt', async (_why, answers) => {
    expect(validateUrl('https://hooks.example.com/')).toEqual([]);
    const { sent } = post('https://hooks.example.com/', answers);
    expect(await sent).toMatchObject({ error: 'address_forbidden' });
    expect(connect).not.toHaveBeenCalled();
  });

  test('a name is looked up once per attempt, and the connection goes to the validated address', async () => {
    const { sent, resolve } = post('https://hooks.example.com/', ['8.8.8.8'], ['127.0.0.1']);
    expect(await sent).toMatchObject({ error: 'connection_failed', address: '8.8.8.8' });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(connect).toHaveBeenCalledTimes(1);
    const [options] = connect.mock.calls.map(([given]) => Object(given) as Connection);
    if (!options) throw new Error('There was no connection.');
    const found = vi.fn();
    options.lookup(options.host, { all: true }, found);
    expect(found).toHaveBeenCalledWith(null, [{ address: '8.8.8.8', family: 4 }]);
    expect(threadLookup).not.toHaveBeenCalled();
  });

  test('a name is validated again on the next attempt', async () => {
    const url = 'https://hooks.example.com/';
    const resolve = vi.fn(async () => (resolve.mock.calls.length === 1 ? ['8.8.8.8'] : ['127.0.0.1']));
    const attempt = () => send({ url, headers: {}, body: Buffer.from('{}') }, { resolve });
    expect(await attempt()).toMatchObject({ error: 'connection_failed' });
    expect(await attempt()).toMatchObject({ error: 'address_forbidden' });
    expect(connect).toHaveBeenCalledTimes(1);
  });

  test('a name without an address fails with name_unknown', async () => {
    expect(await post('https://hooks.example.com/', []).sent).toMatchObject({ error: 'name_unknown' });
    expect(connect).not.toHaveBeenCalled();
  });
});

describe('an allowed destination', () => {
  test.each([
    'https://hooks.example.com/',
    'https://hooks.example.com:443/x?y=z',
    'https://hooks.example.com./',
    'https://xn--bcher-kva.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://notlocalhost.example.com/',
    'https://internal.example.com/',
    'https://172.32.0.1/',
    'https://100.128.0.1/',
  ])('%s', (url) => expect(validateUrl(url)).toEqual([]));

  test('may be this machine only in the stage local, with http or https and on any port', () => {
    const here = [
      'http://127.0.0.1:4000/',
      'https://127.0.0.1:4443/',
      'http://localhost/',
      'http://[::1]:4000/',
    ];
    for (const stage of ['prod', 'dev', '']) {
      vi.stubEnv('STAGE', stage);
      for (const url of here) expect(validateUrl(url), url).not.toEqual([]);
    }
    vi.stubEnv('STAGE', 'local');
    for (const url of here) expect(validateUrl(url), url).toEqual([]);
    for (const url of [
      'http://hooks.example.com/',
      'https://10.0.0.1/',
      'http://0.0.0.0:4000/',
      'http://[::ffff:127.0.0.1]:4000/',
      'https://hooks.example.com:8443/',
      'http://user@127.0.0.1:4000/',
    ])
      expect(validateUrl(url), url).not.toEqual([]);
  });

  test('is not a public name that resolves to this machine, even in the stage local', async () => {
    vi.stubEnv('STAGE', 'local');
    const { sent } = post('https://lvh.example.com/', ['127.0.0.1']);
    expect(await sent).toMatchObject({ error: 'address_forbidden' });
    expect(connect).not.toHaveBeenCalled();
  });

  test('is never the port of Lambda’s runtime API', async () => {
    vi.stubEnv('STAGE', 'local');
    vi.stubEnv('AWS_LAMBDA_RUNTIME_API', '127.0.0.1:9001');
    for (const host of ['127.0.0.1', '127.0.0.2', 'localhost', 'a.localhost', '[::1]', '2130706433']) {
      const url = `http://${host}:9001/2018-06-01/runtime/invocation/next`;
      expect(validateUrl(url), url).not.toEqual([]);
      expect(await post(url).sent).toMatchObject({ error: 'url_forbidden' });
    }
    expect(connect).not.toHaveBeenCalled();
    expect(validateUrl('http://127.0.0.1:9002/')).toEqual([]);
  });

  test('is neither an IPv6 address outside the allocated block nor an address that contains an IPv4 address', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffff }),
        fc.array(group, { minLength: 7, maxLength: 7 }),
        (first, rest) => {
          const address = [first.toString(16), ...rest].join(':');
          if (first < 0x2000 || first > 0x3fff || first === 0x2002)
            expect(isPublicAddress(address)).toBe(false);
        },
      ),
    );
    fc.assert(fc.property(fc.ipV4(), (address) => !isPublicAddress(`::ffff:${address}`)));
  });
});
