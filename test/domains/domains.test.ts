import { beforeEach, describe, expect, test, vi } from 'vitest';
import readAccount from '../../functions/accounts/read-account.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import activateDomain from '../../functions/domains/activate-domain.ts';
import deleteDomain from '../../functions/domains/delete-domain.ts';
import listDomains from '../../functions/domains/list-domains.ts';
import readDomain from '../../functions/domains/read-domain.ts';
import requestDomain from '../../functions/domains/request-domain.ts';
import validateDomain from '../../functions/domains/validate-domain.ts';
import type { VanityDomain } from '../../shared/domains/schema.ts';
import { heldUp, interleave } from '../harness/interleave.ts';
import { nextMinute } from '../harness/quiet-minute.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { activated, of, publishFile, publishRecord, requested, servers } from './world.ts';

let acme = await tenant();
const other = await tenant();
beforeEach(async () => {
  acme = await tenant();
});

const refusalOf = async (domain: VanityDomain, action: 'validate' | 'activate' = 'validate') => {
  const { admin } = acme;
  const { status, body } = await (action === 'validate'
    ? admin.call(validateDomain, of(domain))
    : admin.call(activateDomain, of(domain)));
  expect(status).toBe(400);
  const after = await admin.ok(readDomain, of(domain));
  expect([after.status, after.version]).toEqual([domain.status, domain.version]);
  return body as { error: string; message: string };
};

const eventsOf = async ({ accountId }: Tenant, { id }: VanityDomain) =>
  (await storedEvents(accountId)).filter(({ subject }) => (subject as { id: unknown }).id === id);

