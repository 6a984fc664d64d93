import { listingForPrincipal } from '../../shared/endpoints/listing.ts';
import { linesFor, readerOf } from '../../shared/residuals/statements/read-statements.ts';
import { StatementLine, StatementParams } from '../../shared/residuals/statements/schema.ts';

export default listingForPrincipal(
  {
    path: '/residual-statements/{id}/lines',
    anyPermission: ['readResiduals', 'readOwnResiduals'],
    params: StatementParams,
    item: StatementLine,
    fields: { kind: ['filter'], mid: ['filter'], amount: ['sort'] },
    summary: 'List the lines of a statement of residuals',
    description: 'In the order of their ids. The hash `linesSha256` of the statement is about all of them.',
    extraFields: {},
  },
  (request) => linesFor(readerOf(request), Number(Object(request.params).id)),
  () => ({}),
);
