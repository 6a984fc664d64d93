import { listingForPrincipal } from '../../shared/endpoints/listing.ts';
import { receiverOf, statementsFor } from '../../shared/residuals/statements/read-statements.ts';
import { ResidualStatement } from '../../shared/residuals/statements/schema.ts';

export default listingForPrincipal(
  {
    path: '/received-residual-statements',
    access: 'home',
    administratorOnly: true,
    item: ResidualStatement,
    summary: 'List the statements of residuals that the account received from its parent',
    extraFields: {},
  },
  (request) => statementsFor(receiverOf(request.accountRecord)),
  () => ({}),
);