describe('a vanity domain', () => {
  test('that two concurrent requests activate is active, however their reads and writes are interleaved', async () => {
    for (let after = 0; after < 8; after++) {
      const owner = await tenant();
      const domain = await requested(owner, 'pay.example.com');
      publishRecord(domain);
      publishFile(domain);
      await owner.admin.ok(validateDomain, of(domain));
      const activate = () => owner.admin.call(activateDomain, of(domain));
      const responses = await interleave([activate, activate], heldUp(0, after, 'oldest'));
      expect(responses.map(({ status, body }) => [status, body.status])).toEqual([
        [200, 'active'],
        [200, 'active'],
      ]);
      const kinds = (await eventsOf(owner, domain)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'vanity_domain_activated')).toHaveLength(1);
      await owner.admin.ok(deleteDomain, of(domain));
    }
  });

  test('is requested, validated by its TXT record, activated by its file, and used in links until it is deleted', async () => {
    await acme.admin.ok(updateAccount, {
      params: { id: acme.accountId },
      body: { portalUrl: 'https://portal.service.example:8080/back-office/' },
    });
    const application = await acme.admin.ok(createApplication);
    const read = { params: { applicationId: application.id } };
    const domain = await requested(acme, 'Pay.Example.com');
    expect(domain).toMatchObject({
      domain: 'pay.example.com',
      unicodeDomain: 'pay.example.com',
      status: 'requested',
      txtRecord: {
        name: '_merchant-ops-challenge.pay.example.com',
        value: expect.stringMatching(/^merchant-ops-domain=[\w-]{24}$/),
      },
      webFile: { url: 'https://pay.example.com/.well-known/merchant-ops-domain' },
      proof: {},
    });
    publishRecord(domain);
    publishFile(domain);
    const validated = await acme.admin.ok(validateDomain, of(domain));
    expect(validated).toMatchObject({ status: 'validated', version: 2, validatedAt: expect.any(String) });
    expect(validated.proof.lastProvedAt).toEqual(validated.validatedAt);
    expect((await acme.admin.ok(readApplication, read)).custom_domain).toBe('portal.service.example:8080');
    const active = await acme.admin.ok(activateDomain, of(domain));
    expect(active).toMatchObject({ status: 'active', version: 3 });
    expect((await acme.admin.ok(readApplication, read)).custom_domain).toBe('pay.example.com');
    expect(await acme.admin.ok(readAccount, { params: { id: acme.accountId } })).toMatchObject({
      vanityDomain: 'pay.example.com',
      portalUrl: 'https://portal.service.example:8080/back-office/',
    });
    expect(await acme.admin.ok(listDomains, { query: { search: 'pay', status: ['active'] } })).toMatchObject({
      data: [{ id: domain.id, proof: active.proof }],
      totalCount: 1,
    });
    await acme.admin.ok(deleteDomain, of(domain));
    expect((await acme.admin.ok(readApplication, read)).custom_domain).toBe('portal.service.example:8080');
    expect((await acme.admin.call(readDomain, of(domain))).status).toBe(404);
    expect(await eventsOf(acme, domain)).toMatchObject([
      { kind: 'vanity_domain_requested', subject: { label: 'pay.example.com' } },
      { kind: 'vanity_domain_validated', data: { domain: 'pay.example.com' } },
      { kind: 'vanity_domain_activated', data: { domain: 'pay.example.com' } },
      { kind: 'vanity_domain_deleted', data: { domain: 'pay.example.com' } },
    ]);
    const settings = (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'account_updated');
    expect(settings.slice(-2).map(({ data }) => data)).toEqual([
      { changes: { vanityDomain: { to: 'pay.example.com' } } },
      { changes: { vanityDomain: { from: 'pay.example.com' } } },
    ]);
  });

  test.each([
    (value: string) => `"${value}"`,
    (value: string) => ` ${value} `,
    (value: string) => `"${value} "`,
    (value: string) => `\u201c${value}\u201d\u00a0`,
    (value: string) => `'${value}'\r`,
  ])('is proved by values with quotation marks and spaces around them', async (written) => {
    const domain = await requested(acme, 'quoted.example.com');
    publishRecord(domain);
    publishFile(domain);
    const { txtRecord, webFile } = domain;
    servers.dns.names.set(txtRecord.name, { TXT: ['v=spf1 -all', written(txtRecord.value)] });
    const page = servers.pages.get('quoted.example.com/.well-known/merchant-ops-domain') ?? expect.fail();
    page.body = `\ufeff${written(webFile.content)}\n`;
    await acme.admin.ok(validateDomain, of(domain));
    expect(await acme.admin.ok(activateDomain, of(domain))).toMatchObject({ status: 'active' });
    servers.dns.names.set(txtRecord.name, { TXT: [`x${txtRecord.value}`, `${txtRecord.value}"x`] });
    expect(await acme.admin.call(validateDomain, of(domain))).toMatchObject({ status: 400 });
  });

  test('replaces the domain that was active before, which remains validated', async () => {
    const first = await activated(acme, 'first.example.com');
    const second = await activated(acme, 'second.example.com');
    expect(await acme.admin.ok(readDomain, of(first))).toMatchObject({ status: 'validated' });
    expect((await eventsOf(acme, second)).at(-1)).toMatchObject({
      data: { domain: 'second.example.com', replacedDomain: 'first.example.com' },
    });
  });

  test('in Unicode is stored in Punycode, and both forms are shown', async () => {
    const domain = await requested(acme, ' BÜCHER.example.net。');
    expect(domain).toMatchObject({
      domain: 'xn--bcher-kva.example.net',
      unicodeDomain: 'bücher.example.net',
      txtRecord: { name: '_merchant-ops-challenge.xn--bcher-kva.example.net' },
    });
    expect(await requested(other, 'xn--bcher-kva.example.net')).toMatchObject({
      unicodeDomain: 'bücher.example.net',
    });
    publishRecord(domain);
    publishFile(domain);
    await acme.admin.ok(validateDomain, of(domain));
    expect(await acme.admin.ok(activateDomain, of(domain))).toMatchObject({ status: 'active' });
  });

  test.each([
    ['an IP address', '192.0.2.1'],
    ['an IP address', '[2001:db8::1]'],
    ['an IP address', '0x7f.1'],
    ['an IP address', '１２７.0.0.1'],
    ['a public suffix', 'co.uk'],
    ['a public suffix', 'github.io'],
    ['public top-level', 'localhost'],
    ['public top-level', 'shop.localhost'],
    ['public top-level', 'printer.local'],
    ['without scheme', 'https://pay.example.com/'],
    ['without scheme', 'pay_now.example.com'],
    ['without scheme', '-pay.example.com'],
    ['without scheme', 'pay..example.com'],
    ['without scheme', `${'a'.repeat(64)}.example.com`],
    ['at most 229 characters', `${'a234567.'.repeat(28)}example.com`],
    ['a domain of this service', 'service.example.org'],
    ['a domain of this service', 'api.service.example.org'],
    ['a domain of this service', 'shop.api.service.example.org'],
  ])('must not be or must be %s: %s', async (message, domain) => {
    vi.stubEnv('SERVICE_HOSTS', 'api.service.example.org portal.service.example.org');
    const { status, body } = await acme.admin.call(requestDomain, { body: { domain } });
    expect([status, body]).toMatchObject([
      400,
      { details: [{ field: 'domain', message: expect.stringContaining(message) }] },
    ]);
  });

  test('cannot be requested twice by an account, and an account has at most ten', async () => {
    const few = await tenant();
    for (let n = 0; n < 10; n++) await requested(few, `shop${n}.example.com`);
    const call = (domain: string) => few.admin.call(requestDomain, { body: { domain } });
    expect((await call('shop10.example.com')).body).toMatchObject({ error: 'quota_exceeded' });
    const { data } = await few.admin.ok(listDomains);
    await few.admin.ok(deleteDomain, { params: { id: data[0]?.id ?? 0 } });
    expect((await call('SHOP1.example.com')).body).toMatchObject({ error: 'domain_exists' });
    expect((await call('shop9.example.com')).status).toBe(201);
  });

  test('is available to administrators only', async () => {
    expect((await acme.key.call(listDomains)).status).toBe(403);
    const { status } = await acme.key.call(requestDomain, { body: { domain: 'key.example.com' } });
    expect(status).toBe(403);
  });
});

