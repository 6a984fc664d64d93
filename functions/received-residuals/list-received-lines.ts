import { listingForPrincipal } from '../../shared/endpoints/listing.ts';
import { linesFor, receiverOf } from '../../shared/residuals/statements/read-statements.ts';
import { StatementLine, StatementParams } from '../../shared/residuals/statements/schema.ts';

export default listingForPrincipal(
  {
    path: '/received-residual-statements/{id}/lines',
    access: 'home',
    administratorOnly: true,
    params: StatementParams,
    item: StatementLine,
    summary: 'List the lines of a statement of residuals that the account received from its parent',
    description: 'In the order of their ids. The hash `linesSha256` of the statement is about all of them.',
    extraFields: {},
  },
  (request) => linesFor(receiverOf(request.accountRecord), Number(Object(request.params).id)),
  () => ({}),
);
