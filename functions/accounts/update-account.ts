import { changeAccount, settingsOfRights } from '../../shared/accounts/change-account.ts';
import { Account, AccountParams, AccountPatch, UpdatedAccount } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { childAccounts } from '../../shared/child-accounts/children.ts';
import { checkMailSettings } from '../../shared/correspondence/outgoing/sender-address.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';
import {
  endSelected,
  readOpenImpersonations,
} from '../../shared/people/impersonation-records/open-impersonations.ts';
import { countOpenTickets } from '../../shared/support/tickets/recompute-clocks.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'PATCH',
  path: '/accounts/{id}',
  administratorOnly: true,
  proof: [{ purpose: 'rights', ifBody: settingsOfRights }],
  params: AccountParams,
  body: AccountPatch,
  response: UpdatedAccount,
  record: Account,
  emits: ['account_updated'],
  rights: ['account:write'],
  summary: 'Change the settings of the account in x-account-id',
  description:
    'A change of slaTargets, businessHours (with its holidays) or timezone applies to new tickets, and to tickets whose priority changes afterwards. Open tickets keep their due times. An operator can recompute them with `tickets recompute`.',
  read: ({ account, params, body }) =>
    inParallel([
      accounts.getOwn(account, params.id),
      countOpenTickets(account),
      checkMailSettings(account, body.mail),
    ]),
  decide: async (request, [account, openTickets]) => {
    await request.checkReadOnly(() => accounts.show(account));
    const after = changeAccount(account, request.body, request);
    const response = accounts.show(after);
    const events = updated(accounts, 'account_updated', accounts.show(account), response);
    const ends = after.impersonationForbidden && !account.impersonationForbidden;
    const open = ends ? await readOpenImpersonations(account.id) : undefined;
    const ended = open && (await endSelected(open, () => true, request));
    const keepsTickets = account.slaPolicyVersion !== after.slaPolicyVersion && openTickets > 0;
    return {
      response: { ...response, ...(keepsTickets && { openTicketsWithFormerPolicy: openTickets }) },
      writes: [
        ...accounts.replace(account, after),
        ...childAccounts.rename(account, after),
        ...(ended?.writes ?? []),
      ],
      events,
    };
  },
});