describe('a validation fails without a change', () => {
  test('if there is no zone, no record, or another value', async () => {
    const domain = await requested(acme, 'one.example.com');
    expect(await refusalOf(domain)).toMatchObject({
      error: 'domain_not_proved',
      message: 'The TXT record _merchant-ops-challenge.one.example.com does not exist.',
    });
    servers.dns.names.set(domain.txtRecord.name, { TXT: [`x${'y'.repeat(100)}`, 'ünrelated'] });
    const { message } = await refusalOf(domain);
    expect(message).toBe(
      `The TXT record _merchant-ops-challenge.one.example.com has another value: "x${'y'.repeat(59)}", "??nrelated".`,
    );
    servers.dns.names.clear();
    expect(await refusalOf(domain)).toMatchObject({ error: 'domain_not_proved' });
  });

  test('if the challenge is that of another account or of another domain', async () => {
    const domain = await requested(acme, 'two.example.com');
    const [others, second] = [
      await requested(other, 'two.example.com'),
      await requested(acme, 'twin.example.com'),
    ];
    for (const { txtRecord } of [others, second]) {
      servers.dns.names.set(domain.txtRecord.name, { TXT: [txtRecord.value] });
      expect(await refusalOf(domain)).toMatchObject({ error: 'domain_not_proved' });
    }
  });

  test('if a wildcard record with another value matches the name', async () => {
    const domain = await requested(acme, 'three.example.com');
    servers.dns.names.set('*.example.com', { TXT: ['v=spf1 -all'] });
    expect((await refusalOf(domain)).message).toContain('has another value: "v=spf1 -all"');
  });

  test('if the name is an alias, even if the record of the target has the expected value', async () => {
    const domain = await requested(acme, 'four.example.com');
    const { name, value } = domain.txtRecord;
    servers.dns.names.set('attacker.example.org', { TXT: [value] });
    servers.dns.names.set(name, { CNAME: 'attacker.example.org' });
    expect((await refusalOf(domain)).message).toContain('is an alias (CNAME) of attacker.example.org');
    servers.dns.names.delete(name);
    servers.dns.names.set('*.example.com', { CNAME: 'attacker.example.org' });
    expect((await refusalOf(domain)).message).toContain('is an alias (CNAME) of attacker.example.org');
  });

  test.each(['SERVFAIL', 'silent'] as const)('if the name server fails: %s', async (failure) => {
    const domain = await requested(acme, `${failure.toLowerCase()}.example.com`);
    publishRecord(domain);
    servers.dns.failure = failure;
    expect(await refusalOf(domain)).toMatchObject({ error: 'domain_unavailable' });
  });

  test('if the name server has a private address', async () => {
    const domain = await requested(acme, 'five.example.com');
    publishRecord(domain);
    servers.dns.names.set('ns.name-servers.net', { A: ['10.0.0.1'] });
    expect((await refusalOf(domain)).message).toBe('The name servers of the domain have no public address.');
    expect(servers.dns.asked).not.toContain(`TXT ${domain.txtRecord.name}`);
  });
});

// Only Linux has more than one loopback address without configuration.
describe.skipIf(process.platform !== 'linux')('the authoritative name server', async () => {
  const authoritative = await servers.authoritativeAt('127.0.0.2');

  test('decides, not the cache of another resolver', async () => {
    const domain = await requested(acme, 'six.example.com');
    publishRecord(domain);
    servers.dns.names.set('ns.name-servers.net', { A: ['127.0.0.2'] });
    authoritative.names.set('six.example.com', {});
    expect((await refusalOf(domain)).message).toContain('does not exist');
    authoritative.names.set(domain.txtRecord.name, { TXT: [domain.txtRecord.value] });
    servers.dns.names.delete(domain.txtRecord.name);
    expect(await acme.admin.ok(validateDomain, of(domain))).toMatchObject({ status: 'validated' });
  });

  test('is that of the domain’s zone, not that of the zone to which the domain is an alias', async () => {
    const domain = await requested(acme, 'seven.example.com');
    const { names } = servers.dns;
    // The target is the top of a zone. Its name server claims to have the TXT record.
    names.set('seven.example.com', { CNAME: 'attacker.org' });
    names.set('attacker.org', { NS: ['ns.attacker.org'] });
    names.set('ns.attacker.org', { A: ['127.0.0.2'] });
    authoritative.names.set(domain.txtRecord.name, { TXT: [domain.txtRecord.value] });
    expect(await refusalOf(domain)).toMatchObject({ error: 'domain_not_proved' });
    expect(authoritative.asked).not.toContain(`TXT ${domain.txtRecord.name}`);
  });
});

