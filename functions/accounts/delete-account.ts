import { closeAccount } from '../../shared/accounts/close-account.ts';
import { AccountParams } from '../../shared/accounts/schema.ts';
import { openClosing, showClosed } from '../../shared/closing/open-closing.ts';
import { ownOrChildAccount, requireNoOpenChildren } from '../../shared/closing/read-account.ts';
import { ClosedAccount, CloseQuery } from '../../shared/closing/schema.ts';
import { stopWork } from '../../shared/closing/stop-work.ts';
import { closeActiveDomain } from '../../shared/domains/close-active-domain.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'DELETE',
  path: '/accounts/{id}',
  administratorOnly: true,
  proof: 'deletion',
  params: AccountParams,
  query: CloseQuery,
  response: ClosedAccount,
  errors: ['account_has_children'],
  emits: ['account_deleted', 'vanity_domain_deleted'],
  rights: ['account:write', 'domains:hold'],
  summary: 'Delete the account in x-account-id, or one of its child accounts',
  description:
    'Closes the account at once: all requests of its users, API keys and applicants are rejected with account_closed, and its mails, text messages, webhook deliveries and jobs wait. Its active vanity domain is deactivated. An export is written. After 30 days, the account is erased. Until then, POST /accounts/{id}/reopen continues it. The event is in the logs of the account and of its parent.',
  read: ({ account, params }) => ownOrChildAccount(account, params.id),
  decide: async (request, before) => {
    const after = closeAccount(before, request.query.confirmName, request);
    const [sameChildren, stopped, domain] = await inParallel([
      requireNoOpenChildren(before.id),
      stopWork(before.id),
      closeActiveDomain(before, request),
    ]);
    const { writes, events } = openClosing(before, after, request);
    return {
      response: showClosed(after),
      writes: [...writes, ...domain.writes, ...stopped, sameChildren],
      events: [...domain.events, ...events],
    };
  },
});
