import { expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import readTicketSla from '../../functions/tickets/read-ticket-sla.ts';
import { checkTickets } from '../../infra/operations/check-tickets.ts';
import { clock } from '../harness/clock.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { newTicketOf } from './new-tickets.ts';

const recompute = operatorsCommand('tickets', 'recompute');

test('open tickets keep their due times when the SLA policy changes, until an operator recomputes them', async () => {
  const { admin, accountId, adminEmail } = await tenant();
  const slaTargets = (firstResponse: number) => ({ low: { firstResponse, resolution: 5000 } });
  const params = { id: accountId };
  await admin.ok(updateAccount, { params, body: { slaTargets: slaTargets(60) } });
  const make = (status: 'open' | 'waiting_customer' | 'closed') =>
    newTicketOf(admin, { status, priority: 'low', assignedTo: adminEmail });
  const made = [await make('open'), await make('waiting_customer'), await make('closed')];
  const [open = { id: 0, uniqueId: '', createdAt: '' }] = made;
  const read = () =>
    Promise.all(made.map(({ uniqueId }) => admin.ok(readTicket, { params: { ticketId: uniqueId } })));
  const before = await read();

  const renamed = await admin.ok(updateAccount, { params, body: { name: 'Another name' } });
  expect(renamed).not.toHaveProperty('openTicketsWithFormerPolicy');
  const changed = await admin.ok(updateAccount, { params, body: { slaTargets: slaTargets(240) } });
  expect(changed.openTicketsWithFormerPolicy).toBe(2);
  expect(await read()).toEqual(before);

  const first = await recompute.here('--account', accountId, '--stage', 'local', '--json');
  expect(first.stderr).toBe('');
  expect(JSON.parse(first.stdout)).toEqual({ accountId, recomputed: 2, current: 0 });
  const [after, , closed] = await read();
  const due = (minutes: number) => new Date(Date.parse(open.createdAt) + minutes * 60_000).toISOString();
  expect(after).toMatchObject({ slaFirstResponseDue: due(240), version: 2, updatedBy: 'operator' });
  expect(closed).toEqual(before[2]);
  const { entries, policy } = await admin.ok(readTicketSla, { params: { ticketId: open.uniqueId } });
  expect(policy.number).toBe(changed.version);
  expect(entries.at(-1)).toMatchObject({ kind: 'policy', policy: changed.version });
  const events = await eventsAbout(accountId, open.id);
  expect(events.filter(({ kind }) => kind === 'ticket_updated')).toMatchObject([
    {
      actor: { user: 'operator' },
      data: {
        change: 'sla_recomputed',
        policy: changed.version,
        slaFirstResponseDue: { from: due(60), to: due(240) },
      },
    },
  ]);
  expect((await checkTickets(accountId)).differences).toEqual([]);

  const again = await recompute.asProcess('--account', accountId, '--stage', 'local');
  const stdout = '0 open tickets recomputed. 2 already had the current policy.\n';
  expect(again).toEqual({ code: 0, stdout, stderr: '' });
  clock.reset();
});
