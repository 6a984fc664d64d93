import { describe, expect, test } from 'vitest';
import deleteAccount from '../../functions/accounts/delete-account.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import reopenAccount from '../../functions/accounts/reopen-account.ts';
import activateDomain from '../../functions/domains/activate-domain.ts';
import deleteDomain from '../../functions/domains/delete-domain.ts';
import readDomain from '../../functions/domains/read-domain.ts';
import validateDomain from '../../functions/domains/validate-domain.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { domainHolderAcrossAccountsKey, vanityDomainPartition } from '../../shared/domains/keys.ts';
import type { VanityDomain } from '../../shared/domains/schema.ts';
import { vanityDomains } from '../../shared/domains/store.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import { drain } from '../harness/drain.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import type { Tenant } from '../harness/tenant.ts';
import { hour, newTenant, pass, sentMessages, to } from '../messages/world.ts';
import { activated, of, publishFile, publishRecord, requested, servers } from './world.ts';

const accountOf = ({ accountId }: Tenant) => asAccountId(accountId) ?? expect.fail();

// The tests read the table, because sessions end after 12 hours.
const linkedDomain = async (owner: Tenant) => (await accounts.get(accountOf(owner))).vanityDomain;
const stored = (owner: Tenant, { id }: VanityDomain) => vanityDomains.getWithProof(accountOf(owner), id);

const itemsOf = async (owner: Tenant) => {
  const own = [vanityDomainPartition(accountOf(owner)), domainHolderAcrossAccountsKey('cafe.example.com').pk];
  return (await scanTable()).filter(({ pk }) => own.includes(pk));
};

describe('another account', () => {
  test('cannot take a domain without its own challenge, and takes it with this challenge', async () => {
    const [first, second] = [await newTenant(), await newTenant()];
    const held = await activated(first, 'shop.example.com');
    const wanted = await requested(second, 'shop.example.com');
    expect((await second.admin.call(validateDomain, of(wanted))).body).toMatchObject({
      error: 'domain_not_proved',
    });
    expect(await linkedDomain(first)).toBe('shop.example.com');

    publishRecord(wanted);
    const preview = await second.admin.dryRun(validateDomain, of(wanted));
    expect(preview.answer).toMatchObject({ status: 'validated' });
    expect(JSON.stringify(preview)).not.toContain(first.accountId);
    expect(await linkedDomain(first)).toBe('shop.example.com');

    const response = await second.admin.ok(validateDomain, of(wanted));
    expect(response).toMatchObject({ status: 'validated' });
    expect(JSON.stringify(response)).not.toContain(first.accountId);
    expect(await linkedDomain(first)).toBeUndefined();
    expect(await first.admin.ok(readDomain, of(held))).toMatchObject({
      status: 'deactivated',
      deactivationReason: 'taken_over',
    });
    const log = (await storedEvents(first.accountId)).slice(-2);
    expect(log).toMatchObject([
      {
        kind: 'vanity_domain_deleted',
        actor: { user: 'system', apiKey: null },
        subject: { id: held.id, label: 'shop.example.com' },
        data: { domain: 'shop.example.com', reason: 'taken_over' },
        request: { method: 'SCHEDULE', path: 'check_domain', headers: {}, ipAddress: '' },
      },
      { kind: 'account_updated', actor: { user: 'system' } },
    ]);
    for (const trace of [second.accountId, second.adminEmail, '192.0.2.1'])
      expect(JSON.stringify(log)).not.toContain(trace);

    await drain();
    expect(to(first.adminEmail)).toMatchObject([
      { subject: expect.stringMatching(/^Vanity domain deactivated: shop.*example/) },
    ]);
    expect(to(first.adminEmail)[0]?.text).toContain('another account proved that it controls this domain');
    expect(to(second.adminEmail)).toEqual([]);

    publishFile(wanted);
    expect(await second.admin.ok(activateDomain, of(wanted))).toMatchObject({ status: 'active' });
    expect((await first.admin.call(activateDomain, of(held))).body).toMatchObject({
      error: 'domain_not_validated',
    });
    expect(await linkedDomain(second)).toBe('shop.example.com');
  });

  test('is not affected if the earlier account deletes its deactivated domain, or takes it back', async () => {
    const [first, second] = [await newTenant(), await newTenant()];
    const held = await activated(first, 'cafe.example.com');
    const wanted = await activated(second, 'cafe.example.com');
    await first.admin.ok(deleteDomain, of(held));
    expect(await linkedDomain(second)).toBe('cafe.example.com');
    const again = await activated(first, 'cafe.example.com');
    expect(await linkedDomain(first)).toBe('cafe.example.com');
    expect(await second.admin.ok(readDomain, of(wanted))).toMatchObject({ status: 'deactivated' });
    await first.admin.ok(deleteDomain, of(again));
    expect(await itemsOf(first)).toEqual([]);
  });

  test('becomes the only holder if two accounts prove a domain at the same time', async () => {
    const owners = [await newTenant(), await newTenant(), await newTenant()];
    const domains = await Promise.all(owners.map((owner) => requested(owner, 'race.example.com')));
    const [first] = domains;
    const name = first?.txtRecord.name ?? '';
    servers.dns.names.set(name, { TXT: domains.map(({ txtRecord }) => txtRecord.value) });
    await Promise.all(
      owners.map(({ admin }, n) => admin.ok(validateDomain, of(domains[n] ?? expect.fail()))),
    );
    const after = await Promise.all(
      owners.map(({ admin }, n) => admin.ok(readDomain, of(domains[n] ?? expect.fail()))),
    );
    expect(after.map(({ status }) => status).sort()).toEqual(['deactivated', 'deactivated', 'validated']);
  });
});

