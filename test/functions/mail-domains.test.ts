import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import createMailDomain from '../../functions/mail-domains/create-mail-domain.ts';
import deleteMailDomain from '../../functions/mail-domains/delete-mail-domain.ts';
import listMailDomains from '../../functions/mail-domains/list-mail-domains.ts';
import readMailDomain from '../../functions/mail-domains/read-mail-domain.ts';
import validateMailDomain from '../../functions/mail-domains/validate-mail-domain.ts';
import type { MailDomain } from '../../shared/correspondence/domains/schema.ts';
import { sesIdentities } from '../../shared/correspondence/domains/ses-identities.ts';
import { mailDomainHolders } from '../../shared/correspondence/domains/store.ts';
import { servers } from '../domains/world.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { storedEvents, storedHappenings } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

let acme = await tenant();
const other = await tenant();
beforeEach(async () => {
  acme = await tenant();
});

const of = ({ id }: Pick<MailDomain, 'id'>) => ({ params: { id } });
const added = ({ admin }: Tenant, domain: string) => admin.ok(createMailDomain, { body: { domain } });

function publish({ records }: MailDomain): void {
  for (const { purpose, name, value } of records)
    if (purpose === 'proof') servers.dns.names.set(name, { TXT: [value] });
}

/** Adds and validates a domain, without running the jobs. */
async function proved(owner: Tenant, name: string): Promise<MailDomain> {
  const domain = await added(owner, name);
  publish(domain);
  return owner.admin.ok(validateMailDomain, of(domain));
}

const happeningsOf = async ({ accountId }: Tenant) =>
  (await storedHappenings(accountId, 'mail_domain_')).map(
    ({ happening, detail }) => `${happening} ${detail.status}`,
  );
const signal = new AbortController().signal;
const identityOf = (domain: string) => sesIdentities.find(domain, signal);

