import { listingForPrincipal } from '../../shared/endpoints/listing.ts';
import { readerOf, statementsFor } from '../../shared/residuals/statements/read-statements.ts';
import { ResidualStatement } from '../../shared/residuals/statements/schema.ts';

export default listingForPrincipal(
  {
    path: '/residual-statements',
    anyPermission: ['readResiduals', 'readOwnResiduals'],
    item: ResidualStatement,
    fields: {
      month: ['filter', 'sort'],
      runId: ['filter'],
      kind: ['filter'],
      state: ['filter'],
      beneficiaryName: ['search', 'sort'],
      total: ['sort'],
      payable: ['sort'],
      createdAt: ['sort'],
    },
    summary: 'List statements of residuals',
    extraFields: {},
  },
  (request) => statementsFor(readerOf(request)),
  () => ({}),
);