describe('an active domain', () => {
  test('is checked every day, and remains active if checks fail for less than 72 hours', async () => {
    const acme = await newTenant();
    const domain = await activated(acme, 'daily.example.com');
    await drain();
    servers.dns.asked.length = 0;
    await pass(23 * hour);
    expect(servers.dns.asked).toEqual([]);
    await pass(2 * hour);
    const { proof, domain: after } = await stored(acme, domain);
    expect(Date.parse(proof.lastProvedAt ?? '')).toBeGreaterThan(
      Date.parse(domain.proof.lastProvedAt ?? '') + 24 * hour,
    );
    expect(after.version).toBe(domain.version);
    servers.dns.failure = 'SERVFAIL';
    for (let hours = 0; hours < 66; hours += 6) await pass(6 * hour);
    expect(await stored(acme, domain)).toMatchObject({
      domain: { status: 'active' },
      proof: { lastProvedAt: proof.lastProvedAt, lastFailure: expect.stringContaining('usable answer') },
    });
    delete servers.dns.failure;
    await pass(6 * hour);
    const healed = await stored(acme, domain);
    expect(healed.proof).not.toHaveProperty('lastFailure');
    expect(healed.domain.status).toBe('active');
  });

  test.each([
    ['whose name servers fail', () => void Object.assign(servers.dns, { failure: 'SERVFAIL' })],
    ['whose zone no longer exists', () => void servers.dns.names.clear()],
    ['whose record is dangling', () => void servers.pages.clear()],
    ['whose certificate is no longer valid', () => servers.useValidCertificate(false)],
  ])('%s is deactivated after 72 hours, and its administrators are notified by mail', async (_, abandon) => {
    const acme = await newTenant();
    const domain = await activated(acme, 'abandoned.example.com');
    await drain();
    abandon();
    for (let hours = 0; hours < 66; hours += 6) await pass(6 * hour);
    expect(await linkedDomain(acme)).toBe('abandoned.example.com');
    await pass(6 * hour);
    expect(await linkedDomain(acme)).toBeUndefined();
    expect(await stored(acme, domain)).toMatchObject({
      domain: { status: 'deactivated', deactivationReason: 'proof_missing' },
    });
    expect(to(acme.adminEmail)).toMatchObject([{ subject: expect.stringContaining('deactivated') }]);
    expect(to(acme.adminEmail)[0]?.text).toContain('could not be verified for 72 hours');
    sentMessages.splice(0);
    await pass(48 * hour);
    expect(sentMessages).toEqual([]);
  });

  test('is deactivated with its account, and must be validated and activated again after the reopening', async () => {
    const [owner, other] = [await newTenant(), await newTenant()];
    const domain = await activated(owner, 'cafe.example.com');
    const params = { id: owner.accountId };
    const { name: confirmName } = await owner.admin.ok(readAccount, { params });
    await owner.admin.ok(deleteAccount, { params, query: { confirmName } });
    expect(await linkedDomain(owner)).toBeUndefined();
    expect((await storedEvents(owner.accountId)).slice(-2)).toMatchObject([
      {
        kind: 'vanity_domain_deleted',
        actor: { user: owner.adminEmail },
        data: { domain: 'cafe.example.com', reason: 'account_closed' },
      },
      { kind: 'account_deleted' },
    ]);
    expect((await itemsOf(owner)).map(({ type }) => type)).not.toContain('vanity-domain-holder');

    const taken = await activated(other, 'cafe.example.com');
    await other.admin.ok(deleteDomain, of(taken));
    await owner.admin.ok(reopenAccount, { params });
    expect(await linkedDomain(owner)).toBeUndefined();
    const reopened = { status: 'deactivated', deactivationReason: 'account_closed' };
    expect(await owner.admin.ok(readDomain, of(domain))).toMatchObject(reopened);
    expect((await owner.admin.call(activateDomain, of(domain))).body).toMatchObject({
      error: 'domain_not_validated',
    });
    publishRecord(domain);
    publishFile(domain);
    await owner.admin.ok(validateDomain, of(domain));
    await owner.admin.ok(activateDomain, of(domain));
    expect(await linkedDomain(owner)).toBe('cafe.example.com');
    await owner.admin.ok(deleteDomain, of(domain));
  });

  test('is not checked after its deletion', async () => {
    const acme = await newTenant();
    const domain = await activated(acme, 'deleted.example.com');
    await acme.admin.ok(deleteDomain, of(domain));
    await drain();
    servers.dns.asked.length = 0;
    await pass(25 * hour);
    expect(servers.dns.asked).toEqual([]);
  });
});