describe('a mail domain', () => {
  test('is proved by its TXT record, registered at SES with DKIM and return path, and then verified', async () => {
    const domain = await added(acme, 'Mail.Example.com');
    expect(domain).toMatchObject({ domain: 'mail.example.com', status: 'requested' });
    expect(domain.records.map(({ purpose }) => purpose)).toEqual(['proof']);
    expect((await acme.admin.call(validateMailDomain, of(domain))).body).toMatchObject({
      error: 'domain_not_proved',
    });
    publish(domain);
    expect(await acme.admin.ok(validateMailDomain, of(domain))).toMatchObject({ status: 'proved' });
    await drain();
    const registered = await acme.admin.ok(readMailDomain, of(domain));
    expect(registered.records.map(({ purpose, type, state }) => [purpose, type, state])).toEqual([
      ['proof', 'TXT', undefined],
      ['dkim', 'CNAME', 'pending'],
      ['dkim', 'CNAME', 'pending'],
      ['dkim', 'CNAME', 'pending'],
      ['return_path', 'MX', 'pending'],
      ['return_path', 'TXT', 'pending'],
    ]);
    expect(registered.records.at(-1)).toMatchObject({
      name: 'bounce.mail.example.com',
      value: 'v=spf1 include:amazonses.com ~all',
    });
    clock.advance(5 * 60_000);
    await drain();
    const verified = await acme.admin.ok(readMailDomain, of(domain));
    expect(verified).toMatchObject({ status: 'verified', verifiedAt: expect.any(String) });
    expect(await acme.admin.ok(listMailDomains)).toMatchObject({ data: [verified], totalCount: 1 });
    expect(await happeningsOf(acme)).toEqual([
      'mail_domain_created requested',
      'mail_domain_updated proved',
      'mail_domain_updated verified',
    ]);
  });

  test('is deleted with its identity at SES, and another account can then prove it', async () => {
    const domain = await proved(acme, 'deleted.example.com');
    await drain();
    expect(await identityOf('deleted.example.com')).toBeDefined();
    await acme.admin.ok(deleteMailDomain, of(domain));
    expect(await mailDomainHolders.find('deleted.example.com')).toBeUndefined();
    await drain();
    expect(await identityOf('deleted.example.com')).toBeUndefined();
    expect(await proved(other, 'deleted.example.com')).toMatchObject({ status: 'proved' });
  });

  test('of the stage’s own sender keeps its identity at SES when it is deleted', async () => {
    vi.stubEnv('MAIL_FROM', 'Acme <Notifications@Sender.example.com>');
    onTestFinished(() => void vi.unstubAllEnvs());
    const domain = await proved(acme, 'sender.example.com');
    await drain();
    await acme.admin.ok(deleteMailDomain, of(domain));
    await drain();
    expect(await identityOf('sender.example.com')).toBeDefined();
  });

  test('belongs to the last account that proved it, and its identity remains when the earlier account deletes it', async () => {
    const mine = await proved(acme, 'shared.example.com');
    const theirs = await proved(other, 'shared.example.com');
    expect(await acme.admin.ok(readMailDomain, of(mine))).toMatchObject({ status: 'taken_over' });
    expect(await happeningsOf(acme)).toContain('mail_domain_updated taken_over');
    const events = await storedEvents(acme.accountId);
    expect(JSON.stringify(events)).not.toContain(other.accountId);
    await drain();
    await acme.admin.ok(deleteMailDomain, of(mine));
    await drain();
    expect(await mailDomainHolders.find('shared.example.com')).toMatchObject({ domainId: theirs.id });
    expect(await identityOf('shared.example.com')).toBeDefined();
    expect(await other.admin.ok(readMailDomain, of(theirs))).toMatchObject({ status: 'proved' });
  });

  test('that SES could not verify is failed, and a new validation registers it again', async () => {
    const domain = await proved(acme, 'failing.example.com');
    await drain();
    expect(await acme.admin.ok(readMailDomain, of(domain))).toMatchObject({ status: 'failed' });
    clock.advance(60_000);
    const again = await acme.admin.ok(validateMailDomain, of(domain));
    expect(again.status).toBe('proved');
    expect(Date.parse(again.provedAt ?? '')).toBeGreaterThan(Date.parse(domain.provedAt ?? ''));
    await drain();
    expect(await acme.admin.ok(readMailDomain, of(domain))).toMatchObject({ status: 'failed' });
  });

  test('that SES has not verified yet is checked again, and a preview changes nothing', async () => {
    const domain = await proved(acme, 'pending.example.com');
    for (const delay of [0, 5 * 60_000, 3_600_000]) {
      clock.advance(delay);
      await drain();
      expect(await acme.admin.ok(readMailDomain, of(domain))).toMatchObject({ status: 'proved' });
    }
    await other.admin.dryRun(createMailDomain, { body: { domain: 'pending.example.com' } });
    expect((await other.admin.ok(listMailDomains)).data.map((one) => one.domain)).not.toContain(
      'pending.example.com',
    );
  });

  test('is added once, in any spelling, and needs a public name and a service with a domain for mail', async () => {
    await added(acme, 'münchen.example.com');
    const errorOf = async (domain: string) =>
      (await acme.admin.call(createMailDomain, { body: { domain } })).body as { error?: string };
    expect(await errorOf('xn--MNCHEN-3ya.example.com')).toMatchObject({ error: 'mail_domain_exists' });
    for (const bad of ['localhost', '127.0.0.1', 'com', 'https://example.com', 'a b.com'])
      expect(await errorOf(bad)).toMatchObject({ error: 'invalid_input' });
    vi.stubEnv('MAIL_DOMAIN', undefined);
    expect(await errorOf('example.com')).toMatchObject({ error: 'mail_unavailable' });
    vi.unstubAllEnvs();
  });

  test('is managed by administrators only, and an account has at most 20', async () => {
    const { client } = await member(acme, ['readMails', 'writeMails']);
    expect((await client.call(listMailDomains)).status).toBe(403);
    expect((await client.call(createMailDomain, { body: { domain: 'example.com' } })).status).toBe(403);
    for (let n = 0; n < 20; n++) await added(acme, `mail-${n}.example.com`);
    const { body } = await acme.admin.call(createMailDomain, { body: { domain: 'mail-20.example.com' } });
    expect(body).toMatchObject({ error: 'quota_exceeded' });
  });
});
