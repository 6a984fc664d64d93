import { describe, expect, test, vi } from 'vitest';
import createMailAddress from '../../functions/mail-addresses/create-mail-address.ts';
import deleteMailAddress from '../../functions/mail-addresses/delete-mail-address.ts';
import listMailAddresses from '../../functions/mail-addresses/list-mail-addresses.ts';
import readMailAddress from '../../functions/mail-addresses/read-mail-address.ts';
import updateMailAddress from '../../functions/mail-addresses/update-mail-address.ts';
import createMailDomain from '../../functions/mail-domains/create-mail-domain.ts';
import validateMailDomain from '../../functions/mail-domains/validate-mail-domain.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deactivateTeam from '../../functions/teams/deactivate-team.ts';
import type { MailAddress } from '../../shared/correspondence/addresses/schema.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import { base32, fromBase32 } from '../../shared/correspondence/threads/base32.ts';
import { readToken } from '../../shared/correspondence/threads/thread-token.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { servers } from '../domains/world.ts';
import { member } from '../harness/member.ts';
import { storedEvents, storedHappenings } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { newTypeOf } from '../tickets/new-tickets.ts';

const acme = await tenant();
const other = await tenant();

async function provesDomain({ admin }: Tenant, domain: string): Promise<void> {
  const { id, records } = await admin.ok(createMailDomain, { body: { domain } });
  for (const { name, value } of records) servers.dns.names.set(name, { TXT: [value] });
  await admin.ok(validateMailDomain, { params: { id } });
}

const errorOf = async (of: Tenant, body: object) =>
  ((await of.admin.call(createMailAddress, { body: body as never })).body as { error: string }).error;
const params = ({ id }: Pick<MailAddress, 'id'>) => ({ params: { id } });

describe('a mail address', () => {
  test('is created in a proved domain, read, listed, changed and deleted, with one event each', async () => {
    await provesDomain(acme, 'example.com');
    const team = await acme.admin.ok(createTeam, { body: { name: 'Support' } });
    const type = await newTypeOf(acme.admin);
    const created = await acme.admin.ok(createMailAddress, {
      body: {
        address: 'Support@EXAMPLE.com',
        purpose: 'tickets',
        ticketTypeId: String(type.id),
        teamId: team.id,
        autoReply: { text: 'Thank you.' },
      },
    });
    expect(created).toMatchObject({
      address: 'Support@example.com',
      ticketTypeId: type.uniqueId,
      teamId: team.id,
      autoReply: { text: 'Thank you.' },
    });
    expect(created).not.toHaveProperty('inboundSecret');
    expect(await acme.admin.ok(readMailAddress, params(created))).toEqual(created);
    expect(await acme.admin.ok(listMailAddresses)).toMatchObject({ data: [created], totalCount: 1 });
    await acme.admin.ok(deactivateTeam, { params: { id: team.id } });
    const body = { name: 'Acme Support', autoReply: null, teamId: team.id };
    const changed = await acme.admin.ok(updateMailAddress, { ...params(created), body });
    expect(changed).toMatchObject({
      name: 'Acme Support',
      inboundAddress: created.inboundAddress,
      version: 2,
    });
    expect(changed).not.toHaveProperty('autoReply');
    await acme.admin.ok(deleteMailAddress, params(created));
    expect((await acme.admin.call(readMailAddress, params(created))).status).toBe(404);
    const happenings = await storedHappenings(acme.accountId, 'mail_address_');
    expect(happenings.map(({ happening }) => happening)).toEqual([
      'mail_address_created',
      'mail_address_updated',
      'mail_address_deleted',
    ]);
    expect(JSON.stringify(await storedEvents(acme.accountId))).not.toContain('inboundSecret');
  });

  test('needs a proved domain of its own account, and existing references', async () => {
    await provesDomain(other, 'example.org');
    await other.admin.ok(createMailDomain, { body: { domain: 'example.net' } });
    const address = { address: 'sales@example.org', purpose: 'leads' };
    expect(await errorOf(acme, address)).toBe('mail_domain_not_proved');
    expect(await errorOf(other, { ...address, address: 'sales@example.net' })).toBe('mail_domain_not_proved');
    expect(await errorOf(other, { ...address, address: 'sales@sub.example.org' })).toBe(
      'mail_domain_not_proved',
    );
    expect(await errorOf(other, { ...address, teamId: 7 })).toBe('team_unknown');
    expect(await errorOf(other, { ...address, purpose: 'tickets', ticketTypeId: 'tty_1' })).toBe(
      'ticket_type_unknown',
    );
    const type = await newTypeOf(other.admin);
    expect(await errorOf(other, { ...address, ticketTypeId: type.uniqueId })).toBe('invalid_input');
    await other.admin.ok(createMailAddress, { body: address as never });
    expect(await errorOf(other, { ...address, address: 'SALES@example.org' })).toBe('mail_address_exists');
    vi.stubEnv('MAIL_DOMAIN', undefined);
    expect(await errorOf(other, { ...address, address: 'b@example.org' })).toBe('mail_unavailable');
    vi.unstubAllEnvs();
  });

  test('is found by its inbound address, and not with another secret, id or account', async () => {
    await provesDomain(acme, 'inbound.example.com');
    const body = { address: 'help@inbound.example.com', purpose: 'tickets' } as const;
    const { inboundAddress = '', id } = await acme.admin.ok(createMailAddress, { body });
    const token = await readToken(inboundAddress);
    if (token?.kind !== 'inbound') throw new Error('The inbound address has no token.');
    expect((await mailAddresses.lookUpInbound(token)).record).toMatchObject({ id, ...body });
    const wrong = fromBase32(token.secret) ?? new Uint8Array();
    wrong[0] = (wrong[0] ?? 0) ^ 1;
    expect(await mailAddresses.lookUpInbound({ ...token, secret: base32(wrong) })).toEqual({
      retired: false,
    });
    expect(await mailAddresses.lookUpInbound({ ...token, secret: '' })).toEqual({ retired: false });
    expect(await mailAddresses.lookUpInbound({ ...token, addressId: id + 1 })).toEqual({ retired: false });
    const elsewhere = { ...token, account: other.accountId as AccountId };
    expect(await mailAddresses.lookUpInbound(elsewhere)).toEqual({ retired: false });
    await acme.admin.ok(deleteMailAddress, { params: { id } });
    expect(await mailAddresses.lookUpInbound(token)).toEqual({ retired: true });
  });

  test('is managed by administrators only', async () => {
    const { client } = await member(acme, ['readMails', 'writeMails']);
    expect((await client.call(listMailAddresses)).status).toBe(403);
  });
});