describe('an activation fails without a change', () => {
  const validated = async (name: string) => {
    const domain = await requested(acme, name);
    publishRecord(domain);
    publishFile(domain);
    return acme.admin.ok(validateDomain, of(domain));
  };
  const page = ({ domain }: VanityDomain) => `${domain}/.well-known/merchant-ops-domain`;

  test('before the validation', async () => {
    const domain = await requested(acme, 'a1.example.com');
    publishFile(domain);
    expect(await refusalOf(domain, 'activate')).toMatchObject({ error: 'domain_not_validated' });
  });

  test('if the file is missing, has another content, or is behind a redirect', async () => {
    const domain = await validated('a2.example.com');
    const url = domain.webFile.url;
    servers.pages.clear();
    expect((await refusalOf(domain, 'activate')).message).toBe(`${url} responded with 404 instead of 200.`);
    servers.pages.set(page(domain), { body: `<p>${domain.webFile.content}</p>` });
    expect((await refusalOf(domain, 'activate')).message).toBe(`${url} does not contain the expected line.`);
    servers.pages.set('target.example.com/file', { body: domain.webFile.content });
    servers.dns.names.set('target.example.com', { A: ['127.0.0.1'] });
    servers.pages.set(page(domain), {
      status: 302,
      headers: { location: 'https://target.example.com/file' },
    });
    expect((await refusalOf(domain, 'activate')).message).toContain('302 instead of 200');
  });

  test('if the certificate is for another name or of an unknown authority', async () => {
    const domain = await validated('a3.example.com');
    servers.useValidCertificate(false);
    expect((await refusalOf(domain, 'activate')).message).toContain('has no valid certificate');
    servers.useValidCertificate(true);
    const deeper = await validated('a3.deeper.example.com');
    expect((await refusalOf(deeper, 'activate')).message).toContain('has no valid certificate');
  });

  test('if the domain has a private address, no address, or no TXT record any more', async () => {
    const domain = await validated('a4.example.com');
    const { names } = servers.dns;
    names.set(domain.domain, { A: ['169.254.169.254'] });
    expect((await refusalOf(domain, 'activate')).message).toContain('an address that is not public');
    names.delete(domain.domain);
    expect((await refusalOf(domain, 'activate')).message).toBe('a4.example.com has no address.');
    publishFile(domain);
    names.delete(domain.txtRecord.name);
    expect((await refusalOf(domain, 'activate')).message).toContain('does not exist');
  });

  test('if the domain is an alias of our portal, until the portal serves its file', async () => {
    const domain = await validated('a5.example.com');
    servers.dns.names.set('portal.example.net', { A: ['127.0.0.1'] });
    servers.dns.names.set(domain.domain, { CNAME: 'portal.example.net' });
    servers.pages.set(page(domain), { status: 404 });
    expect((await refusalOf(domain, 'activate')).message).toContain('404 instead of 200');
    servers.pages.set(page(domain), { body: domain.webFile.content });
    expect(await acme.admin.ok(activateDomain, of(domain))).toMatchObject({ status: 'active' });
  });
});

test('a validation and an activation count as ten requests, and above the limit, no other server is asked', async () => {
  vi.stubEnv('REQUESTS_PER_MINUTE', '25');
  const domain = await requested(acme, 'limited.example.com');
  publishRecord(domain);
  publishFile(domain);
  const { asked } = servers.dns;
  for (const prove of [validateDomain, activateDomain]) {
    nextMinute();
    const statuses: number[] = [];
    for (let n = 0; n < 2; n++) statuses.push((await acme.admin.call(prove, of(domain))).status);
    expect(asked).toContain(`TXT ${domain.txtRecord.name}`);
    asked.length = 0;
    statuses.push((await acme.admin.call(prove, of(domain))).status);
    expect([statuses, asked], prove.contract.path).toEqual([[200, 200, 429], []]);
  }
  vi.stubEnv('REQUESTS_PER_MINUTE', '60000');
});
